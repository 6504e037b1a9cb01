"""Cache of replays in this process, so that a tap need not replay the whole log of its pad."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from scorepad.ledger.seals import FIRST_SEAL
from scorepad.ledger.sql import StoredEntry
from scorepad.limits import limit
from scorepad.models import Pad

EMPTY_BYTES = 4_000
"""Memory of a position before its first entry: its table and its place in the cache."""
PLACE_BYTES = 250
"""Memory of an entry beside what it says: its place in the log, among the ids, and in the engine's notes."""
RECENT_MOST = 40
"""Entries that a replay keeps as they were stored."""
LINE_BYTES = 24
"""Memory of a line beside its words: its place among the lines, and a number that is its own."""


@dataclass(frozen=True)
class Replay:
    """A pad's position after its first `head` entries. `fault` is why this engine cannot replay them.

    `bytes` is what its entries and lines take in memory.
    """

    head: int
    players: tuple[str, ...]
    position: engine.Position | None
    fault: engine.Refused | None
    last: StoredEntry | None
    bytes: int = 0
    recent: tuple[StoredEntry, ...] = ()
    """The newest entries as they were stored, to tell twins and whose the last tap is."""

    @property
    def seal(self) -> str:
        return self.last.seal if self.last else FIRST_SEAL

    @property
    def size(self) -> int:
        """Bytes in the cache: a pad without entries is not free."""
        return EMPTY_BYTES + self.bytes

    def standing_position(self) -> engine.Position:
        """The position; raises Refused when this engine cannot replay the log."""
        if self.position is None:
            assert self.fault is not None
            raise self.fault
        return self.position


# A position is a pure function of the log, so it may be cached by pad and head; the log itself only grows.
_replays: OrderedDict[str, Replay] = OrderedDict()
_lock = threading.Lock()
_size = 0


def entry_bytes(entry: Any) -> int:
    """Bytes of an entry in memory, measured; names and keys that others share count each time."""
    size, parts = 0, [entry]
    for part in parts:
        size += sys.getsizeof(part)
        if isinstance(part, dict):
            parts.extend(part)
            parts.extend(part.values())
        elif isinstance(part, list):
            parts.extend(part)
    return size


def line_bytes(lines: Iterable[engine.Line]) -> int:
    return sum(sys.getsizeof(line) + sys.getsizeof(line.why) + LINE_BYTES for line in lines)


def get(pad: Pad) -> Replay | None:
    with _lock:
        found = _replays.get(pad.code)
        if found is None or found.position is None or not _same_table(pad, found.position):
            return None
        _replays.move_to_end(pad.code)
        return found


def is_current(found: Replay, pad: Pad, seals: Sequence[str]) -> bool:
    """True if the replay is of this table and of the log with these seals. After a fail-over or a restore the
    database may have less than it had, or something else."""
    if found.position is None:
        # A log that does not stand is not carried on: what is newer may mend it.
        return bool(seals) and found.seal == seals[-1] and found.players == tuple(pad.players)
    is_of_log = found.head == 0 or found.seal in seals
    return is_of_log and _same_table(pad, found.position)


def _same_table(pad: Pad, now: engine.Position) -> bool:
    table = now.table
    same_seats = table.players == tuple(pad.players) and table.dealer == pad.dealer
    return same_seats and dict(table.options) == pad.options and _is_same_game(now.game, pad)


def _is_same_game(game: engine.Game, pad: Pad) -> bool:
    """A declared game is named by its text; one of code may have been exchanged under its name."""
    return game.key == pad.game and (game.declaration is not None or game is engine.GAMES.get(pad.game))


def put(code: str, found: Replay) -> None:
    """Cache this pad as the last one used, and drop the least recently used when there are too many."""
    global _size
    with _lock:
        before = _replays.get(code)
        if before is not None and before.head > found.head and before.players == found.players:
            return
        _size += found.size - (before.size if before else 0)
        _replays[code] = found
        _replays.move_to_end(code)
        while _size > limit("REPLAYS_IN_MEMORY_BYTES_MOST"):
            _size -= _replays.popitem(last=False)[1].size


def clear(code: str = "") -> None:
    """Drop the replay of this pad, or of all pads, as a restart would."""
    global _size
    with _lock:
        for one in [code] if code else list(_replays):
            gone = _replays.pop(one, None)
            _size -= gone.size if gone else 0
