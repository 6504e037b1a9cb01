"""Layout of Victory Rummy: the 1942 pad with SCORE and SYM. columns, and lights toward the GRAND VICTORY."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import engine
from engine import Line
from engine.games.victory_rummy import AXIS_CARDS, COLORS, LETTERS
from scorepad.layouts import keys
from scorepad.layouts.base import Layout, Step
from scorepad.layouts.keys import Key, Panel
from scorepad.layouts.legend import Sign
from scorepad.layouts.questions import Question
from scorepad.pad_state import PadState

SIGNS = {"R": "r", "W": "w", "B": "b", "C": "c", "A": "a", "G": "g", "RWB": "x"}
TARGET_OUT_OF_REACH = 10_000
SPOKEN = {
    "R": "red",
    "W": "white",
    "B": "blue",
    "C": "capture",
    "A": "AXIS cards",
    "G": "GRAND VICTORY",
    "RWB": "bonus",
}
NOTABLE = {
    "G": "GRAND VICTORIES",
    "RWB": "bonuses for red, white and blue in order",
    "C": "CAPTURES",
}


@dataclass(frozen=True)
class ColorLight:
    letter: str
    sign: str
    is_on: bool


@dataclass(frozen=True)
class LightSeat:
    """One column's head: the total, and which colours are won already."""

    name: str
    total: int
    lights: tuple[ColorLight, ...]
    spoken: str
    is_near: bool
    is_now: bool
    has_won: bool
    deals: bool


@dataclass(frozen=True)
class SheetLine:
    """One ruled line of a column: a number with its symbol, a tally, or nothing yet."""

    points: int | None = None
    symbol: str = ""
    sign: str = ""
    spoken: str = ""
    number: int | None = None
    is_tally: bool = False
    is_new: bool = False


@dataclass(frozen=True)
class SheetColumn:
    name: str
    rows: tuple[SheetLine, ...]


class VictoryRummy(Layout):
    """Every key of this pad makes a whole entry, so nothing is asked part by part."""

    name = "victory-rummy"
    sheet_title = "Official score pad"
    last_entry_has_points = True
    signs = SIGNS
    hints = (
        "A set is laid down? Tap its colour under the player’s name. C is a CAPTURE.",
        "Tap a number on the sheet to read its rule.",
        "A wrong tap? Undo takes it back.",
    )
    notable_symbols = NOTABLE

    def status(self, state: PadState) -> str:
        now, target = state.result.state, state.options["target"]
        if state.finished:
            return f"Won in deal {now['deal']}, to {target}"
        return f"Deal {now['deal']}. {now['dealer']} deals. To {target}"

    def signs_of_game(self, state: PadState) -> list[Sign]:
        """The signs of a few entries that bring every number there is, as the engine scores them here."""
        found: dict[str, Line] = {}
        for line in engine.score(_every_number(state.options)).lines:
            found.setdefault(line.symbol, line)
        known = [(symbol, found[symbol]) for symbol in SIGNS if symbol in found]
        return [Sign("sign", _meaning(line), symbol, SIGNS[symbol], line.cites[0]) for symbol, line in known]

    def seats(self, state: PadState) -> list[LightSeat]:
        totals, colors = state.result.totals, state.result.state["colors"]
        return [_seat(state, name, totals[name], colors[name]) for name in state.players]

    def sheet(self, state: PadState) -> list[SheetColumn]:
        """The columns side by side: between two tallies all are made equally high, then they are ruled."""
        result = state.result
        newest = state.newest_among(state.lines_of)
        tallies = {tally["entry"]: tally["totals"] for tally in result.state["tallies"]}
        columns: dict[str, list[SheetLine]] = {name: [] for name in state.players}
        for place, lines in state.lines_of.items():
            for number, line in lines:
                columns[line.player].append(_sheet_line(number, line, place in newest))
            if place in tallies:
                height = max(len(rows) for rows in columns.values())
                for name, rows in columns.items():
                    rows += [SheetLine()] * (height - len(rows))
                    rows.append(SheetLine(tallies[place][name], spoken="tally", is_tally=True))
        return [SheetColumn(name, tuple(rows)) for name, rows in columns.items()]

    def panel(self, state: PadState) -> Panel | None:
        if state.finished:
            return None
        waiting = state.result.state["waiting"]
        if waiting:
            return axis_panel(state, waiting)
        by_seat = tuple((name, tuple(_keys_of(state, name))) for name in state.players)
        combinations = tuple(key for _, own in by_seat for key in own)
        return Panel("symbols", "What was laid down?", keys=combinations, by_seat=by_seat)

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        if entry["type"] == "victory":
            return entry["player"], f"{entry['color']} victory"
        if entry["type"] == "capture":
            return entry["player"], "capture"
        cards = entry["cards"]
        return entry["player"], f"out, {cards} AXIS card{'' if cards == 1 else 's'}"

    def questions(self, state: PadState) -> list[Question]:
        return []

    def is_complete(self, state: PadState) -> bool:
        return False

    def round_name(self, state: PadState, place: int) -> str:
        """The deal an entry belongs to: every AXIS count before it ended one."""
        counts = sum(entry["type"] == "axis" for entry in state.played_before(place))
        return f"deal {1 + counts}"

    def round_of(self, state: PadState, place: int) -> tuple[int, ...]:
        deals: list[list[int]] = [[]]
        for other, entry in state.standing.items():
            deals[-1].append(other)
            if entry["type"] == "axis":
                deals.append([])
        counts = sum(entry["type"] == "axis" for entry in state.played_before(place))
        return tuple(deals[counts])

    def must_follow(self, state: PadState) -> bool:
        """True once a player is out: the AXIS cards are counted before anything else."""
        return not state.finished and state.result.state["waiting"] is not None

    def steps(self, state: PadState, line: Line) -> list[Step]:
        """The signs that led to a GRAND VICTORY or its bonus: those since the colours were last cleared."""
        if line.symbol not in ("G", "RWB"):
            return []
        trail: list[Step] = []
        everyone = state.options["grand_victory_clears"] == "everyone"
        for other in state.result.lines:
            earlier = state.turns[other.entry] < state.turns[line.entry]
            if not earlier and other.entry != line.entry:
                break
            if other.symbol == "G" and earlier and (everyone or other.player == line.player):
                trail = []
            if other.player == line.player and other.symbol in ("R", "W", "B"):
                trail.append((other.symbol, SIGNS[other.symbol], self.round_name(state, other.entry)))
        return trail


