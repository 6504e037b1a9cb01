"""A cache in the memory of one process: bounded in size and, if wanted, in age. Safe to use from threads."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Keeps the values used last: at most `max_entries`, each for at most `seconds` (None: for ever)."""

    def __init__(self, max_entries: int, seconds: float | None = None) -> None:
        self.max_entries, self.seconds = max_entries, seconds
        self._entries: OrderedDict[Key, tuple[float, Value]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            entry = self._fresh(key)
        return entry[1] if entry else None

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._entries[key] = (time.monotonic(), value)
            self._entries.move_to_end(key)
            while len(self._entries) > self.max_entries:
                self._entries.popitem(last=False)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The cached value, or a new one. It is made outside the lock: two threads may make it at once, but
        none waits for another's database or template."""
        with self._lock:
            entry = self._fresh(key)
        if entry:
            return entry[1]
        value = make()
        self.put(key, value)
        return value

    def discard(self, key: Key) -> None:
        with self._lock:
            self._entries.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def _fresh(self, key: Key) -> tuple[float, Value] | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        if self.seconds is not None and time.monotonic() - entry[0] >= self.seconds:
            del self._entries[key]
            return None
        self._entries.move_to_end(key)
        return entry
