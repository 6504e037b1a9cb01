"""The words of a text laid over the ink of a page in reading order, at the least cost.

A word takes a stretch of neighbouring atoms in one row. It costs to be wider or narrower than expected, to
have a wide gap inside or a narrow one at its end, to contradict a witness, to leave ink over, to leave a word
out. The cheapest way for all words together is found exactly, forwards and backwards, so that for every word
it is known how much dearer its second best place would be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from archive.ocr.text_rows import CAPITALS, Floats, Row
from archive.ocr.witnesses import Witness

WIDTH_MOST = 12.0
GAP_MOST = 6.0
ATOM_COST = 0.1
INK_COST = 1.2
SPAN_MOST = 48


@dataclass(frozen=True)
class Place:
    """A row, and its atoms from `first` to before `last`. `margin` is how much dearer another place is."""

    row: int
    first: int
    last: int
    margin: float
    cost: float


@dataclass(frozen=True)
class Ground:
    """All atoms of a page one after the other, and what every stretch of them costs whatever word it holds:
    `base[n - 1, j]` for the n atoms from j on."""

    x0: Floats
    x1: Floats
    row: NDArray[np.int64]
    em: Floats
    middle: Floats
    base: Floats
    width: Floats
    skip: Floats
    """What it costs to leave out all atoms before this one."""


def ground_of(rows: Sequence[Row]) -> Ground:
    x0, x1 = np.concatenate([row.x0 for row in rows]), np.concatenate([row.x1 for row in rows])
    row = np.repeat(np.arange(len(rows)), [len(one.x0) for one in rows])
    em = np.array([one.em for one in rows])[row]
    middle = (
        np.array([one.foot for one in rows])[row] + np.array([one.slope for one in rows])[row] * (x0 + x1) / 2
    )
    count = len(x0)
    inside, outside = np.zeros(count + 1), np.zeros(count + 1)
    at = 0
    for one in rows:
        gaps = one.gaps / one.em
        excess = (gaps - space_least(gaps)) / 0.08
        end = at + len(one.x0)
        inside[at + 1 : end] = np.clip(0.8 * excess, 0, GAP_MOST)
        outside[at + 1 : end] = np.clip(-0.8 * excess, 0, GAP_MOST / 2) / 2
        at = end
    sums = np.cumsum(inside)
    most = min(SPAN_MOST, count)
    base, width = np.full((most, count), np.inf), np.zeros((most, count))
    for length in range(1, most + 1):
        j = np.arange(count - length + 1)
        k = j + length - 1
        same = row[j] == row[k]
        cost = sums[k] - sums[j] + outside[j] + outside[k + 1]
        base[length - 1, : len(j)] = np.where(same, cost, np.inf)
        width[length - 1, : len(j)] = x1[k] - x0[j]
    skip = np.concatenate([[0.0], np.cumsum(ATOM_COST + INK_COST * (x1 - x0) / em)])
    return Ground(x0, x1, row, em, middle - em * CAPITALS / 2, base, width, skip)


def space_least(gaps: Floats) -> float:
    """Where gaps in a row begin to part words, in ems: in the widest step from those of letters to those of
    words."""
    usual = 0.17
    inner = np.sort(np.clip(gaps, 0.0, 0.6))
    if len(inner) < 4:
        return usual
    steps = np.diff(inner)
    near = (inner[:-1] + inner[1:]) / 2
    weighed = np.where((near > 0.09) & (near < 0.36), steps, 0.0)
    best = int(np.argmax(weighed))
    return float(near[best]) if weighed[best] > 0.03 else usual


def place(
    widths: Sequence[float],
    letters: Sequence[int],
    ground: Ground,
    stretch: Floats,
    witnesses: Sequence[Witness],
) -> list[Place | None]:
    """`widths` are expected in ems, `stretch` is by how much the type of each atom's row runs wider."""
    heard: dict[int, list[Witness]] = {}
    for witness in witnesses:
        heard.setdefault(witness.word, []).append(witness)
    count, atoms = len(widths), len(ground.x0)
    costs = [
        _costs(number, widths[number], letters[number], ground, stretch, heard) for number in range(count)
    ]
    # To leave a word out contradicts its witnesses as much as to place it elsewhere.
    leave = [
        8.0 + min(letters[number], 10) * 0.4 + sum(one.weight for one in heard.get(number, ()))
        for number in range(count)
    ]
    before = np.zeros((count + 1, atoms + 1))
    before[0] = ground.skip
    for number in range(count):
        reached = before[number] + leave[number]
        for length, cost in enumerate(costs[number], 1):
            there = before[number, : atoms - length + 1] + cost[: atoms - length + 1]
            np.minimum(reached[length:], there, out=reached[length:])
        before[number + 1] = np.minimum.accumulate(reached - ground.skip) + ground.skip
    after = np.zeros((count + 1, atoms + 1))
    after[count] = ground.skip[-1] - ground.skip
    for number in range(count - 1, -1, -1):
        reached = after[number + 1] + leave[number]
        for length, cost in enumerate(costs[number], 1):
            there = after[number + 1, length:] + cost[: atoms - length + 1]
            np.minimum(reached[: atoms - length + 1], there, out=reached[: atoms - length + 1])
        backwards = (reached + ground.skip)[::-1]
        after[number] = np.minimum.accumulate(backwards)[::-1] - ground.skip
    return _walk(costs, leave, before, after, ground)


