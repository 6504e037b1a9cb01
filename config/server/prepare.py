"""Preparation before serving: static files are collected, tables migrated, books loaded, old pads expired."""

import hashlib
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django
from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management import CommandError, call_command, get_commands
from django.db import connection

from config.static_files import StaticFilesStorage
from ops import locks
from phone.kit import kit_manifest

UNUSED_DAYS = 30
"""So long a static file stays after a version that has it was replaced: pages of it may still be open."""


def prepare() -> None:
    """Bring the site up to date: each step is done if the files it depends on have changed since. What phones
    take along is built apart, for it takes the longest and the site works without it."""
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    # Of several processes on one folder one prepares; the others wait for it and find it done.
    with locks.exclusive_here(locks.PREPARE, wait=True):
        if not settings.DEBUG:
            # Before any process here looks up the name of a file.
            run_if_changed("static files", static_sources, collect_static)
        # Of several machines that come up at once one migrates, and the others wait for it.
        with locks.exclusive(locks.MIGRATE, wait=True):
            if connection.vendor == "sqlite":
                run_if_changed("database", migration_files, migrate)
            else:
                # What a file here remembers says nothing about rows on another machine.
                migrate()
            load_books()
            call_command("expire")
    connection.close()


def prepare_kit() -> None:
    """Build what phones take along, and list it."""
    started = time.monotonic()
    with locks.exclusive_here(locks.KIT, wait=True):
        if kit_manifest.prepare():
            print(f"kit for phones: ready in {time.monotonic() - started:.1f} s", flush=True)
    connection.close()


def migrate() -> None:
    call_command("migrate", interactive=False, verbosity=0)


def load_books() -> None:
    for command, options in (("load_books", ["--keep-edited"]), ("make_pages", [])):
        if command in get_commands():
            try:
                call_command(command, *options)
            except CommandError as fault:
                # A fault in one file must not take down a shelf that stands: say it and serve what is there.
                print(f"{command}: {fault}", file=sys.stderr, flush=True)


def collect_static() -> None:
    """Collect static files in a folder of their own and move them in one by one.

    Processes of the old version go on serving theirs, none of which is missing or half written for a moment.
    The manifest, which names the new ones, comes last.
    """
    mark_used()
    for left in settings.VAR.glob("static-*"):
        shutil.rmtree(left, ignore_errors=True)  # Of a start that was killed.
    with TemporaryDirectory(dir=settings.VAR, prefix="static-") as made:
        command = collectstatic.Command()
        command.storage = StaticFilesStorage(location=made)
        call_command(command, interactive=False, verbosity=0)
        files = [path for path in Path(made).rglob("*") if path.is_file()]
        for path in sorted(files, key=lambda path: path.name == StaticFilesStorage.manifest_name):
            place = settings.STATIC_ROOT / path.relative_to(made)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
    remove_unused()


def mark_used() -> None:
    """Set the time of each file in use to now: it is when a version that is served last had the file."""
    manifest = read_record(settings.STATIC_ROOT / StaticFilesStorage.manifest_name)
    for name in manifest.get("paths", {}).values():
        for path in (settings.STATIC_ROOT / name, settings.STATIC_ROOT / f"{name}.gz"):
            if path.exists():
                path.touch()


def remove_unused() -> None:
    for path in settings.STATIC_ROOT.rglob("*"):
        if path.is_file() and path.stat().st_mtime < time.time() - UNUSED_DAYS * 24 * 3600:
            path.unlink(missing_ok=True)


def migration_files() -> Iterable[Path]:
    database = Path(str(settings.DATABASES["default"]["NAME"]))
    for folder in ("ratelimit", "people", "archive", "scorepad"):
        yield from (settings.BASE_DIR / folder / "migrations").glob("*.py")
    yield Path(django.__file__)
    if not database.exists() or not database.stat().st_size:
        yield database


def static_sources() -> Iterable[Path]:
    for entry in settings.STATICFILES_DIRS:
        folder = entry[1] if isinstance(entry, tuple) else entry
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield settings.STATIC_ROOT / StaticFilesStorage.manifest_name
    yield settings.BASE_DIR / "config" / "static_files.py"  # how they are written


def run_if_changed(what: str, sources: Callable[[], Iterable[Path]], work: Callable[[], object]) -> None:
    """Do the work unless its sources are as prepared.json in VAR has them from the last time."""
    record = settings.VAR / "prepared.json"
    seen = read_record(record)
    if seen.get(what) == fingerprint(sources()):
        return
    started = time.monotonic()
    work()
    record.write_text(json.dumps({**seen, what: fingerprint(sources())}, indent=1))
    print(f"{what}: ready in {time.monotonic() - started:.1f} s", flush=True)


def read_record(record: Path) -> dict[str, Any]:
    """Read a JSON object; an empty one if the file was cut off by a full disk or a power cut."""
    try:
        return dict(json.loads(record.read_text()))
    except (FileNotFoundError, ValueError):
        return {}


def fingerprint(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        state = (path.stat().st_mtime_ns, path.stat().st_size) if path.exists() else None
        digest.update(f"{path}\0{state}\n".encode())
    return digest.hexdigest()
