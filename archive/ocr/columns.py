"""Layout of a page: its columns, and headings across them, found by the white between columns.

A gutter is a strip of white with print on both sides over many lines; it may lean or bend a little. Where a
line of print crosses it, it ends. Between the ends of gutters the page has as many columns as gutters run
there, and is read from column to column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from archive.ocr.components import Components, Ints
from archive.ocr.text_rows import Floats, TextRow, find_rows

Region = tuple[float, float, float, float]
"""Left, top, right and lower edge."""

NARROWEST, WIDEST = 0.7, 10.0
"""A gutter, in heights of small letters."""
SMALLEST = 27.0
"""Its width by the length for which it has print on both sides, in heights of small letters: seven lines of a
wide one, fifteen of one that is hardly wider than the white between two words."""
SHORTEST = 18.0
SPARSE, WIDE = 1000, 1.5
"""Among fewer letters, as in a table, narrow strips are white by chance: a gutter is so wide at least."""
WINDOW, STEP = 6.0, 2.0
"""It is looked for in strips of the page that are two lines high."""
DRIFT = 0.6
"""So much it may lean from one strip to the next, in heights of small letters."""
MAX_GUTTERS = 6
FEWEST_LETTERS = 24
"""A column of fewer is no text."""


@dataclass(frozen=True)
class Gutter:
    """`x` is its middle at each of `y`; it is clear of print from `top` to `foot`."""

    y: Floats
    x: Floats
    top: float
    foot: float

    def at(self, y: Floats) -> Floats:
        found: Floats = np.interp(y, self.y, self.x)
        return found


def rows_in_columns(letters: Components) -> list[TextRow]:
    """The rows of a page, column by column; none if it has but one column."""
    gutters = find_gutters(letters)
    return _rows(letters, _column_of(letters, gutters)) if gutters else []


def rows_in_regions(letters: Components, regions: Sequence[Region]) -> list[TextRow]:
    """The rows of a page, region by region; what lies in none of them is left out."""
    x, y = (letters.x0 + letters.x1) / 2, (letters.y0 + letters.y1) / 2
    names = np.full(len(letters), -1)
    for number, (left, top, right, foot) in reversed(list(enumerate(regions))):
        names[(x >= left) & (x < right) & (y >= top) & (y < foot)] = number
    return _rows(letters.where(names >= 0), names[names >= 0])


def _rows(letters: Components, names: Ints) -> list[TextRow]:
    return [row for name in np.unique(names) for row in find_rows(letters.where(names == name))]


def small_height(letters: Components) -> float:
    """The usual height of small letters."""
    heights = letters.height[_are_clear(letters)]
    return float(np.median(heights)) if len(heights) else 0.0


def _are_clear(letters: Components) -> NDArray[np.bool_]:
    return (letters.height >= 7) & (letters.area >= 20)


def find_gutters(letters: Components) -> list[Gutter]:
    """From left to right."""
    unit = small_height(letters)
    if not unit or len(letters) < 100:
        return []
    found = []
    for y, x in _paths(letters, unit):
        top, foot = _reach(letters, y, x, unit)
        found.append(Gutter(y, x, top, foot))
    found.sort(key=lambda gutter: -len(gutter.y))
    kept: list[Gutter] = []
    for gutter in found:
        if not any(_same(gutter, other, unit) for other in kept):
            kept.append(gutter)
    return sorted(kept[:MAX_GUTTERS], key=lambda gutter: float(gutter.x.mean()))


def _same(one: Gutter, other: Gutter, unit: float) -> bool:
    top, foot = max(one.y[0], other.y[0]), min(one.y[-1], other.y[-1])
    middle = np.array([(top + foot) / 2])
    return foot >= top and abs(float(one.at(middle)[0] - other.at(middle)[0])) < WIDEST / 2 * unit


def _paths(letters: Components, unit: float) -> list[tuple[Floats, Floats]]:
    """Runs of white that go on from strip to strip, with print on both sides of most."""
    left, right = int(letters.x0.min()), int(letters.x1.max())
    tops = np.arange(float(letters.y0.min()), float(letters.y1.max()) - WINDOW * unit, STEP * unit)
    least = WIDE if _are_clear(letters).sum() < SPARSE else NARROWEST
    open_paths: list[list[tuple[float, float, float, bool]]] = []
    closed = []
    for top in tops:
        inside = (letters.y1 > top) & (letters.y0 < top + WINDOW * unit)
        runs = _white_runs(letters.x0[inside], letters.x1[inside], left, right, unit, least)
        middle, going = top + WINDOW * unit / 2, []
        for path in open_paths:
            _, x0, x1, _ = path[-1]
            onward = [
                (min(x1 + DRIFT * unit, b) - max(x0 - DRIFT * unit, a), a, b, on_both)
                for a, b, on_both in runs
            ]
            share, a, b, on_both = max(onward, default=(0.0, 0.0, 0.0, False))
            if share < 0.8 * least * unit:
                closed.append(path)
                continue
            going.append([*path, (middle, max(x0 - DRIFT * unit, a), min(x1 + DRIFT * unit, b), on_both)])
        for a, b, on_both in runs:
            narrow = on_both and b - a <= WIDEST * unit
            if narrow and not any(path[-1][1] < b and path[-1][2] > a for path in going):
                going.append([(middle, a, b, True)])
        open_paths = going
    return [
        (np.array([p[0] for p in path]), np.array([(p[1] + p[2]) / 2 for p in path]))
        for path in closed + open_paths
        if _is_gutter(path, unit, least)
    ]


def _is_gutter(path: Sequence[tuple[float, float, float, bool]], unit: float, least: float) -> bool:
    long = STEP * sum(on_both for *_, on_both in path)
    wide = float(np.median([(b - a) / unit for _, a, b, _ in path]))
    return wide >= least and long >= SHORTEST and long * wide >= SMALLEST


def _white_runs(
    x0: Ints, x1: Ints, left: int, right: int, unit: float, least: float
) -> list[tuple[float, float, bool]]:
    """Stretches without ink in one strip, and whether print stands near on both sides."""
    if not len(x0):
        return [(left, right, False)]
    edges = np.zeros(right - left + 2, dtype=np.int64)
    np.add.at(edges, x0 - left, 1)
    np.add.at(edges, x1 - left, -1)
    covered = np.concatenate([[True], np.cumsum(edges)[: right - left] > 0, [True]])
    steps = np.diff(covered.astype(np.int8))
    starts, ends = np.flatnonzero(steps == -1) + left, np.flatnonzero(steps == 1) + left
    return [
        (float(a), float(b), bool(a > left and b < right and b - a <= WIDEST * unit))
        for a, b in zip(starts, ends, strict=True)
        if b - a >= least * unit
    ]


def _reach(letters: Components, y: Floats, x: Floats, unit: float) -> tuple[float, float]:
    """From the print above that crosses it to the print below. The words of a large heading may stand as far
    apart as columns: they count as one piece."""
    pad = np.where(letters.height > 2 * unit, 0.8 * letters.height, 0.6 * unit)
    middle = (letters.y0 + letters.y1) / 2
    at = np.interp(middle, y, x)
    crosses = (letters.x0 - pad < at) & (letters.x1 + pad > at)
    above, below = crosses & (middle < y[0]), crosses & (middle > y[-1])
    top = float(letters.y1[above].max()) if above.any() else -np.inf
    foot = float(letters.y0[below].min()) if below.any() else np.inf
    return top, foot


def _marks_beside(letters: Components, gutters: Sequence[Gutter], place: int) -> NDArray[np.bool_]:
    """What a gutter parts from the text, if that is nothing but marks: stars, strokes of a pen, the edge."""
    gutter = gutters[place]
    y, x = (letters.y0 + letters.y1) / 2, (letters.x0 + letters.x1) / 2
    beside: NDArray[np.bool_] = (y > gutter.top) & (y < gutter.foot)
    right = x > gutter.at(y)
    on_left, on_right = beside & ~right, beside & right
    for number, other in enumerate(gutters):
        if other.top < gutter.foot and other.foot > gutter.top:
            on_left &= (x > other.at(y)) | (number >= place)
            on_right &= (x < other.at(y)) | (number <= place)
    least = min((on_left, on_right), key=lambda side: int((side & _are_clear(letters)).sum()))
    few = int((least & _are_clear(letters)).sum()) < FEWEST_LETTERS
    return least if few else np.zeros(len(letters), dtype=np.bool_)


def _column_of(letters: Components, gutters: Sequence[Gutter]) -> Ints:
    """A number for each letter, in the order in which its column is read. Marks beside the text come last,
    and cut it nowhere."""
    beside = [_marks_beside(letters, gutters, place) for place in range(len(gutters))]
    names = _text_columns(letters, [g for g, marks in zip(gutters, beside, strict=True) if not marks.any()])
    for marks in beside:
        names[marks] = names.max() + 1
    return names


def _text_columns(letters: Components, gutters: Sequence[Gutter]) -> Ints:
    unit = small_height(letters)
    ends = sorted({end for gutter in gutters for end in (gutter.top, gutter.foot) if np.isfinite(end)})
    cuts: list[float] = []
    for end in ends:
        if not cuts or end - cuts[-1] > 2 * unit:
            cuts.append(end)
    bounds = [-np.inf, *cuts, np.inf]
    y, x = (letters.y0 + letters.y1) / 2, (letters.x0 + letters.x1) / 2
    names = np.zeros(len(letters), dtype=np.int64)
    block = 0
    before: list[Gutter] | None = None
    for top, foot in pairwise(bounds):
        running = [g for g in gutters if g.top <= top + 2 * unit and g.foot >= foot - 2 * unit]
        # By identity: what a gutter holds are arrays.
        if before is None or [*map(id, running)] != [*map(id, before)]:
            block += 1
        before = running
        inside: NDArray[np.bool_] = (y >= top) & (y < foot)
        column = np.zeros(len(letters), dtype=np.int64)
        for gutter in running:
            column += x > gutter.at(y)
        names[inside] = block * (MAX_GUTTERS + 1) + column[inside]
    return names
