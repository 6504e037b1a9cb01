"""Placement of the words of a text on the ink of a page in reading order, at the least cost.

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

from archive.ocr.text_rows import CAPITAL_HEIGHT, Floats, TextRow
from archive.ocr.witnesses import Witness

MAX_WIDTH_COST = 12.0
MAX_GAP_COST = 6.0
ATOM_COST = 0.1
INK_COST = 1.2
MAX_SPAN = 48


@dataclass(frozen=True)
class Placement:
    """A row, and its atoms from `first` to before `last`. `margin` is how much dearer another place is."""

    row: int
    first: int
    last: int
    margin: float
    cost: float


@dataclass(frozen=True)
class Atoms:
    """All atoms of a page one after the other, and what every stretch of them costs with any word in it:
    `base[n - 1, j]` for the n atoms from j on."""

    x0: Floats
    x1: Floats
    row: NDArray[np.int64]
    em: Floats
    middle: Floats
    base: Floats
    width: Floats
    skip: Floats
    """The cost of leaving out all atoms before this one."""


def atoms_of(rows: Sequence[TextRow]) -> Atoms:
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
        excess = (gaps - min_space(gaps)) / 0.08
        end = at + len(one.x0)
        inside[at + 1 : end] = np.clip(0.8 * excess, 0, MAX_GAP_COST)
        outside[at + 1 : end] = np.clip(-0.8 * excess, 0, MAX_GAP_COST / 2) / 2
        at = end
    sums = np.cumsum(inside)
    most = min(MAX_SPAN, count)
    base, width = np.full((most, count), np.inf), np.zeros((most, count))
    for length in range(1, most + 1):
        j = np.arange(count - length + 1)
        k = j + length - 1
        same = row[j] == row[k]
        cost = sums[k] - sums[j] + outside[j] + outside[k + 1]
        base[length - 1, : len(j)] = np.where(same, cost, np.inf)
        width[length - 1, : len(j)] = x1[k] - x0[j]
    skip = np.concatenate([[0.0], np.cumsum(ATOM_COST + INK_COST * (x1 - x0) / em)])
    return Atoms(x0, x1, row, em, middle - em * CAPITAL_HEIGHT / 2, base, width, skip)


def min_space(gaps: Floats) -> float:
    """The least gap in a row that parts words, in ems: at the widest step from gaps of letters to those of
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


def cost_of_none(letters: Sequence[int], atoms: Atoms) -> float:
    """The cost of leaving out all words, and with them all ink."""
    return float(sum(8.0 + min(count, 10) * 0.4 for count in letters) + atoms.skip[-1])


def least_cost(
    widths: Sequence[float],
    letters: Sequence[int],
    atoms: Atoms,
    stretch: Floats,
    witnesses: Sequence[Witness],
) -> float:
    """What the cheapest placement costs; quicker than to place the words."""
    heard = _by_word(witnesses)
    count, reached = len(atoms.x0), atoms.skip
    for number, width in enumerate(widths):
        table = _costs(number, width, letters[number], atoms, stretch, heard)
        onward = reached + _leave(number, letters[number], heard)
        for length, cost in enumerate(table, 1):
            end = count - length + 1
            np.minimum(onward[length:], reached[:end] + cost[:end], out=onward[length:])
        reached = np.minimum.accumulate(onward - atoms.skip) + atoms.skip
    return float(reached[-1])


def _by_word(witnesses: Sequence[Witness]) -> dict[int, list[Witness]]:
    heard: dict[int, list[Witness]] = {}
    for witness in witnesses:
        heard.setdefault(witness.word, []).append(witness)
    return heard


def _leave(number: int, letters: int, heard: Mapping[int, list[Witness]]) -> float:
    """To leave a word out contradicts its witnesses as much as to place it elsewhere."""
    return 8.0 + min(letters, 10) * 0.4 + sum(one.weight for one in heard.get(number, ()))


