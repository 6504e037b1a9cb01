"""The sample pad of 1942 reconstructed: every completion of its columns that fits the file and the rules.

The file has each column as two strings, one of figures and one of signs, above and below the tally. The
machine lost tokens and misread digits; it added nothing and changed no order. A completion is a column that
the rules allow; it costs one for every token that must have been lost and for every figure that must have
been misread. What all the cheapest completions of a column agree on is decided; the rest is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeVar

T = TypeVar("T")

COLORS = "RWB"
COST_MAX = 6
AXIS_POINTS = tuple(range(10, 100, 10))


@dataclass(frozen=True)
class FileColumn:
    """A column as the file has it: figures and signs above the tally, the tally and what follows it."""

    player: str
    above: tuple[tuple[int, ...], str]
    below: tuple[tuple[int, ...], str]
    wins: bool = False
    """The column that scores the GRAND VICTORY, after which everyone is tallied."""


# The second row begins with the tally, where the file has it.
COLUMNS = (
    FileColumn("A", ((10, 10), "BWA"), ((10,), "BRA")),
    FileColumn("B", ((10, 10, 30, 50, 10, 10, 25, 50), "ACWBG"), ((195,), "W"), wins=True),
    FileColumn("C", ((10, 10, 10, 20, 50), "BWBWAC"), ((10, 10, 10, 20), "RWA")),
    FileColumn("D", ((10, 10, 10), "RR"), ((40,), "B")),
)

D_WITHOUT_ROWS = FileColumn("D", ((10, 10, 10), "RRB"), ((40,), ""))
"""Column D if the end of the file's row is not trusted: its last sign may have stood above the tally."""


@dataclass(frozen=True)
class PadEntry:
    """A figure and its sign: R, W, B, C, G, A, or + for the bonus, whose own sign is not known."""

    points: int
    sign: str


@dataclass(frozen=True)
class Completion:
    """A column that fits: entries above the tally, the tally, entries below it."""

    above: tuple[PadEntry, ...]
    tally: int
    below: tuple[PadEntry, ...]

    @property
    def entries(self) -> tuple[PadEntry, ...]:
        return self.above + self.below


ENTRIES = (
    *(PadEntry(10, color) for color in COLORS),
    PadEntry(50, "C"),
    PadEntry(25, "G"),
    PadEntry(50, "+"),
    *(PadEntry(points, "A") for points in AXIS_POINTS),
)


@dataclass(frozen=True)
class PlayerState:
    """A player in the middle of a column: colours since the reset, sets laid down in this deal, a CAPTURE
    among them; what was written since the colours were complete."""

    colors: frozenset[str] = frozenset()
    sets: int = 0
    captured: bool = False
    owed: str = ""
    """G while a GRAND VICTORY must be written; + and A while only these may follow it."""


def moves(state: PlayerState, sign: str, wins: bool) -> Iterator[PlayerState]:
    """The states after this entry; several, since another player may have ended the deal before it."""
    if sign == "G":
        if state.owed == "G" and wins:
            yield PlayerState(frozenset(), state.sets, state.captured, "+A")
    elif state.owed == "G":
        return
    elif sign == "+":
        if "+" in state.owed:
            yield PlayerState(frozenset(), state.sets, state.captured, "A")
    elif sign == "A":
        # Only the player who goes out is paid, and it takes two sets in the deal to go out.
        if state.sets == 2:
            yield PlayerState(state.colors, 0, False, "-" if state.owed else "")
    elif not state.owed:
        yield from _sets(state, sign)


def _sets(state: PlayerState, sign: str) -> Iterator[PlayerState]:
    deals = {(0, False)} | ({(state.sets, state.captured)} if state.sets < 2 else set())
    for sets, captured in deals:
        if sign == "C":
            if not captured:
                yield PlayerState(state.colors, sets + 1, True)
        else:
            colors = state.colors | {sign}
            yield PlayerState(colors, sets + 1, captured, "G" if len(colors) == 3 else "")


def misread(figure: int, seen: int) -> bool:
    """One digit of the figure was lost or taken for another.

    >>> misread(110, 10), misread(20, 10), misread(195, 10)
    (True, True, False)
    """
    true, read = str(figure), str(seen)
    if len(true) == len(read):
        return sum(a != b for a, b in zip(true, read, strict=True)) == 1
    return len(true) == len(read) + 1 and any(true[:n] + true[n + 1 :] == read for n in range(len(true)))


def _figure_cost(points: int, seen: int) -> int | None:
    return 0 if points == seen else 1 if misread(points, seen) else None


@dataclass(frozen=True)
class Filling:
    """Entries written so far, what is left of the file's figures and signs, the cost, and the states that the
    player may be in."""

    entries: tuple[PadEntry, ...]
    figures: tuple[int, ...]
    signs: str
    cost: int
    states: frozenset[PlayerState]

    @property
    def cost_min(self) -> int:
        """Every entry has one figure and one sign, so what the file has more of one has lost its other."""
        return self.cost + abs(len(self.figures) - len(self.signs))


