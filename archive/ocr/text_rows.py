"""Rows of type on a page, and in each its atoms: pieces of ink with paper to their left and right."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from archive.ocr.components import Components, Ints

Floats = NDArray[np.float64]

CAPITAL_HEIGHT = 0.7
"""Height of capitals, and about that of ascenders, in ems; faces differ little in it."""
ASCENT = 0.77
DESCENT = 0.24
"""Reach of a box above and below the baseline, in ems, as on our facsimiles."""


OF_SEVERAL_LINES = 1.6
"""A capital so much higher than the row beside it is higher than one line."""
USUAL_CAPITAL = 0.6
"""Its width, in ems."""


@dataclass(frozen=True)
class TextRow:
    """`x0` and `x1` are the edges of its atoms from left to right; `em` is the size of its type. The baseline
    is y = foot + slope · x. Where it begins with a capital of several lines, its first atom is that capital
    as if it were of the row's size, and `initial` is where it begins in truth."""

    x0: Floats
    x1: Floats
    em: float
    foot: float
    slope: float
    initial: float | None = None

    def baseline(self, x: float) -> float:
        return self.foot + self.slope * x

    @property
    def left(self) -> float:
        return float(self.x0[0])

    @property
    def right(self) -> float:
        return float(self.x1[-1])

    @property
    def middle(self) -> float:
        return self.baseline((self.left + self.right) / 2) - self.em * CAPITAL_HEIGHT / 2

    @property
    def gaps(self) -> Floats:
        """The white between each atom and the next."""
        return self.x0[1:] - self.x1[:-1]


def find_rows(letters: Components) -> list[TextRow]:
    """The rows of a page, from top to bottom."""
    large = np.flatnonzero((letters.height >= 7) & (letters.area >= 20))
    if not len(large):
        return []
    chains = letter_chains(letters.where(large))
    groups = _side_by_side(letters, [large[chain] for chain in chains])
    rows = _with_capitals([_row(letters, group) for group in _with_small(letters, groups)])
    return sorted((row for row in rows if row.em >= 9), key=lambda row: row.middle)


def _with_capitals(rows: list[TextRow]) -> list[TextRow]:
    """A capital of several lines' height, alone in a row, goes to the row whose top it shares."""
    if len(rows) < 3:
        return rows
    usual = float(np.median([row.em for row in rows]))
    alone = [row for row in rows if len(row.x0) <= 2 and row.em > 1.7 * usual]
    kept = [row for row in rows if not any(row is one for one in alone)]
    for one in alone:
        top = one.baseline(one.right) - one.em * CAPITAL_HEIGHT
        for number, row in enumerate(kept):
            near = -0.3 * row.em < row.left - one.right < 1.5 * row.em
            if near and abs(row.baseline(row.left) - row.em * CAPITAL_HEIGHT - top) < 0.4 * row.em:
                right = row.left - 0.06 * row.em
                x0, x1 = [right - USUAL_CAPITAL * row.em], [right]
                kept[number] = replace(
                    row,
                    x0=np.concatenate([x0, row.x0]),
                    x1=np.concatenate([x1, row.x1]),
                    initial=one.left,
                )
                break
        else:
            kept.append(one)
    return kept


def letter_chains(letters: Components) -> list[Ints]:
    """Letters linked each to the next on its right, if it is near and at the same height."""
    count = len(letters)
    order = np.argsort(letters.x0)
    top, foot, height = letters.y0, letters.y1, letters.height
    parent = np.arange(count)

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = int(parent[one])
        return one

    starts = letters.x0[order]
    for one in range(count):
        begin = np.searchsorted(starts, letters.x0[one] + letters.width[one] * 0.5)
        end = np.searchsorted(starts, letters.x1[one] + 2.5 * height[one], side="right")
        near = order[begin:end]
        shared = np.minimum(foot[near], foot[one]) - np.maximum(top[near], top[one])
        smaller, larger = np.minimum(height[near], height[one]), np.maximum(height[near], height[one])
        fits = near[(shared > 0.45 * smaller) & (larger < 3 * smaller) & (near != one)]
        if len(fits):
            parent[root(int(fits[0]))] = root(one)
    roots = np.array([root(one) for one in range(count)])
    return [np.flatnonzero(roots == name) for name in np.unique(roots)]


