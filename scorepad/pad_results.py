"""Results of pads: totals, winners, chips, and the deal or hand, remembered by pad and log."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.cache.backends.locmem import LocMemCache

import engine
from scorepad import ledger
from scorepad.ledger import Replay
from scorepad.limits import limit
from scorepad.models import Pad


@dataclass(frozen=True)
class PadResult:
    """The figures of a game as it stands. `chips` were won or lost, in games that are played for them."""

    status: str
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    chips: Mapping[str, int] | None
    place: str
    """The deal or hand the table is in, in words; empty when the game counts neither."""


UNREADABLE = PadResult("unreadable", {}, (), None, "")
"""The result of a log that this engine refuses."""


@cache
def _remembered() -> LocMemCache:
    """Django's cache in the memory of this process, which keeps what was used last."""
    params = {"MAX_ENTRIES": limit("RESULTS_IN_MEMORY_MOST"), "TIMEOUT": None}
    return LocMemCache("scorepad-results", {"OPTIONS": params})


def result(pad: Pad, remember: bool = True) -> PadResult:
    """The result now, remembered or replayed; `remember` tells if the replay itself is kept too."""
    found = known(pad)
    return found if found is not None else of_replay(pad, ledger.catch_up(pad, remember=remember)[0])


def known(pad: Pad) -> PadResult | None:
    """The result now if it is remembered: nothing is replayed for it."""
    if pad.last_seal is None and ledger.head(pad):
        return None  # A pad of an older version: only its log tells where it ends.
    found: PadResult | None = _remembered().get(_key(pad, pad.last_seal or ""))
    return found


def of_replay(pad: Pad, replay: Replay) -> PadResult:
    """The result of a replay, which is remembered by the seal of its last entry."""
    found = UNREADABLE if replay.position is None else _of_position(replay.position)
    _remembered().set(_key(pad, replay.seal), found)
    return found


def _of_position(now: engine.Position) -> PadResult:
    totals = dict(zip(now.table.players, now.totals, strict=True))
    winners = tuple(now.table.players[seat] for seat in now.ended.winners) if now.ended else ()
    stake = int(now.table.options[now.game.stake]) if now.game.stake else None
    chips = None if stake is None else {name: total - stake for name, total in totals.items()}
    state = now.game.show(now.table, now.state, now.ended is not None)
    return PadResult("finished" if now.ended else "playing", totals, winners, chips, deal_or_hand(state))


def deal_or_hand(state: Mapping[str, Any]) -> str:
    """The deal or hand in words that a position's state tells; empty when the game counts neither."""
    for word in ("deal", "hand"):
        if isinstance(state.get(word), int):
            return f"{word} {state[word]}"
    return ""


def _key(pad: Pad, seal: str) -> str:
    """A name for the log up to this seal at this table, scored by this engine."""
    table = [pad.code, seal, pad.game, pad.options, pad.players, pad.dealer, engine.__version__]
    return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()


def clear() -> None:
    """Forget all, as a restart would."""
    _remembered().clear()
