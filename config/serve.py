"""Command `python -m config.serve`: prepares the site, then serves it. It is `make run`.

`--prepare` only prepares; `--prepared` only serves, where that has been done already: so several processes of
one site are started side by side.
"""

import os
import resource
import sys
from contextlib import suppress

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
import segno

django.setup()

from django.conf import settings  # noqa: E402

from config import network  # noqa: E402
from config.server.prepare import prepare  # noqa: E402


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
