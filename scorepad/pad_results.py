"""Results of pads: totals, winners, chips, and the deal or hand, remembered by pad and log."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.db.models import Max

import engine
from engine.position import STRETCH_LENGTH
from ratelimit.limiter import RateLimitError
from scorepad import ledger, replay_budget
from scorepad.ledger import Replay
from scorepad.limits import limit
from scorepad.models import Entry, Pad

REPLAYED_AT_ONCE_MOST = 40
"""Pads that are replayed for one request, however short they are."""


@dataclass(frozen=True)
class PadResult:
    """The figures of a game as it stands. `chips` were won or lost, in games that are played for them."""

    status: str
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    chips: Mapping[str, int] | None
    place: str
    """The deal or hand the table is in, in words; empty when the game counts neither."""
    head: int = 0
    """The number of its last entry: where the game stands so."""
    greatest: tuple[str, int, int] | None = None
    """The player with the greatest number of the game, the number, and its place among all numbers."""


PENDING = PadResult("pending", {}, (), None, "")
"""The result of a game whose figures follow."""
UNREADABLE = PadResult("unreadable", {}, (), None, "")
"""The result of a log that this engine refuses."""


Parts = Iterator[engine.Position | None]
"""A log being replayed in small parts."""
_begun: OrderedDict[str, Parts] = OrderedDict()
_lock = threading.Lock()


@cache
def _remembered() -> LocMemCache:
    """Django's cache in the memory of this process, which keeps what was used last."""
    params = {"MAX_ENTRIES": limit("RESULTS_IN_MEMORY_MOST"), "TIMEOUT": None}
    return LocMemCache("scorepad-results", {"OPTIONS": params})


def result(pad: Pad, remember: bool = True) -> PadResult:
    """The result now, remembered or replayed; `remember` tells if the replay itself is kept too."""
    found = known(pad)
    return found if found is not None else of_replay(pad, ledger.catch_up(pad, remember=remember)[0])


def results(shown: Sequence[Pad]) -> list[PadResult]:
    """The results of these pads. Of those that are not remembered each request works out a share; the others
    are pending."""
    whole = left = limit("ENTRIES_REPLAYED_FREE_MOST")
    unsealed = _heads([pad for pad in shown if pad.last_seal is None])
    remembered = [None if pad.pk in unsealed else _recall(pad) for pad in shown]
    unknown = [pad for pad, found in zip(shown, remembered, strict=True) if found is None]
    unknown = unknown[:REPLAYED_AT_ONCE_MOST]
    heads, replayed = _heads(unknown), {}
    for pad in unknown:
        head = heads.get(pad.pk, 0)
        if head <= left or left == whole:
            replayed[pad.pk] = _replayed(pad, head, left)
            left -= head
    return [found or replayed.get(pad.pk) or PENDING for pad, found in zip(shown, remembered, strict=True)]


def _heads(shown: Sequence[Pad]) -> dict[int, int]:
    last = Entry.objects.filter(pad__in=shown).values("pad").annotate(head=Max("number"))
    return dict(last.values_list("pad", "head"))


def _replayed(pad: Pad, head: int, most: int) -> PadResult | None:
    """The result of a log that is replayed for it; None if it is longer, or the budget of this address is
    spent."""
    try:
        # Evenings and clubs are read now and then: their logs would only drive those being played from the
        # cache.
        is_short = head <= most or pad.last_seal is None
        return result(pad, remember=False) if is_short else in_part(pad, most)
    except RateLimitError:
        return None


def known(pad: Pad) -> PadResult | None:
    """The result now if it is remembered: nothing is replayed for it."""
    if pad.last_seal is None and ledger.head(pad):
        return None  # A pad of an older version: only its log tells where it ends.
    return _recall(pad)


def _recall(pad: Pad) -> PadResult | None:
    found: PadResult | None = _remembered().get(_key(pad, pad.last_seal or ""))
    return found


def in_part(pad: Pad, entries: int) -> PadResult | None:
    """The result if about so many more entries of the log have to be replayed for it; else None, and the next
    call goes on from there."""
    key = _key(pad, pad.last_seal or "")
    # One request at a time: the next goes on from where this one stopped, and reads no log that is in memory.
    with replay_budget.spend(limit("ENTRIES_REPLAYED_FREE_MOST") + 1):
        if (found := _recall(pad)) is not None:
            return found
        parts = _take_begun(key) or engine.replay_in_parts(ledger.sheet(pad))
        try:
            now = _advance(parts, entries)
        except engine.Refused:
            return _keep(key, UNREADABLE)
        if now is not None:
            return _keep(key, result_of_position(now))
        with _lock:
            _begun[key] = parts
            while len(_begun) > limit("REPLAYS_BEGUN_IN_MEMORY_MOST"):
                _begun.popitem(last=False)
    return None


def _take_begun(key: str) -> Parts | None:
    """The replay that was begun for this log, for one caller alone."""
    with _lock:
        return _begun.pop(key, None)


def _advance(parts: Parts, entries: int) -> engine.Position | None:
    for _ in range(entries // STRETCH_LENGTH + 1):
        now = next(parts)
        if now is not None:
            return now
    return None


def _keep(key: str, found: PadResult) -> PadResult:
    _remembered().set(key, found)
    return found


def of_replay(pad: Pad, replay: Replay) -> PadResult:
    """The result of a replay, which is remembered by the seal of its last entry."""
    found = UNREADABLE if replay.position is None else result_of_position(replay.position)
    return _keep(_key(pad, replay.seal), found)


def result_of_position(now: engine.Position) -> PadResult:
    """The figures of a game at this position."""
    totals = dict(zip(now.table.players, now.totals, strict=True))
    winners = tuple(now.table.players[seat] for seat in now.ended.winners) if now.ended else ()
    stake = int(now.table.options[now.game.stake]) if now.game.stake else None
    chips = None if stake is None else {name: total - stake for name, total in totals.items()}
    state = now.game.show(now.table, now.state, now.ended is not None)
    status = "finished" if now.ended else "playing"
    place, head = deal_or_hand(state), len(now.entries)
    return PadResult(status, totals, winners, chips, place, head, _greatest(now.lines))


def _greatest(lines: Sequence[engine.Line]) -> tuple[str, int, int] | None:
    place = max(range(len(lines)), key=lambda place: lines[place].points, default=None)
    if place is None or lines[place].points <= 0:
        return None
    return lines[place].player, lines[place].points, place


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
    _begun.clear()
