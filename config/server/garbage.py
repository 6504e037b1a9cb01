"""Garbage collection in steps that no tap waits for.

Python's collector looks at every object of the process now and then, and nothing else is done meanwhile: a
third of a second where many replays are remembered. Here what a full collection has looked at is put aside
(frozen), so the next one looks only at what is new. An object that nobody refers to is freed all the same;
only rings of objects have to be looked for. Once many more are put aside than when all were looked at, all
are looked at again.
"""

import gc
from collections.abc import Mapping

THRESHOLDS = (5_000, 3, 2)
"""New objects until the youngest are looked at; how often until the next generation is, and until all are."""
GROWTH_MOST = 500_000
"""Objects that are put aside until all are looked at again."""

_put_aside = 0
"""Objects that were put aside when all had been looked at."""


def begin() -> None:
    """Put aside what the process has loaded: call it before the first request."""
    gc.set_threshold(*THRESHOLDS)
    gc.callbacks.append(_put_survivors_aside)
    gc.collect()


def _put_survivors_aside(phase: str, info: Mapping[str, int]) -> None:
    global _put_aside
    if phase == "start" or info["generation"] != 2:
        return
    has_all = gc.get_freeze_count() == 0
    gc.freeze()
    count = gc.get_freeze_count()
    if has_all:
        _put_aside = count
    elif count > _put_aside + GROWTH_MOST:
        # The next full collection looks at everything.
        gc.unfreeze()
