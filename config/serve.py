"""`python -m config.serve`: bring rows, pages and static files up to date, then serve. It is `make run`.

`--prepare` only brings up to date; `--prepared` only serves, where that has been done already: so several
processes of one site are started side by side.
"""

import fcntl
import hashlib
import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import segno

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.staticfiles.management.commands import collectstatic  # noqa: E402
from django.core.management import CommandError, call_command, get_commands  # noqa: E402
from django.db import connection  # noqa: E402

from config import network  # noqa: E402
from config.static_files import StaticFiles  # noqa: E402

PREPARING = 1942
"""The number of the lock under which one process at a time prepares."""

OUT_OF_USE_DAYS = 30
"""So long a static file stays after a version that has it was replaced: pages of it may still be open."""


def prepare() -> None:
    """Do what has not been done yet since the files it depends on changed."""
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    with one_at_a_time_here():
        if not settings.DEBUG:
            # Before anybody here asks what a file is called.
            once("static files", static_files, collect)
        with one_at_a_time():
            if connection.vendor == "sqlite":
                once("database", migrations, migrate)
            else:
                # What a file here remembers says nothing about rows on another machine.
                migrate()
            bring_books()
            call_command("expire")
    connection.close()


@contextmanager
def one_at_a_time_here() -> Iterator[None]:
    """Of several processes on one folder one prepares, and the others wait for it and find it done."""
    with (settings.VAR / "preparing").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            # Said, not only closed: a child that was forked meanwhile has the file too.
            fcntl.flock(lock, fcntl.LOCK_UN)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Of several machines that come up at once one migrates, and the others wait for it."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [PREPARING])
        while cursor.fetchone() != (True,):
            time.sleep(0.5)
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [PREPARING])
        yield
        cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARING])


def migrate() -> None:
    call_command("migrate", interactive=False, verbosity=0)


def bring_books() -> None:
    for command in ("load_books", "make_pages"):
        if command in get_commands():
            try:
                call_command(command)
            except CommandError as fault:
                # A fault in one file must not take down a shelf that stands: say it and serve what is there.
                print(f"{command}: {fault}", file=sys.stderr, flush=True)


def collect() -> None:
    """Static files, made beside and moved in one by one: processes of the old version go on serving theirs,
    none of which is missing or half written for a moment. The manifest, which names the new ones, is last."""
    mark_in_use()
    for left in settings.VAR.glob("static-*"):
        shutil.rmtree(left, ignore_errors=True)  # Of a start that was killed.
    with TemporaryDirectory(dir=settings.VAR, prefix="static-") as made:
        command = collectstatic.Command()
        command.storage = StaticFiles(location=made)
        call_command(command, interactive=False, verbosity=0)
        files = [path for path in Path(made).rglob("*") if path.is_file()]
        for path in sorted(files, key=lambda path: path.name == StaticFiles.manifest_name):
            place = settings.STATIC_ROOT / path.relative_to(made)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
    remove_out_of_use()


def mark_in_use() -> None:
    """The time of a file is when it was last of the version that is served."""
    manifest = remembered(settings.STATIC_ROOT / StaticFiles.manifest_name)
    for name in manifest.get("paths", {}).values():
        for path in (settings.STATIC_ROOT / name, settings.STATIC_ROOT / f"{name}.gz"):
            if path.exists():
                path.touch()


def remove_out_of_use() -> None:
    for path in settings.STATIC_ROOT.rglob("*"):
        if path.is_file() and path.stat().st_mtime < time.time() - OUT_OF_USE_DAYS * 24 * 3600:
            path.unlink(missing_ok=True)


def migrations() -> Iterable[Path]:
    database = Path(str(settings.DATABASES["default"]["NAME"]))
    for folder in ("ratelimit", "people", "archive", "scorepad"):
        yield from (settings.BASE_DIR / folder / "migrations").glob("*.py")
    yield Path(django.__file__)
    if not database.exists() or not database.stat().st_size:
        yield database


def static_files() -> Iterable[Path]:
    for entry in settings.STATICFILES_DIRS:
        folder = entry[1] if isinstance(entry, tuple) else entry
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield settings.STATIC_ROOT / StaticFiles.manifest_name


def once(what: str, sources: Callable[[], Iterable[Path]], work: Callable[[], object]) -> None:
    """Work unless its sources are as they were after the last time. The record is a small file in VAR."""
    record = settings.VAR / "prepared.json"
    seen = remembered(record)
    if seen.get(what) == fingerprint(sources()):
        return
    started = time.monotonic()
    work()
    record.write_text(json.dumps({**seen, what: fingerprint(sources())}, indent=1))
    print(f"{what}: ready in {time.monotonic() - started:.1f} s", flush=True)


def remembered(record: Path) -> dict[str, Any]:
    """What a file keeps for the next start; nothing, if it was cut off by a full disk or the power."""
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


def announce() -> None:
    if settings.HOST not in network.EVERYWHERE:
        print(f"Tallyroom: http://{settings.HOST}:{settings.PORT}/", flush=True)
        return
    print(f"Tallyroom, on this machine: http://127.0.0.1:{settings.PORT}/")
    near = [f"http://{name}:{settings.PORT}/" for name in network.own()]
    print("for phones in the same network:", *near, sep="\n  ")
    segno.make(near[0], error="l").terminal(compact=True, border=2)
    print(
        "Over plain http a phone can play, but cannot keep its screen awake, install the pad or reload it\n"
        "without network. docs/phones.md tells how to serve https with one command.",
        flush=True,
    )


def open_many_files() -> None:
    """As many as the system lets us: every phone that listens is an open file, and 1024 is few."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems name no end and still have one.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> None:
    if "--prepared" not in sys.argv[1:]:
        prepare()
    if "--prepare" in sys.argv[1:]:
        return
    from config.server.process import serve

    open_many_files()
    announce()
    serve()


if __name__ == "__main__":
    main()
