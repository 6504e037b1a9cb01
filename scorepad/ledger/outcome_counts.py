"""Counts of entries since this process began; ops/metrics.py answers monitors with them."""

import threading
from collections import Counter
from collections.abc import Iterable, Mapping

_counts: Counter[str] = Counter(stored=0, known=0, refused=0)
_lock = threading.Lock()


def add(outcomes: Iterable[str]) -> None:
    with _lock:
        _counts.update(outcomes)


def totals() -> Mapping[str, int]:
    with _lock:
        return dict(_counts)
