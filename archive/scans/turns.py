"""Of several processes, on one machine or on many, one looks at a scan at a time. The lock is held by the
process itself, so whatever becomes of that process, nobody has to wait for a time to run out."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

SEEKING = 1916
"""The first number of such locks in PostgreSQL; the second is the scan's."""


@contextmanager
def alone(scan: int) -> Iterator[bool]:
    """Whether nobody else is at this scan; if so, nobody else will be until the end."""
    with _in_postgres(scan) if connection.vendor == "postgresql" else _on_disk(scan) as mine:
        yield mine


@contextmanager
def _in_postgres(scan: int) -> Iterator[bool]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [SEEKING, scan])
        (mine,) = cursor.fetchone()
    try:
        yield mine
    finally:
        if mine:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [SEEKING, scan])


@contextmanager
def _on_disk(scan: int) -> Iterator[bool]:
    """SQLite is on one machine, and so is the folder beside it."""
    folder = settings.VAR / "seeking"
    folder.mkdir(exist_ok=True)
    # The file stays: were it removed, the next two could each hold a lock, one on the old file, one on a new.
    with (folder / str(scan)).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
