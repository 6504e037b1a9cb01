"""Generic layout: plain keys and a plain sheet for any game, from what the engine says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from engine import Field, Line
from engine.rules import listed
from scorepad.layouts import keys
from scorepad.layouts.base import Layout
from scorepad.layouts.keys import Key, Panel
from scorepad.layouts.optional_answers import optional_panel
from scorepad.layouts.questions import DONE, Question, first_open
from scorepad.layouts.round_grid import RoundGrid, round_grid
from scorepad.pad_state import PadState

SOMETHING_ELSE = Key("begin", '{"type": null}', "Something else", "Something else happened")
ADD_UP, ONE_KEY = ("sum", "Add up"), ("key", "One key")
KEYS_OF_A_SUM = 20
"""Numbers up to so many are told at a glance, and nobody adds them up."""


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
    is_new: bool


class Generic(Layout):
    """The pad of a game that has no layout of its own."""

    name = "generic"
    has_dealer = False

    def status(self, state: PadState) -> str:
        hand, dealer = state.result.state.get("hand"), state.result.state.get("dealer")
        if hand and dealer and state.finished:
            return f"{hand} hand{'' if hand == 1 else 's'} played"
        if hand and dealer:
            return f"Hand {hand}, dealt by {dealer}"
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
        newest = state.newest_among(state.standing)
        for place, entry in state.standing.items():
            lines = state.lines_of.get(place, [])
            cells = tuple(
                EntryCell(
                    tuple((number, line.points, line.symbol) for number, line in lines if line.player == name)
                )
                for name in state.players
            )
            words = _row_words(state, entry, len(rows) + 1, [line for _, line in lines])
            rows.append(EntryRow(words, state.entry_id(place), cells, place in newest))
        return rows

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        answers = ", ".join(_answers(state, entry))
        if answers and _is_alone(state):
            return "", answers
        return "", f"{_question_of(state, entry)}: {answers}" if answers else _question_of(state, entry)

    def panel_questions(self, state: PadState) -> list[Question]:
        """Every question, those first that must be answered."""
        return sorted(self.questions(state), key=lambda question: question.is_optional)

    def questions(self, state: PadState) -> list[Question]:
        """In an entry of the log, what was left out is answered with nothing."""
        asked = super().questions(state)
        if not state.amending:
            return asked
        return [replace(one, answered=True) if one.is_optional else one for one in asked]

    def current(self, state: PadState) -> Question | None:
        """Several that may be left open are asked together: then none of them is the current one."""
        question = super().current(state)
        is_turned_to = question is not None and state.at in (question.about, question.place)
        return None if not is_turned_to and self._asks_rest(state) else question

    def round_grid(self, state: PadState) -> RoundGrid | None:
        settled = self.entry_type(state)
        if not settled or state.finished or state.amending or not (state.may_write or state.partial):
            return None
        asked = self.questions(state)
        return round_grid(state.entry_types[settled], state.players, asked, self.current(state))

    def panel(self, state: PadState) -> Panel | None:
        if state.finished:
            return None
        if not self.entry_type(state):
            return self._type_panel(state)
        question = self.current(state)
        if question is None:
            return optional_panel(state, self.questions(state)) if self._asks_rest(state) else None
        panel = _panel_of(state, question)
        # What was begun by mistake is taken back as long as nothing is answered.
        is_begun = state.partial.get("type") and not state.partial.keys() - {"type", DONE}
        has_others = len(state.position.game.entries) > 1 and not state.amending
        return replace(panel, back=SOMETHING_ELSE) if is_begun and has_others else panel

    def _asks_rest(self, state: PadState) -> bool:
        """True once all is answered that must be, and there is more to say or to change than one answer."""
        if not self.entry_type(state) or state.amending:
            return False
        asked = self.questions(state)
        first = first_open([question for question in asked if not question.is_optional])
        optional = [question for question in asked if question.is_optional]
        return first is None and (len(optional) != 1 or optional[0].answered)

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
    if any(isinstance(value, Mapping) for value in entry.values()):
        # Each player's numbers say nothing of who called, or with how many.
        said = set()
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
    if isinstance(value, list) and value:
        return [f"{name} {listed([keys.spoken(piece) for piece in value])}"]
    if value is None or value is False or not isinstance(value, str | int):
        return []
    words = keys.spoken(value) if isinstance(value, int) else value
    return [words if alone else f"{name} {words}"]


def _share(name: str, share: Any, field: Field) -> str:
    """A player's part, in the order in which it is asked: a database may have kept it in another."""
    asked = dict.fromkeys(part.key for shape in field.shapes for part in shape)
    parts = [(key, share[key]) for key in asked if key in share] if isinstance(share, Mapping) else []
    return f"{name} {' '.join(part for key, value in parts for part in _answer(key, value))}".rstrip()


def _panel_of(state: PadState, question: Question) -> Panel:
    """The keys that suit the field; sums can be typed also where there is one key for each number."""
    field = question.field
    if field.kind != "number":
        return keys.panel_for(state, question)
    heading = f"{question.seat}: {field.question}" if question.seat else field.question
    if _is_wide(field):
        return keys.keypad_panel(question, heading)
    way = ADD_UP if len(range(field.least or 0, (field.most or 0) + 1, field.step)) > KEYS_OF_A_SUM else None
    if way and state.by == ADD_UP[0]:
        return replace(keys.keypad_panel(question, heading), ways=(ONE_KEY,))
    return replace(keys.number_panel(question, heading), ways=(way,) if way else ())


def _is_wide(field: Field) -> bool:
    """True for a number with more values than there is room for keys."""
    return field.most is None or (field.most - (field.least or 0)) // field.step > keys.MAX_GRID
