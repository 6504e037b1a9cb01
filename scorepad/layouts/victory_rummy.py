"""Victory Rummy: the 1942 pad with its SCORE and SYM. columns, and three lights toward the GRAND VICTORY."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Line
from engine.games.victory_rummy import AXIS_CARDS, COLORS, LETTERS
from scorepad.layouts import keys
from scorepad.layouts.keys import Key, Panel
from scorepad.pad_state import PadState

LOOK = "victory-rummy"
SIGNS = {"R": "r", "W": "w", "B": "b", "C": "c", "A": "a", "G": "g", "RWB": "x"}
SPOKEN = {
    "R": "red",
    "W": "white",
    "B": "blue",
    "C": "capture",
    "A": "AXIS cards",
    "G": "GRAND VICTORY",
    "RWB": "bonus",
}


@dataclass(frozen=True)
class Light:
    letter: str
    sign: str
    is_on: bool


@dataclass(frozen=True)
class Seat:
    name: str
    total: int
    lights: tuple[Light, ...]
    spoken: str
    is_near: bool
    is_now: bool
    has_won: bool
    deals: bool


@dataclass(frozen=True)
class Written:
    """One ruled line of a column: a number with its symbol, a tally, or nothing yet."""

    points: int | None = None
    symbol: str = ""
    sign: str = ""
    spoken: str = ""
    number: int | None = None
    is_tally: bool = False
    is_new: bool = False


@dataclass(frozen=True)
class Column:
    name: str
    rows: tuple[Written, ...]


def status(moment: PadState) -> str:
    state = moment.result.state
    if moment.finished:
        return f"Won in deal {state['deal']}, to {moment.options['target']}"
    return f"Deal {state['deal']}. {state['dealer']} deals. To {moment.options['target']}"


def seats(moment: PadState) -> list[Seat]:
    result = moment.result
    return [_seat(moment, name, result.totals[name], result.state["colors"][name]) for name in moment.players]


def _seat(moment: PadState, name: str, total: int, colors: list[str]) -> Seat:
    lights = tuple(Light(LETTERS[color], SIGNS[LETTERS[color]], color in colors) for color in COLORS)
    spoken = f"{', '.join(colors) if colors else 'no colour'} toward the GRAND VICTORY"
    state, finished = moment.result.state, moment.finished
    return Seat(
        name,
        total,
        lights,
        spoken,
        is_near=len(colors) == 2 and not finished,
        is_now=state["waiting"] == name,
        has_won=name in moment.result.winners,
        deals=state["dealer"] == name and not finished,
    )


def sheet(moment: PadState) -> list[Column]:
    """The columns side by side: between two tallies all are made equally high, then they are ruled."""
    result = moment.result
    last = max(moment.lines_of, default=-1)
    tallies = {tally["entry"]: tally["totals"] for tally in result.state["tallies"]}
    columns: dict[str, list[Written]] = {name: [] for name in moment.players}
    for place in sorted({*moment.lines_of, *tallies}):
        for number, line in moment.lines_of.get(place, []):
            columns[line.player].append(_written(number, line, place == last))
        if place in tallies:
            height = max(len(rows) for rows in columns.values())
            for name, rows in columns.items():
                rows += [Written()] * (height - len(rows))
                rows.append(Written(tallies[place][name], spoken="tally", is_tally=True))
    return [Column(name, tuple(rows)) for name, rows in columns.items()]


def _written(number: int, line: Line, is_new: bool) -> Written:
    sign = SIGNS[line.symbol]
    return Written(line.points, line.symbol, sign, SPOKEN[line.symbol], number, is_new=is_new)


def panel(moment: PadState) -> Panel | None:
    if moment.finished:
        return None
    waiting = moment.result.state["waiting"]
    if waiting:
        return axis_panel(moment, waiting)
    combinations = [key for name in moment.players for key in _keys_of(moment, name)]
    return Panel("symbols", "What was laid down?", keys=tuple(combinations), columns=moment.players)


def _keys_of(moment: PadState, name: str) -> list[Key]:
    made = []
    for color in COLORS:
        entry = {"type": "victory", "player": name, "color": color}
        made.append(_key(moment, entry, LETTERS[color], f"{name}: {color} victory, 10"))
    made.append(_key(moment, {"type": "capture", "player": name}, "C", f"{name}: capture, 50"))
    return made


def _key(moment: PadState, entry: dict[str, Any], letter: str, spoken: str) -> Key:
    return keys.enter(entry, letter, spoken, SIGNS[letter], moment)


def axis_panel(moment: PadState, name: str) -> Panel:
    counts = []
    for cards in range(AXIS_CARDS + 1):
        entry = {"type": "axis", "player": name, "cards": cards}
        spoken = f"{name}: {cards} AXIS card{'' if cards == 1 else 's'}, {10 * cards}"
        counts.append(keys.enter(entry, str(cards), spoken, moment=moment))
    question = f"{name} is out. How many AXIS cards?"
    return Panel("axis", question, "In all the other hands together, 10 each", tuple(counts), seat=name)


def is_whole(moment: PadState) -> bool:
    return False


def said(moment: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    if entry["type"] == "victory":
        return entry["player"], f"{entry['color']} victory"
    if entry["type"] == "capture":
        return entry["player"], "capture"
    cards = entry["cards"]
    return entry["player"], f"out, {cards} AXIS card{'' if cards == 1 else 's'}"


def deal_of(moment: PadState, place: int) -> int:
    """Which deal an entry belongs to: every AXIS count before it ended one."""
    counts = [at for at, entry in moment.standing.items() if entry["type"] == "axis" and at < place]
    return 1 + len(counts)


def when(moment: PadState, place: int) -> str:
    return f"deal {deal_of(moment, place)}"


def trail(moment: PadState, line: Line) -> list[tuple[str, str, str]]:
    """How a GRAND VICTORY or its bonus came about: the signs since the colours were last cleared."""
    if line.symbol not in ("G", "RWB"):
        return []
    steps: list[tuple[str, str, str]] = []
    everyone = moment.options["grand_victory_clears"] == "everyone"
    for other in moment.result.lines:
        if other.entry > line.entry:
            break
        if other.symbol == "G" and other.entry < line.entry and (everyone or other.player == line.player):
            steps = []
        if other.player == line.player and other.symbol in ("R", "W", "B"):
            steps.append((other.symbol, SIGNS[other.symbol], when(moment, other.entry)))
    return steps
