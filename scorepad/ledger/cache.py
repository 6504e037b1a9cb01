"""Where pads stand, remembered in this process as far as it goes, so that a tap need not replay its log."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import engine
from scorepad.limits import limit
from scorepad.models import Pad


@dataclass(frozen=True)
class Replay:
    """Where a pad stands after its first `head` entries. `fault` is why this engine cannot replay them."""

    head: int
    players: tuple[str, ...]
    position: engine.Position | None
    fault: engine.Refused | None
    seal: str

    @property
    def size(self) -> int:
        """What it costs to remember: each entry has its lines, and a pad without entries is not free."""
        return 1 + self.head


# A result is a pure function of the log, so it may be remembered by pad and head; the log itself only grows.
_memory: OrderedDict[str, Replay] = OrderedDict()
_memory_lock = threading.Lock()
_size = 0


def recall(pad: Pad) -> Replay | None:
    with _memory_lock:
        found = _memory.get(pad.code)
        if found is None or found.position is None or not _same_table(pad, found.position):
            return None
        _memory.move_to_end(pad.code)
        return found


def is_true(found: Replay, pad: Pad, seals: Sequence[str]) -> bool:
    """Whether this is remembered of this table and of the log these seals are in. After a fail-over or a
    restore the database may have less than it had, or something else."""
    is_of_log = found.head == 0 or found.seal in seals
    return is_of_log and found.position is not None and _same_table(pad, found.position)


def _same_table(pad: Pad, now: engine.Position) -> bool:
    table = now.table
    same_seats = table.players == tuple(pad.players) and table.dealer == pad.dealer
    return same_seats and dict(table.options) == pad.options and now.game is engine.GAMES[pad.game]


def remember(code: str, found: Replay) -> None:
    """Remember this pad as the last one used, and forget those unused for longest when there is too much."""
    global _size
    with _memory_lock:
        before = _memory.get(code)
        if before is not None and before.head > found.head and before.players == found.players:
            return
        _size += found.size - (before.size if before else 0)
        _memory[code] = found
        _memory.move_to_end(code)
        while _size > limit("ENTRIES_IN_MEMORY_MOST"):
            _size -= _memory.popitem(last=False)[1].size


def forget(code: str = "") -> None:
    """Forget where this pad stands; or where all of them do, as a restart would."""
    global _size
    with _memory_lock:
        for one in [code] if code else list(_memory):
            known = _memory.pop(one, None)
            _size -= known.size if known else 0
