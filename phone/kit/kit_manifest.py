"""The manifest of the kit: every file with its address, its size as sent and as stored, and its hash."""

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings

import engine
from phone.kit import content, program
from phone.self_check import sheet

FAST, SMALL = 9, program.BEST
"""Quality of brotli: of every start, and of `make kit SMALL=1`, which takes some minutes."""
CONTENT = ("content", "clips")
SCRIPTS = {"python": "js/phone/python.js", "shell": "js/phone/shell.js"}


def path() -> Path:
    """The manifest of this site."""
    return settings.VAR / "kit.json"


def read() -> dict[str, Any] | None:
    """The manifest; None where no kit was built."""
    try:
        return dict(json.loads(path().read_text()))
    except (FileNotFoundError, ValueError):
        return None


def is_being_built() -> bool:
    return _sign().exists()


def _sign() -> Path:
    """The file that is there while the kit is built."""
    return settings.VAR / "kit.building"


def prepare(quality: int = FAST) -> bool:
    """Bring the kit up to date; where it cannot be built, say why and offer none. True if it has changed."""
    if not settings.PHONE_KIT or settings.DEBUG:
        path().unlink(missing_ok=True)
        return False
    _sign().touch()
    try:
        made = json.dumps(_make(settings.KIT_ROOT, quality), indent=1)
    except (program.KitError, OSError) as fault:
        path().unlink(missing_ok=True)
        print(f"kit: {fault}", file=sys.stderr, flush=True)
        return False
    finally:
        _sign().unlink(missing_ok=True)
    if path().exists() and path().read_text() == made:
        return False
    new = path().with_suffix(".new")
    new.write_text(made)
    new.replace(path())
    return True


def _make(kit: Path, quality: int) -> dict[str, Any]:
    kit.mkdir(parents=True, exist_ok=True)
    built = program.build(kit, quality)
    with tempfile.TemporaryDirectory(dir=kit) as made:
        told = Path(made) / "content.json"
        told.write_text(content.as_json(content.content()))
        built["content"] = program.store(kit, [told], SMALL)[0]
        pictures = Path(made) / "clips.json"
        pictures.write_text(content.as_json(content.clips()))
        built["clips"] = program.store(kit, [pictures], FAST)[0]
    program.compress(kit, [built["content"]], SMALL)
    program.compress(kit, [built["clips"]], FAST)
    files = {name: _kit_file(kit, place) for name, place in built.items()}
    pages = [_static_file(name) for name in content.static_files()]
    names = content.static_names()
    listed = [*files.values(), *pages]
    version = hashlib.sha256(json.dumps(listed).encode()).hexdigest()[:12]
    return {
        "version": version,
        "engine": engine.__version__,
        "program": sum(file["sent"] for name, file in files.items() if name not in CONTENT),
        "content": sum(file["sent"] for file in (*(files[name] for name in CONTENT), *pages)),
        "stored": sum(file["bytes"] for file in listed),
        "places": {name: file["url"] for name, file in files.items()},
        "scripts": {name: f"{settings.STATIC_URL}{names[script]}" for name, script in SCRIPTS.items()},
        "zone": settings.TIME_ZONE,
        "check": engine.score(sheet()).as_dict(),
        "files": listed,
    }


def _kit_file(kit: Path, place: str) -> dict[str, Any]:
    return _file(kit / place, f"{settings.STATIC_URL}phone/{place}", ".br")


def _static_file(name: str) -> dict[str, Any]:
    return _file(settings.STATIC_ROOT / name, f"{settings.STATIC_URL}{name}", ".gz")


def _file(file: Path, url: str, packed: str) -> dict[str, Any]:
    data, sent = file.read_bytes(), file.with_name(file.name + packed)
    return {
        "url": url,
        "bytes": len(data),
        "sent": sent.stat().st_size if sent.exists() else len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
