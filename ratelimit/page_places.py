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
        self.free, self.wait_seconds = threading.Semaphore(number), wait_seconds

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Work in here once there is a place."""
        visit = Visit(self)
        before = _visit.set(visit)
        try:
            yield
        finally:
            _visit.reset(before)
            visit.leave()


class Visit:
    """One request: it has a place, or has waited for one in vain."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.enter()

    def enter(self) -> None:
        self.has_place = self.places.free.acquire(timeout=self.places.wait_seconds)

    def leave(self) -> None:
        if self.has_place:
            self.places.free.release()
            self.has_place = False


_visit: ContextVar[Visit | None] = ContextVar("visit", default=None)
"""That of the request at hand."""


def is_page() -> bool:
    """True in a request for a page, whether it has a place or has waited for one in vain."""
    return _visit.get() is not None


@contextmanager
def left() -> Iterator[None]:
    """Wait in here for another turn than the processor's: somebody else has the place meanwhile."""
    visit = _visit.get()
    if visit is None or not visit.has_place:
        yield
        return
    visit.leave()
    try:
        yield
    finally:
        visit.enter()
