"""Command `python -m config.serve`: prepares the site, then serves it. It is `make run`.

`--prepare` only prepares; `--prepared` only serves, where that has been done already: so several processes of
one site are started side by side. `--kit` only builds what phones take along; a site that has to prepare
serves while a process beside it does that.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import segno

django.setup()

from django.conf import settings  # noqa: E402

from config import network  # noqa: E402
from config.server.prepare import prepare, prepare_kit  # noqa: E402


def announce() -> None:
    """Print the addresses of the site, with a QR code where phones can reach it."""
    if settings.HOST not in network.ALL_INTERFACES:
        print(f"Tallyroom: http://{settings.HOST}:{settings.PORT}/", flush=True)
        return
    print(f"Tallyroom, on this machine: http://127.0.0.1:{settings.PORT}/")
    near = [f"http://{name}:{settings.PORT}/" for name in network.own_names()]
    print("for phones in the same network:", *near, sep="\n  ")
    segno.make(near[0], error="l").terminal(compact=True, border=2)
    print(
        "Over plain http a phone can play, but cannot keep its screen awake, install the pad or reload it\n"
        "without network. docs/phones.md tells how to serve https with one command.",
        flush=True,
    )


def open_many_files() -> None:
    """Raise the limit on open files as far as it goes: every open stream is one, and 1024 is few."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems name no end and still have one.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def build_kit() -> None:
    """Build the kit, and let whoever asks the site go first."""
    os.nice(5)
    prepare_kit()


@contextmanager
def kit_built_beside() -> Iterator[None]:
    """Have the kit built by another process meanwhile; it ends with this one."""
    if not settings.PHONE_KIT:
        yield
        return
    command = [sys.executable, "-m", "config.serve", "--kit"]
    building = subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 - our own program
    try:
        yield
    finally:
        building.terminate()
        building.wait()


def main() -> None:
    asked = sys.argv[1:]
    if "--kit" in asked:
        build_kit()
        return
    if "--prepared" not in asked:
        prepare()
    if "--prepare" in asked:
        prepare_kit()
        return
    from config.server.process import serve

    open_many_files()
    announce()
    with nullcontext() if "--prepared" in asked else kit_built_beside():
        serve()


if __name__ == "__main__":
    main()