def place_words(
    widths: Sequence[float],
    letters: Sequence[int],
    atoms: Atoms,
    stretch: Floats,
    witnesses: Sequence[Witness],
) -> list[Placement | None]:
    """`widths` are expected in ems, `stretch` is by how much the type of each atom's row runs wider."""
    heard = _by_word(witnesses)
    count, atom_count = len(widths), len(atoms.x0)
    costs = [
        _costs(number, widths[number], letters[number], atoms, stretch, heard) for number in range(count)
    ]
    leave = [_leave(number, letters[number], heard) for number in range(count)]
    before = np.zeros((count + 1, atom_count + 1))
    before[0] = atoms.skip
    for number in range(count):
        reached = before[number] + leave[number]
        for length, cost in enumerate(costs[number], 1):
            there = before[number, : atom_count - length + 1] + cost[: atom_count - length + 1]
            np.minimum(reached[length:], there, out=reached[length:])
        before[number + 1] = np.minimum.accumulate(reached - atoms.skip) + atoms.skip
    after = np.zeros((count + 1, atom_count + 1))
    after[count] = atoms.skip[-1] - atoms.skip
    for number in range(count - 1, -1, -1):
        reached = after[number + 1] + leave[number]
        for length, cost in enumerate(costs[number], 1):
            there = after[number + 1, length:] + cost[: atom_count - length + 1]
            np.minimum(reached[: atom_count - length + 1], there, out=reached[: atom_count - length + 1])
        backwards = (reached + atoms.skip)[::-1]
        after[number] = np.minimum.accumulate(backwards)[::-1] - atoms.skip
    return _cheapest_path(costs, leave, before, after, atoms)


def _costs(
    number: int,
    width: float,
    letters: int,
    atoms: Atoms,
    stretch: Floats,
    heard: Mapping[int, list[Witness]],
) -> Floats:
    most = min(len(atoms.base), 3 * letters + 4)
    spans = atoms.width[:most]
    expected = width * atoms.em * stretch
    strain = ((spans - expected) / (0.09 * expected + 0.12 * atoms.em)) ** 2
    costs: Floats = atoms.base[:most] + np.minimum(strain, MAX_WIDTH_COST)
    for witness in heard.get(number, ()):
        off = np.abs(atoms.x0 - witness.x0) + np.abs(atoms.x0 + spans - witness.x1)
        other_row = np.abs(atoms.middle - witness.y) > 0.6 * atoms.em
        costs = costs + witness.weight * np.minimum(np.where(other_row, 1.0, off / atoms.em), 1.0)
    return costs


def _cheapest_path(
    costs: Sequence[Floats], leave: Sequence[float], before: Floats, after: Floats, atoms: Atoms
) -> list[Placement | None]:
    """Along the cheapest way from the first word to the last."""
    places: list[Placement | None] = []
    at = 0
    for number, table in enumerate(costs):
        atom_count = len(atoms.x0)
        most = len(table)
        totals = np.full((most, atom_count), np.inf)
        for length in range(1, most + 1):
            end = atom_count - length + 1
            totals[length - 1, :end] = table[length - 1, :end] + after[number + 1, length:]
        onward = totals[:, at:] + (atoms.skip[at:-1] - atoms.skip[at])
        left_out = leave[number] + after[number + 1, at]
        best = float(onward.min()) if onward.size else np.inf
        if not best < left_out:
            places.append(None)
            continue
        length, start = (int(value) for value in np.unravel_index(int(np.argmin(onward)), onward.shape))
        first, last = at + start, at + start + length + 1
        # Another place, or none, for this word: the rest of the text as well as it can be then.
        whole = totals + before[number, :-1]
        whole[_overlap(atoms, first, last, most)] = np.inf
        other = min(float(whole.min()), float((before[number] + after[number + 1]).min()) + leave[number])
        row = int(atoms.row[first])
        begin = int(np.searchsorted(atoms.row, row))
        margin = other - float(before[-1, -1])
        places.append(Placement(row, first - begin, last - begin, margin, float(table[length, first])))
        at = last
    return places


def _overlap(atoms: Atoms, first: int, last: int, most: int) -> NDArray[np.bool_]:
    """The stretches that share more than half of their width with this one."""
    x0, x1 = atoms.x0[first], atoms.x1[last - 1]
    starts, ends = atoms.x0, atoms.x0 + atoms.width[:most]
    shared = np.minimum(ends, x1) - np.maximum(starts, x0)
    same: NDArray[np.bool_] = (atoms.row == atoms.row[first]) & (
        shared > 0.5 * np.minimum(atoms.width[:most], x1 - x0)
    )
    return same