def _side_by_side(letters: Components, chains: list[Ints]) -> list[Ints]:
    """Chains at the same height are one row: the cells of a table, words far apart. The longest come first;
    a point or a dot that made a chain of its own joins the row in whose full height it stands. A capital of
    several lines' height, to the left of them, joins none here."""
    rows: list[tuple[float, float, float, float, list[Ints]]] = []
    for chain in sorted(chains, key=lambda chain: (-len(chain), -int(letters.height[chain].max()))):
        y0, y1 = letters.y0[chain], letters.y1[chain]
        top, foot = float(np.median(y0)), float(np.median(y1))
        best, most = -1, 0.5
        for number, (upper, lower, highest, lowest, longest) in enumerate(rows):
            if len(chain) <= 2 and foot - top < 0.7 * (lower - upper):
                upper, lower = highest, lowest
            # Letters that touch those of the next line are as high, and stand among others.
            elif (
                len(chain) <= 2
                and foot - top > OF_SEVERAL_LINES * (lowest - highest)
                and letters.x1[chain].max() <= letters.x0[longest[0]].min()
            ):
                continue
            shared = (min(foot, lower) - max(top, upper)) / max(1.0, min(foot - top, lower - upper))
            if shared > most:
                best, most = number, shared
        if best >= 0:
            rows[best][4].append(chain)
        else:
            rows.append((top, foot, float(np.percentile(y0, 10)), float(np.percentile(y1, 90)), [chain]))
    return [np.concatenate(members) for *_, members in rows]


def _with_small(letters: Components, groups: list[Ints]) -> list[Ints]:
    """Points, dots and accents go to the row they stand in or just above or below."""
    taken = np.zeros(len(letters), bool)
    for group in groups:
        taken[group] = True
    small = np.flatnonzero(~taken)
    bands = [
        (
            np.percentile(letters.y0[g], 10),
            np.percentile(letters.y1[g], 90),
            letters.x0[g].min(),
            letters.x1[g].max(),
        )
        for g in groups
    ]
    more: list[list[int]] = [[] for _ in groups]
    middles = (letters.y0 + letters.y1) / 2
    for one in small:
        for number, (top, foot, left, right) in enumerate(bands):
            room = foot - top
            inside = top - 0.15 * room <= middles[one] <= foot + 0.15 * room
            if inside and left - 2 * room <= letters.x0[one] and letters.x1[one] <= right + 2 * room:
                more[number].append(int(one))
                break
    return [np.concatenate([g, np.array(m, dtype=np.int64)]) for g, m in zip(groups, more, strict=True)]


def _row(letters: Components, members: Ints) -> TextRow:
    chosen = letters.where(members[np.argsort(letters.x0[members])])
    foot, slope = _baseline(chosen)
    height = foot + slope * (chosen.x0 + chosen.x1) / 2 - chosen.y0
    tall = float(np.percentile(height[height >= 0.6 * np.median(height)], 88))
    starts, ends = [float(chosen.x0[0])], [float(chosen.x1[0])]
    for x0, x1 in zip(chosen.x0[1:], chosen.x1[1:], strict=True):
        if x0 <= ends[-1]:
            ends[-1] = max(ends[-1], float(x1))
        else:
            starts.append(float(x0))
            ends.append(float(x1))
    return TextRow(np.array(starts), np.array(ends), tall / CAPITAL_HEIGHT, foot, slope)


def _baseline(chosen: Components) -> tuple[float, float]:
    """Most letters stand on it. Those that hang below or float above are left out step by step."""
    x, y = (chosen.x0 + chosen.x1) / 2, chosen.y1.astype(np.float64)
    body = np.median(chosen.height)
    foot, slope = float(np.median(y[chosen.height >= 0.7 * body])), 0.0
    for reach in (0.35, 0.2, 0.12):
        near = np.abs(y - foot - slope * x) <= max(2.0, reach * body)
        if near.sum() < 2:
            break
        wide = float(np.ptp(x[near]))
        if near.sum() >= 6 and wide > 8 * body:
            slope, foot = (float(value) for value in np.polyfit(x[near], y[near], 1))
        else:
            slope, foot = 0.0, float(np.median(y[near]))
    return foot, slope