def _every_number(options: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet with a GRAND VICTORY in order, a CAPTURE and a count of one AXIS card."""
    laid: list[dict[str, Any]] = [
        {"type": "victory", "player": "A", "color": "red"},
        {"type": "victory", "player": "A", "color": "white"},
        {"type": "axis", "player": "A", "cards": 1},
        {"type": "victory", "player": "A", "color": "blue"},
        {"type": "capture", "player": "B"},
    ]
    options = {**options, "target": TARGET_OUT_OF_REACH}
    return {"tally": 1, "game": "victory-rummy", "options": options, "players": ["A", "B"], "entries": laid}


def _meaning(line: Line) -> str:
    """The points of a sign and what they are for, in the engine's words."""
    if line.symbol == "A":
        return f"{line.points} for each AXIS card left in the other hands"
    return f"{line.points}: {line.why}"


def _seat(state: PadState, name: str, total: int, colors: list[str]) -> LightSeat:
    lights = tuple(ColorLight(LETTERS[color], SIGNS[LETTERS[color]], color in colors) for color in COLORS)
    spoken = f"{', '.join(colors) if colors else 'no colour'} toward the GRAND VICTORY"
    now = state.result.state
    return LightSeat(
        name,
        total,
        lights,
        spoken,
        is_near=len(colors) == 2 and not state.finished,
        is_now=now["waiting"] == name,
        has_won=name in state.result.winners,
        deals=now["dealer"] == name and not state.finished,
    )


def _sheet_line(number: int, line: Line, is_new: bool) -> SheetLine:
    sign = SIGNS[line.symbol]
    return SheetLine(line.points, line.symbol, sign, SPOKEN[line.symbol], number, is_new=is_new)


def _keys_of(state: PadState, name: str) -> list[Key]:
    made = []
    for color in COLORS:
        entry = {"type": "victory", "player": name, "color": color}
        made.append(_key(state, entry, LETTERS[color], f"{name}: {color} victory, 10"))
    made.append(_key(state, {"type": "capture", "player": name}, "C", f"{name}: capture, 50"))
    return made


def _key(state: PadState, entry: dict[str, Any], letter: str, spoken: str) -> Key:
    return keys.enter(entry, letter, spoken, SIGNS[letter], state)


def axis_panel(state: PadState, name: str) -> Panel:
    counts = []
    for cards in range(AXIS_CARDS + 1):
        entry = {"type": "axis", "player": name, "cards": cards}
        spoken = f"{name}: {cards} AXIS card{'' if cards == 1 else 's'}, {10 * cards}"
        counts.append(keys.enter(entry, str(cards), spoken, state=state))
    question = f"{name} is out. How many AXIS cards?"
    return Panel("axis", question, "In all the other hands together, 10 each", tuple(counts), seat=name)
