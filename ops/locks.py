"""Locks between processes, on one machine or on many: what only one of them may do at a time.

A lock is held by the process itself, in PostgreSQL or on a file under VAR, so it ends with that process and
nothing has to wait until a time has run out.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

RETRY_SECONDS = 0.5


@dataclass(frozen=True)
class Lock:
    """One kind of work: its file under VAR, and its key among PostgreSQL's advisory locks."""

    file: str
    key: int


PREPARE = Lock("preparing", 1941)
KIT = Lock("preparing-kit", 1944)
MIGRATE = Lock("migrating", 1942)
WORKER = Lock("working", 1926)
"""Held by the worker of a machine."""
JOB_PAGE = Lock("job-pages", 1943)
"""Held per page of a job, like that of a scan below."""
WORD_SEARCH = Lock("seeking", 1916)
"""Held per scan: the number of the scan is the second key, and the name of a file in a folder."""


@contextmanager
def exclusive(lock: Lock, number: int | None = None, *, wait: bool = False) -> Iterator[bool]:
    """Hold the lock on the whole site; with `wait` until it is free, else yield False if another has it.

    SQLite is on one machine, and so is the folder beside it.
    """
    held_in = _in_postgres if connection.vendor == "postgresql" else exclusive_here
    with held_in(lock, number, wait=wait) as is_held:
        yield is_held


@contextmanager
def exclusive_here(lock: Lock, number: int | None = None, *, wait: bool = False) -> Iterator[bool]:
    """Hold the lock among the processes that share VAR, whatever the database is."""
    # The file stays: were it removed, the next two could each hold a lock, one on the old file, one on a new.
    with _file(lock, number).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        try:
            yield True
        finally:
            # Released, not only closed: a child that was forked meanwhile has the file too.
            fcntl.flock(file, fcntl.LOCK_UN)


def _file(lock: Lock, number: int | None) -> Path:
    path: Path = settings.VAR / lock.file
    if number is None:
        return path
    path.mkdir(exist_ok=True)
    return path / str(number)


@contextmanager
def _in_postgres(lock: Lock, number: int | None = None, *, wait: bool = False) -> Iterator[bool]:
    keys = [lock.key] if number is None else [lock.key, number]
    is_held = _call("pg_try_advisory_lock", keys)
    while wait and not is_held:
        # Tried again, not waited for in PostgreSQL: the site's own lock_timeout would end that with an error.
        time.sleep(RETRY_SECONDS)
        is_held = _call("pg_try_advisory_lock", keys)
    try:
        yield is_held
    finally:
        if is_held:
            _call("pg_advisory_unlock", keys)


def _call(function: str, keys: list[int]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}({', '.join(['%s'] * len(keys))})", keys)
        (answer,) = cursor.fetchone()
    return bool(answer)