def fillings(start: Filling, wins: bool, cost_max: int) -> Iterator[Filling]:
    """Every row of entries in which these figures and signs can have stood, within a cost."""
    waiting = [start]
    while waiting:
        filling = waiting.pop()
        if not filling.figures and not filling.signs:
            yield filling
        for entry in ENTRIES:
            states = frozenset(new for old in filling.states for new in moves(old, entry.sign, wins))
            if states:
                waiting += (step for step in _read(filling, entry, states) if step.cost_min <= cost_max)


def _read(filling: Filling, entry: PadEntry, states: frozenset[PlayerState]) -> Iterator[Filling]:
    """The ways in which the file can have this entry: figure read, misread or lost, sign read or lost."""
    figures = [(1, filling.figures)]
    if filling.figures and (cost := _figure_cost(entry.points, filling.figures[0])) is not None:
        figures.append((cost, filling.figures[1:]))
    signs = [(1, filling.signs)] + ([(0, filling.signs[1:])] if filling.signs[:1] == entry.sign else [])
    for figure_cost, rest in figures:
        for sign_cost, letters in signs:
            cost = filling.cost + figure_cost + sign_cost
            yield Filling((*filling.entries, entry), rest, letters, cost, states)


def completions(column: FileColumn, cost_max: int) -> dict[Completion, int]:
    """Every column that fits within this cost, with what it costs at least."""
    found: dict[Completion, int] = {}
    start = Filling((), *column.above, 0, frozenset({PlayerState()}))
    seen, letters = len(column.below[0]), len(column.below[1])
    reserve = min(abs(seen - 1 - letters) if seen else 1 + letters, abs(seen - letters) + 1)
    for above in fillings(start, column.wins, cost_max - reserve):
        # The tally is taken straight after the GRAND VICTORY; in the other columns nothing is owed then.
        states = {state for state in above.states if bool(state.owed) == column.wins and state.owed != "G"}
        if not states:
            continue
        for cost, tally, figures in _tallies(sum(entry.points for entry in above.entries), column):
            fresh = frozenset(PlayerState(frozenset(), state.sets, state.captured) for state in states)
            below = Filling((), figures, column.below[1], above.cost + cost, fresh)
            if below.cost_min > cost_max:
                continue
            for after in fillings(below, False, cost_max):
                if not all(state.owed for state in after.states):
                    key = Completion(above.entries, tally, after.entries)
                    found[key] = min(after.cost, found.get(key, after.cost))
    return found


def _tallies(total: int, column: FileColumn) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The tally is the sum of what stands above it: read, misread or lost."""
    figures = column.below[0]
    yield 1, total, figures
    if figures and (cost := _figure_cost(total, figures[0])) is not None:
        yield cost, total, figures[1:]


@dataclass(frozen=True)
class Reconstruction:
    """The cheapest completions of a column: what they all agree on is decided."""

    column: FileColumn
    cost: int
    cheapest: tuple[Completion, ...]

    @property
    def figures(self) -> list[set[int]]:
        """The figures that each entry may have, above the tally and below it."""
        return _alternatives([[entry.points for entry in one.entries] for one in self.cheapest])

    @property
    def signs(self) -> list[set[str]]:
        return _alternatives([[entry.sign for entry in one.entries] for one in self.cheapest])

    @property
    def sums(self) -> list[int]:
        """The tallies that it may have, the smallest first."""
        return sorted({one.tally for one in self.cheapest})


def _alternatives(rows: list[list[T]]) -> list[set[T]]:
    return [set(place) for place in zip(*rows, strict=True)]


def reconstruct(column: FileColumn) -> Reconstruction:
    for cost_max in range(COST_MAX + 1):
        if found := completions(column, cost_max):
            return Reconstruction(column, cost_max, tuple(sorted(found, key=repr)))
    raise ValueError(f"no completion of column {column.player} costs {COST_MAX} or less")


@dataclass(frozen=True)
class SignCounts:
    """Rows of signs for the figures of column B, of which none is lost: all, those that have the five signs
    of the file in their order, and those that the rules allow."""

    all: int
    in_order: int
    allowed: int


def sign_counts(found: Reconstruction) -> SignCounts:
    column = found.column
    ways = [[entry.sign for entry in ENTRIES if entry.points == figure] for figure in column.above[0]]
    rows = list(product(*ways))
    in_order = [row for row in rows if _has_in_order(row, column.above[1])]
    allowed = {tuple(entry.sign for entry in one.above) for one in found.cheapest}
    return SignCounts(len(rows), len(in_order), len(allowed))


def _has_in_order(row: Sequence[str], signs: str) -> bool:
    letters = iter(row)
    return all(sign in letters for sign in signs)


@lru_cache(maxsize=1)
def reconstruct_all() -> tuple[tuple[Reconstruction, ...], Reconstruction, SignCounts]:
    """The four columns; column D if its last sign stood above the tally; the signs of column B."""
    columns = tuple(reconstruct(column) for column in COLUMNS)
    return columns, reconstruct(D_WITHOUT_ROWS), sign_counts(columns[1])
