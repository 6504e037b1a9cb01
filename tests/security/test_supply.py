"""What the product is made of: versions that are safe, locks that name every byte, a list of materials, and
an outside look for weaknesses that must find what is there."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import django
import PIL
import pysqlite3
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.security import materials, weaknesses

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-many.lock", "requirements-dev.lock")
PINNED = re.compile(r"^([a-z0-9][a-z0-9._-]*)(\[[a-z0-9,_-]+\])?==([^\s;\\]+)( ;[^\\]*)?(?= \\$)", re.M)

# Below these there is a known fault that concerns us, or a line that gets no repairs any more.
FLOORS = {"django": (5, 2, 19), "pillow": (13,), "pysqlite3": (0, 6, 1)}
SQLITE_FLOOR = (3, 51, 3)


def numbers(written):
    return tuple(int(part) for part in re.findall(r"\d+", written.partition("+")[0])[:3])


def requirements(lock):
    """Each requirement of a lock with the lines that belong to it."""
    blocks = re.split(r"\n(?=\S)", (ROOT / lock).read_text().strip())
    return [block for block in blocks if not block.startswith("#")]


def test_versions_are_at_least_those_that_are_safe():
    running = {"django": django.__version__, "pillow": PIL.__version__, "pysqlite3": version("pysqlite3")}
    for name, floor in FLOORS.items():
        assert numbers(running[name]) >= floor, (name, running[name])
    assert numbers(pysqlite3.sqlite_version) >= SQLITE_FLOOR


def test_the_project_asks_for_no_less_than_the_floors():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    least = {
        re.match(r"[a-z0-9-]+", one)[0]: numbers(one.partition(">=")[2].partition(",")[0]) for one in asked
    }
    assert all(least[name] >= floor for name, floor in FLOORS.items())


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_has_one_version_and_its_hashes_and_no_host(lock):
    for block in requirements(lock):
        assert PINNED.match(block), block.split("\n")[0]
        assert re.findall(r"--hash=sha256:[0-9a-f]{64}", block), block.split("\n")[0]
    text = (ROOT / lock).read_text()
    assert "://" not in text and " @ " not in text and "--index-url" not in text and "--trusted" not in text


def test_the_lock_has_what_the_project_asks_for():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    locked = {PINNED.match(block)[1] for block in requirements("requirements.lock")}
    assert {re.match(r"[a-z0-9-]+", one)[0] for one in asked} <= locked


def test_every_package_for_browsers_is_locked_by_its_hash_and_names_no_host():
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages = {path: package for path, package in lock["packages"].items() if path}
    assert packages
    for path, package in packages.items():
        assert package["integrity"].startswith("sha512-") and "resolved" not in package, path


def test_packages_are_installed_by_their_hashes_alone():
    recipe = (ROOT / "Makefile").read_text()
    assert "--require-hashes" in recipe and "npm ci" in recipe and "npm install --package-lock-only" in recipe


def test_the_list_of_materials_is_valid_and_names_every_package_of_the_locks():
    document = materials.materials()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(document)) is None
    named = {component["purl"].partition("?")[0] for component in document["components"]}
    locked = [PINNED.match(block) for block in requirements("requirements.lock")]
    assert {f"pkg:pypi/{found[1]}@{found[3]}" for found in locked} <= named
    assert any(purl.startswith("pkg:npm/openseadragon@") for purl in named)
    assert not any("axe-core" in purl for purl in named)


def test_a_weakness_is_found_and_only_an_answer_with_a_reason_settles_it(tmp_path):
    """The control of `make bandit`, which looks through the whole product in `make lint`."""
    folder = tmp_path / "weak"
    folder.mkdir()
    lines = {
        "bare": "subprocess.run(words, shell=True)",
        "silenced": "subprocess.run(words, shell=True)  # noqa: S602",
        "answered": "subprocess.run(words, shell=True)  # noqa: S602 - words of our own",
        "other": "subprocess.run(words, shell=True)  # noqa: S308 - the wrong number",
    }
    for name, line in lines.items():
        (folder / f"{name}.py").write_text(f"import subprocess\n\n\ndef run(words):\n    {line}\n")
    found = weaknesses.found(("weak",), tmp_path)
    left = {Path(one["filename"]).stem for one in found if not weaknesses.is_answered(one)}
    assert len(found) == 4 and left == {"bare", "silenced", "other"}


def test_lint_looks_for_weaknesses():
    recipe = (ROOT / "Makefile").read_text()
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", recipe, re.M)
    assert "tests.security.weaknesses" in lint[0]
    installed = {folder.parent.name for folder in ROOT.glob("*/__init__.py")} - {"tests"}
    assert installed == set(weaknesses.PACKAGES)
