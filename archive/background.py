"""What takes longer than an answer may is done behind it: one thing after the other, in a thread of its own.

The thread is no reason to stay: a process that stops leaves what waits. What must not be lost stands in the
database, as something that has not been done yet.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import connection

Key = TypeVar("Key")
log = logging.getLogger(__name__)


class BackgroundQueue(Generic[Key]):
    """Does `work` for every key that is given; a key that waits already waits once."""

    def __init__(self, name: str, work: Callable[[Key], None]) -> None:
        self.name, self.work = name, work
        self._waiting: dict[Key, None] = {}
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def soon(self, key: Key) -> None:
        with self._change:
            if self._stopped:
                return
            self._waiting[key] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
                self._thread.start()
            self._change.notify()

    def stop(self) -> None:
        """Begin nothing more. What is under way is not waited for."""
        with self._change:
            self._stopped = True
            self._waiting.clear()
            self._change.notify()

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