def _costs(
    number: int,
    width: float,
    letters: int,
    ground: Ground,
    stretch: Floats,
    heard: Mapping[int, list[Witness]],
) -> Floats:
    most = min(len(ground.base), 3 * letters + 4)
    spans = ground.width[:most]
    expected = width * ground.em * stretch
    strain = ((spans - expected) / (0.09 * expected + 0.12 * ground.em)) ** 2
    costs: Floats = ground.base[:most] + np.minimum(strain, WIDTH_MOST)
    for witness in heard.get(number, ()):
        off = np.abs(ground.x0 - witness.x0) + np.abs(ground.x0 + spans - witness.x1)
        other_row = np.abs(ground.middle - witness.y) > 0.6 * ground.em
        costs = costs + witness.weight * np.minimum(np.where(other_row, 1.0, off / ground.em), 1.0)
    return costs


def _walk(
    costs: Sequence[Floats], leave: Sequence[float], before: Floats, after: Floats, ground: Ground
) -> list[Place | None]:
    """Along the cheapest way from the first word to the last."""
    places: list[Place | None] = []
    at = 0
    for number, table in enumerate(costs):
        atoms = len(ground.x0)
        most = len(table)
        totals = np.full((most, atoms), np.inf)
        for length in range(1, most + 1):
            end = atoms - length + 1
            totals[length - 1, :end] = table[length - 1, :end] + after[number + 1, length:]
        onward = totals[:, at:] + (ground.skip[at:-1] - ground.skip[at])
        left_out = leave[number] + after[number + 1, at]
        best = float(onward.min()) if onward.size else np.inf
        if not best < left_out:
            places.append(None)
            continue
        length, start = (int(value) for value in np.unravel_index(int(np.argmin(onward)), onward.shape))
        first, last = at + start, at + start + length + 1
        # Another place, or none, for this word: the rest of the text as well as it can be then.
        whole = totals + before[number, :-1]
        whole[_overlap(ground, first, last, most)] = np.inf
        other = min(float(whole.min()), float((before[number] + after[number + 1]).min()) + leave[number])
        row = int(ground.row[first])
        begin = int(np.searchsorted(ground.row, row))
        margin = other - float(before[-1, -1])
        places.append(Place(row, first - begin, last - begin, margin, float(table[length, first])))
        at = last
    return places


def _overlap(ground: Ground, first: int, last: int, most: int) -> NDArray[np.bool_]:
    """Which stretches share more than half of their width with this one."""
    x0, x1 = ground.x0[first], ground.x1[last - 1]
    starts, ends = ground.x0, ground.x0 + ground.width[:most]
    shared = np.minimum(ends, x1) - np.maximum(starts, x0)
    same: NDArray[np.bool_] = (ground.row == ground.row[first]) & (
        shared > 0.5 * np.minimum(ground.width[:most], x1 - x0)
    )
    return same
