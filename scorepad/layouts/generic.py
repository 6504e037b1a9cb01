"""Generic layout: plain keys and a plain sheet for any game, from what the engine says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import Field
from scorepad.layouts import keys
from scorepad.layouts.base import Layout
from scorepad.layouts.keys import Key, Panel
from scorepad.pad_state import PadState


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
        rows = []
        for place, entry in state.standing.items():
            lines = state.lines_of.get(place, [])
            cells = tuple(
                EntryCell(
                    tuple((number, line.points, line.symbol) for number, line in lines if line.player == name)
                )
                for name in state.players
            )
            rows.append(EntryRow(self.describe(state, entry)[1], state.entry_id(place), cells))
        return [*rows[:-1], replace(rows[-1], is_last=True)] if rows else []

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        words = [entry["type"]]
        for key, value in entry.items():
            if key not in ("type", "id") and isinstance(value, str | int):
                words.append(str(value))
        return "", " ".join(words)

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
            return keys.keypad_panel(question, about + question.field.question)
        return keys.panel_for(state, question)

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


def _is_wide(field: Field) -> bool:
    """True for a number with more values than there is room for keys."""
    return field.most is None or (field.most - (field.least or 0)) // field.step > keys.MAX_GRID
