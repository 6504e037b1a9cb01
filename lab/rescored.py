"""A table's own sheet by every reading: who would have won. Nothing is simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import engine
from engine.rules import Entry, listed
from lab.evening import play_out


class Rescored(NamedTuple):
    """The same log by one other reading: what would have been, in a sentence, and everyone's total."""

    option: engine.Option
    value: str
    words: str
    says: str
    totals: tuple[tuple[str, int], ...]
    is_other: bool
    """Somebody else would have won, or the log would not stand."""


def replays(game: engine.Game, options: Mapping[str, Any]) -> int:
    """The number of times a log of this game is replayed to be rescored."""
    return len(_readings(game, options))


def rescored(head: Mapping[str, Any], entries: Sequence[Entry]) -> list[Rescored]:
    """Score a finished log by each reading that was not played. `entries` are those that stand."""
    played = play_out(engine.replay({**head, "entries": []}), entries)
    game, options = played.game, dict(played.table.options)
    return [_by(head, entries, played, option, value) for option, value in _readings(game, options)]


def _readings(game: engine.Game, options: Mapping[str, Any]) -> list[tuple[engine.Option, str]]:
    return [
        (option, value)
        for option in game.options
        for value in option.readings
        if value != options.get(option.key, option.default)
    ]


def _by(
    head: Mapping[str, Any],
    entries: Sequence[Entry],
    played: engine.Position,
    option: engine.Option,
    value: str,
) -> Rescored:
    words = option.readings[value]
    options = {**played.table.options, option.key: value}
    try:
        position = play_out(engine.replay({**head, "options": options, "entries": []}), entries)
    except engine.Refused as refused:
        says = f"The log is not possible with this reading. {refused.message}"
        return Rescored(option, value, words, says, (), True)
    totals = tuple(zip(position.table.players, position.totals, strict=True))
    says = _says(played, position, len(entries))
    return Rescored(option, value, words, says, totals, _winners(played) != _winners(position))


def _winners(position: engine.Position) -> tuple[str, ...]:
    seats = position.ended.winners if position.ended else ()
    return tuple(position.table.players[seat] for seat in seats)


def _says(played: engine.Position, position: engine.Position, number: int) -> str:
    winners = _winners(position)
    if not winners:
        return "The game would not be over yet."
    unread = number - len(position.entries)
    sooner = f", {unread} {'entry' if unread == 1 else 'entries'} sooner" if unread else ""
    names = listed([*winners])
    if winners == _winners(played):
        if played.totals == position.totals and not unread:
            return f"Nothing would have been different: {names} would have won with the same points."
        return f"{names} would have won all the same{sooner}, with other points."
    return f"{names} would have won{sooner}."
