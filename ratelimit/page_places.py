"""Places at the processor: few pages are worked on at once, so that a tap finds it free.

Python does one thing at a time. With ten pages under way a tap, which needs no place, would get an eleventh
of the processor, and wait its turn again after every question to the database.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Places:
    """So many work at once. The others wait for a place, but not for ever: whoever has one may be waiting for
    something else."""

    def __init__(self, number: int, wait_seconds: float) -> None:
        self._free, self._wait_seconds = threading.Semaphore(number), wait_seconds

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Work in here once there is a place."""
        if not self._free.acquire(timeout=self._wait_seconds):
            yield
            return
        before = _held.set(self)
        try:
            yield
        finally:
            _held.reset(before)
            self._free.release()

    @contextmanager
    def given_up(self) -> Iterator[None]:
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()


_held: ContextVar[Places | None] = ContextVar("held", default=None)
"""Where the request at hand has a place."""


@contextmanager
def left() -> Iterator[None]:
    """Wait in here for another turn than the processor's: somebody else has the place meanwhile."""
    held = _held.get()
    if held is None:
        yield
        return
    with held.given_up():
        yield
