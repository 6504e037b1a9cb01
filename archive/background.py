"""Background jobs that take longer than a response may: queues, each with one thread.

The threads are daemons: a process that stops drops the waiting jobs. A job that must not be lost is recorded
in the database as not yet done.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from django.db import connection

Key = TypeVar("Key")
log = logging.getLogger(__name__)
_queues: weakref.WeakSet[BackgroundQueue[Any]] = weakref.WeakSet()


class Stoppable(Protocol):
    def stop(self) -> None: ...


_others: list[Stoppable] = []


def register(other: Stoppable) -> None:
    """Let this be stopped with the queues."""
    _others.append(other)


def stop_all() -> None:
    """Stop every queue of this process, and what was registered, when it shuts down."""
    for running in (*_queues, *_others):
        running.stop()


class BackgroundQueue(Generic[Key]):
    """Runs `work` for every key that is enqueued, one after the other; a key that waits already waits once.
    `on_stop` interrupts the job under way, if that is possible."""

    def __init__(
        self, name: str, work: Callable[[Key], None], on_stop: Callable[[], None] = lambda: None
    ) -> None:
        self.name, self.work, self.on_stop = name, work, on_stop
        self._waiting: dict[Key, None] = {}
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False
        _queues.add(self)

    def enqueue(self, key: Key) -> None:
        with self._change:
            if self._stopped:
                return
            self._waiting[key] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._thread.start()
            self._change.notify()

    def stop(self) -> None:
        """Begin no more jobs. The one under way is not waited for."""
        with self._change:
            self._stopped = True
            self._waiting.clear()
            self._change.notify()
        self.on_stop()

    def _run(self) -> None:
        while True:
            with self._change:
                while not self._waiting and not self._stopped:
                    self._change.wait()
                if self._stopped:
                    return
                key = next(iter(self._waiting))
                del self._waiting[key]
            try:
                self.work(key)
            except Exception:
                log.exception("%s: %s could not be done.", self.name, key)
            finally:
                connection.close()
