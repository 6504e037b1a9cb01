"""The program of the kit: Pyodide, the standard library and our own modules, compiled, and what they read.

It depends on this repository and its locks alone, so it is built once for each state of them.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import django
from django.conf import settings

HERE = Path(__file__).parent
PACKAGES = ("engine", "lab", "phone", "ratelimit", "scorepad")
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
READ = ("CHANGELOG.md", "fixtures/lab/*.json", "fixtures/sheets/*.json", "fixtures/samples.toml")
TEMPLATES = ("*.html", "scorepad/**/*.html", "phone/*.html", "lab/_*.html", "home/_pad_list.html")
BEST = 11
"""Quality of brotli for what is small: it takes ten times as long as 9."""
SECONDS_MOST = 600


class KitError(Exception):
    """The kit cannot be built here; the sentence says why."""


def sources() -> Iterator[Path]:
    """Every file the program is made from."""
    for package in PACKAGES:
        yield from (settings.BASE_DIR / package).rglob("*.py")
    yield from (settings.BASE_DIR / name for name in ("config/middleware.py", "config/security_policy.py"))
    yield from HERE.glob("*.mjs")
    yield settings.NODE_MODULES / "pyodide" / "package.json"
    yield Path(django.__file__)
    yield from data_files()


def data_files() -> Iterator[Path]:
    """Files that the program reads where it runs: templates, the changelog, figures, examples."""
    for pattern in READ:
        yield from settings.BASE_DIR.glob(pattern)
    for pattern in TEMPLATES:
        yield from (settings.BASE_DIR / "templates").glob(pattern)


def fingerprint(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in sorted(set(files)):
        digest.update(f"{file.relative_to(_root(file))}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _root(file: Path) -> Path:
    return settings.BASE_DIR if file.is_relative_to(settings.BASE_DIR) else Path(file.anchor)


def build(kit: Path, quality: int) -> dict[str, str]:
    """Build what is not there yet; returns the places of its files inside the folder of the kit. One that was
    compressed as small as can be is kept."""
    name = fingerprint(sources())
    for made in (BEST, quality):
        with suppress(FileNotFoundError, ValueError):
            return dict(json.loads((kit / f"program-{name}-{made}.json").read_text()))
    built = _build(kit, quality)
    (kit / f"program-{name}-{quality}.json").write_text(json.dumps(built))
    return built


def _build(kit: Path, quality: int) -> dict[str, str]:
    node, runtime = shutil.which("node"), settings.NODE_MODULES / "pyodide"
    if node is None or not runtime.is_dir():
        raise KitError("Node or Pyodide is missing here, so pads cannot be taken along.")
    places = store(kit, [runtime / name for name in RUNTIME], quality)
    built = dict(zip(("loader", "glue", "wasm"), places, strict=True))
    # Python itself, the largest file, is compressed while it compiles the others.
    with tempfile.TemporaryDirectory(dir=kit) as made, ThreadPoolExecutor(1) as beside:
        runtime_packed = beside.submit(compress, kit, [built["wasm"]], quality)
        packages = sysconfig.get_path("purelib")
        _run(node, HERE / "build.mjs", runtime.resolve(), settings.BASE_DIR, packages, made)
        names = {name: Path(made) / f"{name}.zip" for name in ("library", "program")}
        files = {str(path.relative_to(settings.BASE_DIR)): path.read_text() for path in data_files()}
        names["files"] = Path(made) / "files.json"
        names["files"].write_text(json.dumps(files, sort_keys=True, separators=(",", ":")))
        built |= {name: store(kit, [path], quality)[0] for name, path in names.items()}
        runtime_packed.result()
    compress(kit, [built[name] for name in ("glue", "loader", "files")], BEST)
    compress(kit, built.values(), quality)
    return built


def store(kit: Path, files: list[Path], quality: int) -> list[str]:
    """Copy files into a folder named by what is in them and how it is compressed: a site that serves them
    never finds others in their place. Returns their places."""
    digest = hashlib.sha256(bytes([quality]))
    for file in files:
        digest.update(file.read_bytes())
    folder = kit / digest.hexdigest()[:12]
    folder.mkdir(exist_ok=True)
    for file in files:
        if not (folder / file.name).exists():
            shutil.copyfile(file, folder / f".{file.name}")
            (folder / f".{file.name}").replace(folder / file.name)
    return [f"{folder.name}/{file.name}" for file in files]


def compress(kit: Path, places: Iterable[str], quality: int) -> None:
    """Write brotli and gzip beside those that have none."""
    files = [kit / place for place in places if not (kit / f"{place}.gz").exists()]
    if not files:
        return
    node = shutil.which("node")
    if node is None:
        raise KitError("Node is missing here, so pads cannot be taken along.")
    _run(node, HERE / "compress.mjs", quality, *files)


def _run(*command: object) -> None:
    words = [str(word) for word in command]
    environment = {**os.environ, "NODE_OPTIONS": ""}
    try:
        done = subprocess.run(  # noqa: S603 - our own scripts and files
            words, capture_output=True, text=True, timeout=SECONDS_MOST, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise KitError(f"The kit was not built within {SECONDS_MOST} seconds.") from None
    if done.returncode:
        raise KitError(f"The kit could not be built: {done.stderr.strip()[-2000:]}")
