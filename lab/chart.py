"""Chart of a reading: one row for each kind of table, a dot for the share and a line for its interval.

Everything is a number for an inline SVG. A row has its words and its figures as text, so that neither colour
nor the drawing is needed to read it.
"""

from __future__ import annotations

from typing import NamedTuple

from lab.findings import ReadingResult, Row
from lab.sentences import in_order, percent, span, whole

WIDTH = 320
LEFT, RIGHT = 6, 314
TOP, ROW, BOTTOM = 4, 38, 22
SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 1.0)


class Mark(NamedTuple):
    """One row: its words, its figures, and where they, the dot and the ends of its interval lie."""

    label: str
    figures: str
    text_y: float
    y: float
    x: float
    low: float
    high: float


class Tick(NamedTuple):
    """A line of the scale and its percentage; the outer ones keep their words inside the drawing."""

    x: float
    words: str
    anchor: str


class Chart(NamedTuple):
    """A chart, ready to be drawn; `caption` tells how many evenings, `summary` all of it in words."""

    height: int
    marks: tuple[Mark, ...]
    ticks: tuple[Tick, ...]
    base: int
    caption: str
    summary: str


def draw(result: ReadingResult) -> Chart:
    highest = max(row.share.high for row in result.rows)
    scale = next(most for most in SCALES if highest <= most)
    base = TOP + ROW * len(result.rows)
    marks = tuple(_mark(row, place, scale) for place, row in enumerate(in_order(result)))
    return Chart(base + BOTTOM, marks, _ticks(scale), base, _caption(result), _summary(result))


def _caption(result: ReadingResult) -> str:
    """What is drawn, and of how many evenings: no share without its number."""
    first, *others = result.rows
    more = f", {whole(others[0].evenings)} of every other" if others else ""
    return (
        "Evenings that someone else won: share and 95 % interval. "
        f"{whole(first.evenings)} evenings of “{first.label}”{more}"
    )


def _summary(result: ReadingResult) -> str:
    rows = "; ".join(f"{row.label}: {_figures(row)} of {whole(row.evenings)}" for row in in_order(result))
    return f"Evenings with another winner, by kind of table. {rows}."


def _mark(row: Row, place: int, scale: float) -> Mark:
    top = TOP + ROW * place
    found = row.share
    return Mark(
        row.label,
        _figures(row),
        top + 13,
        top + 25,
        *(_x(at, scale) for at in (found.figure, found.low, found.high)),
    )


def _figures(row: Row) -> str:
    return f"{percent(row.share.figure)} % ({span(row.share)})"


def _x(portion: float, scale: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * portion / scale, 1)


def _ticks(scale: float) -> tuple[Tick, ...]:
    ends = {0: "start", 2: "end"}
    return tuple(
        Tick(_x(scale * part / 2, scale), f"{100 * scale * part / 2:g} %", ends.get(part, "middle"))
        for part in range(3)
    )
