"""Generic layout: plain keys and a plain sheet for any game, from what the engine says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from engine import Field, Line
from scorepad.layouts import keys
from scorepad.layouts.base import Layout
from scorepad.layouts.keys import Key, Panel
from scorepad.layouts.questions import DONE
from scorepad.pad_state import PadState

SOMETHING_ELSE = Key("begin", '{"type": null}', "Something else", "Something else happened")


@dataclass(frozen=True)
class TotalSeat:
    """One column's head: the name, the total, and if it has won."""

    name: str
    total: int
    note: str = ""
    is_now: bool = False
    has_won: bool = False


@dataclass(frozen=True)
class EntryCell:
    """Numbers of one seat from one entry; each opens its own reason."""

    lines: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class EntryRow:
    words: str
    entry_id: str
    cells: tuple[EntryCell, ...]
    is_last: bool = False


class Generic(Layout):
    """The pad of a game that has no layout of its own."""

    name = "generic"
    has_dealer = False

    @property
    def stylesheet(self) -> str:
        return "css/pad-rummy.css"

    def status(self, state: PadState) -> str:
        words = []
        for key, value in state.result.state.items():
            if isinstance(value, str | int) and not isinstance(value, bool):
                words.append(f"{key.replace('_', ' ').capitalize()} {value}")
        return ". ".join(words)

    def seats(self, state: PadState) -> list[TotalSeat]:
        result, now = state.result, self.current(state)
        turn = result.state.get("turn") or result.state.get("waiting")
        return [
            TotalSeat(
                name,
                result.totals[name],
                "won" if name in result.winners else "",
                name == (now.seat if now else turn),
                name in result.winners,
            )
            for name in state.players
        ]

    def sheet(self, state: PadState) -> list[EntryRow]:
        rows: list[EntryRow] = []
        for place, entry in state.standing.items():
            lines = state.lines_of.get(place, [])
            cells = tuple(
                EntryCell(
                    tuple((number, line.points, line.symbol) for number, line in lines if line.player == name)
                )
                for name in state.players
            )
            words = _row_words(state, entry, len(rows) + 1, [line for _, line in lines])
            rows.append(EntryRow(words, state.entry_id(place), cells))
        return [*rows[:-1], replace(rows[-1], is_last=True)] if rows else []

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        answers = ", ".join(_answers(state, entry))
        if answers and _is_alone(state):
            return "", answers
        return "", f"{_question_of(state, entry)}: {answers}" if answers else _question_of(state, entry)

    def panel(self, state: PadState) -> Panel | None:
        if state.finished:
            return None
        if not self.entry_type(state):
            return self._type_panel(state)
        question = self.current(state)
        if question is None:
            return None
        if question.field.kind == "number" and _is_wide(question.field):
            about = f"{question.seat}: " if question.seat else ""
            panel = keys.keypad_panel(question, about + question.field.question)
        else:
            panel = keys.panel_for(state, question)
        # What was begun by mistake is taken back as long as nothing is answered.
        is_begun = state.partial.get("type") and not state.partial.keys() - {"type", DONE}
        has_others = len(state.position.game.entries) > 1 and not state.amending
        return replace(panel, back=SOMETHING_ELSE) if is_begun and has_others else panel

    def _type_panel(self, state: PadState) -> Panel:
        """The question which type of entry comes next."""
        starts = []
        for entry_type in state.position.game.entries:
            if entry_type.fields:
                value = json.dumps({"type": entry_type.key})
                starts.append(Key("begin", value, entry_type.question, entry_type.question))
            else:
                starts.append(keys.enter({"type": entry_type.key}, entry_type.question, entry_type.question))
        return Panel("choices", "What happened?", keys=tuple(starts))


def _question_of(state: PadState, entry: Mapping[str, Any]) -> str:
    """What happened, as its key says it."""
    entry_type = state.entry_types.get(entry["type"])
    words = entry_type.question if entry_type and entry_type.question else str(entry["type"])
    return words.removesuffix("?").removesuffix(".")


def _is_alone(state: PadState) -> bool:
    """True where only one thing can happen, so that nobody need be told which."""
    return len(state.position.game.entries) == 1


def _row_words(state: PadState, entry: Mapping[str, Any], number: int, lines: Sequence[Line]) -> str:
    """The head of a row of the sheet: what its numbers do not say already, else its own number."""
    named = {line.player for line in lines}
    only_points = sum(type(value) is int for value in entry.values()) == 1
    said = named | ({line.points for line in lines} if only_points else set())
    answers = _answers(state, {key: value for key, value in entry.items() if not _is_said(value, said)})
    if lines:
        return ", ".join(answers) or str(number)
    return ", ".join(answers if _is_alone(state) and answers else [_question_of(state, entry), *answers])


def _is_said(value: Any, said: Set[Any]) -> bool:
    return isinstance(value, Mapping) or (not isinstance(value, bool | list) and value in said)


def _answers(state: PadState, entry: Mapping[str, Any]) -> list[str]:
    """The answers of an entry; the first who is named, and words, speak for themselves."""
    entry_type = state.entry_types.get(entry["type"])
    found: list[str] = []
    for field in entry_type.fields if entry_type else ():
        value = entry.get(field.key)
        if field.kind == "each" and isinstance(value, Mapping):
            found += [_share(name, value[name], field) for name in state.players if name in value]
        elif field.kind != "each":
            is_first = field is entry_type.fields[0] if entry_type else False
            found += _answer(field.key, value, alone=is_first or field.kind == "choice")
    return found


def _answer(key: str, value: Any, alone: bool = False) -> list[str]:
    """An answer in words; nothing where nobody, none or no was answered."""
    name = key.replace("_", " ")
    if value is True:
        return [name]
    if value is None or value is False or not isinstance(value, str | int):
        return []
    return [str(value) if alone else f"{name} {value}"]


def _share(name: str, share: Any, field: Field) -> str:
    """A player's part, in the order in which it is asked: a database may have kept it in another."""
    asked = dict.fromkeys(part.key for shape in field.shapes for part in shape)
    parts = [(key, share[key]) for key in asked if key in share] if isinstance(share, Mapping) else []
    return f"{name} {' '.join(part for key, value in parts for part in _answer(key, value))}".rstrip()


def _is_wide(field: Field) -> bool:
    """True for a number with more values than there is room for keys."""
    return field.most is None or (field.most - (field.least or 0)) // field.step > keys.MAX_GRID
