"""The drawn pad: plain keys and a plain sheet for any game, from what the engine says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.rules import listed
from scorepad.layouts import keys
from scorepad.layouts import questions as asking
from scorepad.layouts.keys import Key, Panel
from scorepad.layouts.questions import Ask
from scorepad.pad_state import PadState

LOOK = "generic"


@dataclass(frozen=True)
class Seat:
    """One column's head: who, the total, what the table wants to know of this seat now."""

    name: str
    total: int
    note: str = ""
    is_now: bool = False
    has_won: bool = False


@dataclass(frozen=True)
class Cell:
    """Numbers of one seat from one entry; each opens its own reason."""

    lines: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class Row:
    words: str
    entry_id: str
    cells: tuple[Cell, ...]
    is_last: bool = False


def status(moment: PadState) -> str:
    words = []
    for key, value in moment.result.state.items():
        if isinstance(value, str | int) and not isinstance(value, bool):
            words.append(f"{key.replace('_', ' ').capitalize()} {value}")
    return ". ".join(words)


def seats(moment: PadState) -> list[Seat]:
    result, now = moment.result, current(moment)
    turn = result.state.get("turn") or result.state.get("waiting")
    return [
        Seat(
            name,
            result.totals[name],
            "won" if name in result.winners else "",
            name == (now.seat if now else turn),
            name in result.winners,
        )
        for name in moment.players
    ]


def sheet(moment: PadState) -> list[Row]:
    rows = []
    for place, entry in moment.standing.items():
        lines = moment.lines_of.get(place, [])
        cells = tuple(
            Cell(tuple((number, line.points, line.symbol) for number, line in lines if line.player == name))
            for name in moment.players
        )
        rows.append(Row(said(moment, entry)[1], _id(moment, place), cells))
    if rows:
        rows[-1] = Row(rows[-1].words, rows[-1].entry_id, rows[-1].cells, is_last=True)
    return rows


def _id(moment: PadState, place: int) -> str:
    return str(moment.position.entries[place].get("id", ""))


def said(moment: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    """An entry in words, whatever the game."""
    words = [entry["type"]]
    for key, value in entry.items():
        if key not in ("type", "id") and isinstance(value, str | int):
            words.append(str(value))
    return "", " ".join(words)


def kind(moment: PadState) -> str:
    """The type of entry being made, if it is settled; a game with one type need not ask."""
    made = moment.made.get("type")
    if made in moment.entry_types:
        return str(made)
    return next(iter(moment.entry_types)) if len(moment.entry_types) == 1 else ""


def questions(moment: PadState) -> list[Ask]:
    made = kind(moment)
    if not made:
        return []
    return asking.asks(moment.entry_types[made], moment.players, moment.made, moment.by, moment.anew)


def current(moment: PadState) -> Ask | None:
    return turned_to(moment, questions)


def turned_to(moment: PadState, questions: Callable[[PadState], list[Ask]]) -> Ask | None:
    """The question this phone shows: the one it turned to while that is open, else the first open one; none
    once the game is over."""
    if moment.finished:
        return None
    asked = questions(moment)
    if moment.at:
        for ask in asked:
            if moment.at in (ask.about, ask.place) and (moment.again or not ask.answered):
                return ask
    own = next((ask for ask in asked if moment.own and ask.seat == moment.own), None)
    first = asking.first_open(asked)
    # Once everyone is asked about himself, a phone that has a seat begins with its own hand.
    return own if own and not own.answered and first and first.seat else first


def panel(moment: PadState) -> Panel | None:
    if moment.finished:
        return None
    if not kind(moment):
        starts = []
        for entry_type in moment.position.game.entries:
            if entry_type.fields:
                value = json.dumps({"type": entry_type.key})
                starts.append(Key("begin", value, entry_type.question, entry_type.question))
            else:
                starts.append(keys.enter({"type": entry_type.key}, entry_type.question, entry_type.question))
        return Panel("choices", "What happened?", keys=tuple(starts))
    ask = current(moment)
    return keys.panel_for(moment, ask) if ask else None


def is_whole(moment: PadState) -> bool:
    asked = questions(moment)
    return bool(kind(moment)) and asking.first_open(asked) is None


def ended_words(moment: PadState) -> str:
    result = moment.result
    if result.ended is None:
        return ""
    wins = "wins" if len(result.winners) == 1 else "win"
    return f"{listed(list(result.winners))} {wins}."
