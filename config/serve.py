"""`python -m config.serve`: bring rows, pages and static files up to date, then serve. It is `make run`.

`--prepare` only brings up to date; `--prepared` only serves, where that has been done already: so several
processes of one site are started side by side.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import segno

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import CommandError, call_command, get_commands  # noqa: E402
from django.db import connection  # noqa: E402

from config import addresses  # noqa: E402

PREPARING = 1942
"""The number of the lock under which one process at a time prepares."""


def prepare() -> None:
    """Do what has not been done yet since the files it depends on changed."""
    settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
    with one_at_a_time():
        if connection.vendor == "sqlite":
            once("database", migrations, migrate)
        else:
            # What a file here remembers says nothing about rows on another machine.
            migrate()
        bring_books()
        call_command("expire")
    connection.close()
    if not settings.DEBUG:
        once("static files", static_files, collect)


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
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)


def migrations() -> Iterable[Path]:
    database = Path(str(settings.DATABASES["default"]["NAME"]))
    for folder in ("turnstile", "people", "archive", "scorepad"):
        yield from (settings.BASE_DIR / folder / "migrations").glob("*.py")
    yield Path(django.__file__)
    if not database.exists() or not database.stat().st_size:
        yield database


def static_files() -> Iterable[Path]:
    for entry in settings.STATICFILES_DIRS:
        folder = entry[1] if isinstance(entry, tuple) else entry
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield settings.STATIC_ROOT / "staticfiles.json"


def once(what: str, sources: Callable[[], Iterable[Path]], work: Callable[[], object]) -> None:
    """Work unless its sources are as they were after the last time. The record is a small file in VAR."""
    record = settings.VAR / "prepared.json"
    seen: dict[str, str] = json.loads(record.read_text()) if record.exists() else {}
    if seen.get(what) == fingerprint(sources()):
        return
    started = time.monotonic()
    work()
    record.write_text(json.dumps({**seen, what: fingerprint(sources())}, indent=1))
    print(f"{what}: ready in {time.monotonic() - started:.1f} s", flush=True)


def fingerprint(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        state = (path.stat().st_mtime_ns, path.stat().st_size) if path.exists() else None
        digest.update(f"{path}\0{state}\n".encode())
    return digest.hexdigest()


def announce() -> None:
    if settings.HOST not in addresses.EVERYWHERE:
        print(f"Tallyroom: http://{settings.HOST}:{settings.PORT}/", flush=True)
        return
    print(f"Tallyroom, on this machine: http://127.0.0.1:{settings.PORT}/")
    near = [f"http://{name}:{settings.PORT}/" for name in addresses.own()]
    print("for phones in the same network:", *near, sep="\n  ")
    segno.make(near[0], error="l").terminal(compact=True, border=2)
    print(
        "Over plain http a phone can play, but cannot keep its screen awake, install the pad or reload it\n"
        "without network. docs/phones.md tells how to serve https with one command.",
        flush=True,
    )


def main() -> None:
    if "--prepared" not in sys.argv[1:]:
        prepare()
    if "--prepare" in sys.argv[1:]:
        return
    from config.stopping import serve

    announce()
    serve()


if __name__ == "__main__":
    main()
