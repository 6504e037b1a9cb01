"""Evenings: a log that knows no reading, scored by the engine under each of them at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import engine
from engine import Line, Position
from engine.rules import Entry
from lab.simulators import SIMULATORS
from lab.table_kind import Chance, Kind

MAX_DEALS = 2000


class LongEveningError(Exception):
    """An evening that does not end."""


class Outcome(NamedTuple):
    """An evening by one reading: who won, after how many deals, by how much, and every line."""

    winners: tuple[int, ...]
    deals: int
    margin: int
    lines: tuple[Line, ...]
    position: Position


class Evening(NamedTuple):
    """An evening played once: its log, its outcome by each reading, and events until the first is over."""

    entries: list[Entry]
    outcomes: list[Outcome]
    events: Counter[str]


def start(game: str, kind: Kind, options: Mapping[str, Any], dealer: int = 0) -> Position:
    """The empty sheet of a table. A position never changes, so one serves all evenings."""
    return _start(game, kind.players, tuple(options.items()), dealer)


@cache
def _start(game: str, names: tuple[str, ...], options: tuple[tuple[str, Any], ...], dealer: int) -> Position:
    players = list(names)
    head = {"tally": 1, "game": game, "options": dict(options), "players": players, "dealer": players[dealer]}
    return engine.replay(head)


def play(game: str, kind: Kind, chance: Chance, readings: Sequence[Mapping[str, Any]]) -> Evening:
    """Play one evening until it is over by every reading. Nobody at the table knows which one counts."""
    positions = [start(game, kind, options, chance.dealer) for options in readings]
    deals, entries, events = [0] * len(positions), [], Counter[str]()
    for deal in islice(SIMULATORS[game].deals(kind, chance, None), MAX_DEALS):
        if not positions[0].ended:
            events += deal.events
        entries += deal.entries
        for place, position in enumerate(positions):
            if not position.ended:
                positions[place] = play_out(position, deal.entries)
                deals[place] += 1
        if all(position.ended for position in positions):
            outcomes = [outcome(position, number) for position, number in zip(positions, deals, strict=True)]
            return Evening(entries, outcomes, events)
    raise LongEveningError(f"Evening {chance.evening} of {game} is not over after {MAX_DEALS} deals.")


def play_by(game: str, kind: Kind, chance: Chance, options: Mapping[str, Any]) -> Evening:
    """Play one evening by one reading, at a table that may look at its pad and play for what it awards."""
    pad = [start(game, kind, options, chance.dealer)]
    events = Counter[str]()
    deals = islice(SIMULATORS[game].deals(kind, chance, lambda: pad[-1]), MAX_DEALS)
    for number, deal in enumerate(deals, start=1):
        events += deal.events
        pad.append(play_out(pad[-1], deal.entries))
        if pad[-1].ended:
            return Evening(list(pad[-1].entries), [outcome(pad[-1], number)], events)
    raise LongEveningError(f"Evening {chance.evening} of {game} is not over after {MAX_DEALS} deals.")


def play_out(position: Position, entries: Iterable[Entry]) -> Position:
    """Enter these entries, or those up to the one that ends the game."""
    for entry in entries:
        if position.ended:
            break
        position = position.enter(entry)
    return position


def outcome(position: Position, deals: int) -> Outcome:
    assert position.ended is not None  # it is asked only at the end
    ranked = sorted(position.totals)
    return Outcome(position.ended.winners, deals, ranked[-1] - ranked[-2], position.lines, position)


def parting(one: Sequence[Line], other: Sequence[Line]) -> int | None:
    """The entry at which two readings first write different numbers; None if they never do."""
    for mine, theirs in zip(one, other, strict=False):
        if mine[:4] != theirs[:4]:
            return min(mine.entry, theirs.entry)
    if len(one) == len(other):
        return None
    return (one if len(one) > len(other) else other)[min(len(one), len(other))].entry
