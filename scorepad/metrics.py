"""Counts of entries since this process began; ops/metrics.py answers monitors with them."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping

_entries: Counter[str] = Counter(stored=0, known=0, refused=0)
_lock = threading.Lock()


def add_entries(outcomes: Iterable[str]) -> None:
    with _lock:
        _entries.update(outcomes)


def entries() -> Mapping[str, int]:
    with _lock:
        return dict(_entries)
