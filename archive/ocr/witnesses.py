"""Witnesses: evidence for the place of a word besides the ink itself.

A reader (Tesseract) may have read it there. The facsimile has it there, which counts when most rows of the
facsimile are found again on the scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from archive.ocr.components import Mask
from archive.ocr.similarity import match_words
from archive.ocr.tesseract import OcrWord
from archive.ocr.text_rows import ASCENT, CAPITAL_HEIGHT, DESCENT, Floats, TextRow

READ_WEIGHT = 14.0
FACSIMILE_WEIGHT = 9.0
MIN_SHARE = 0.5
"""So much of the words must stand in rows that are found again; else this is another typesetting."""
BASE = ASCENT / (ASCENT + DESCENT)


@dataclass(frozen=True)
class Witness:
    """A word was seen from x0 to x1, in the row whose letters have their middle at y; `weight` says how much
    it costs to place it elsewhere."""

    word: int
    x0: float
    x1: float
    y: float
    weight: float


def reader_witnesses(known: Sequence[str], read: Sequence[OcrWord], rows: Sequence[TextRow]) -> list[Witness]:
    """Words as a reader read them. Its order is not trusted, only its boxes: they are put into our rows."""
    placed = sorted(((*_row_of(word, rows), word) for word in read), key=lambda found: (found[0], found[2].x))
    found = match_words(known, [word.text for _, _, word in placed])
    witnesses = []
    for ours, theirs, alike in found:
        number, middle, word = placed[theirs]
        weight = READ_WEIGHT * alike * min(1.0, 0.4 + len(known[ours]) / 6)
        row = rows[int(number)] if number >= 0 and number == int(number) else None
        x0 = _left_of(word, row, len(known[ours])) if row is not None else word.x
        witnesses.append(Witness(ours, x0, word.x + word.w, middle, weight))
    return witnesses


def _left_of(word: OcrWord, row: TextRow, letters: int) -> float:
    """Where a word begins. A capital of several lines was read with the rest of it, or the rest was read."""
    if row.initial is None or word.x > row.x0[1] + 0.3 * row.em:
        return word.x
    return row.left if word.x < row.left or len(word.text) < letters else word.x


def _row_of(word: OcrWord, rows: Sequence[TextRow]) -> tuple[float, float]:
    """The number of the row a read word stands in, and the middle of that row; without one, its own."""
    middle, x = word.y + word.h / 2, word.x + word.w / 2
    best, nearest = -1, 1e9
    for number, row in enumerate(rows):
        if row.left - row.em <= x <= row.right + row.em:
            distance = abs(row.baseline(x) - row.em * CAPITAL_HEIGHT / 2 - middle)
            if distance < min(nearest, 0.6 * row.em):
                best, nearest = number, distance
    if best >= 0:
        return float(best), rows[best].baseline(x) - rows[best].em * CAPITAL_HEIGHT / 2
    above = float(np.searchsorted([row.middle for row in rows], middle)) - 0.5
    return above, middle


def facsimile_witnesses(known: Sequence[Any], rows: Sequence[TextRow]) -> list[Witness]:
    """`known` are words with boxes and rows; none of it counts unless the rows of the scan agree."""
    if not rows or not all("w" in word for word in known):
        return []
    groups: dict[Any, list[int]] = {}
    for number, word in enumerate(known):
        groups.setdefault(word["row"], []).append(number)
    ours = np.array([_extent([known[one] for one in group]) for group in groups.values()])
    sizes = np.array([len(group) for group in groups.values()], dtype=np.float64)
    middles = [row.baseline((row.left + row.right) / 2) for row in rows]
    theirs = np.array([(row.left, row.right, base, row.em) for row, base in zip(rows, middles, strict=True)])
    scale, dx, dy, share = _fit(ours, sizes, theirs)
    if share < MIN_SHARE:
        return []
    witnesses = []
    for group, extent in zip(groups.values(), ours, strict=True):
        mapped = extent * scale + np.array([dx, dx, dy, 0.0])
        row = _nearest(mapped, rows, theirs)
        for one in group:
            word = known[one]
            x0, x1 = word["x"] * scale + dx, (word["x"] + word["w"]) * scale + dx
            base = (word["y"] + word["h"] * BASE) * scale + dy
            em = word["h"] * scale
            if row is not None:
                base, em = row.baseline((x0 + x1) / 2), row.em
            witnesses.append(Witness(one, x0, x1, base - em * CAPITAL_HEIGHT / 2, FACSIMILE_WEIGHT * share))
    return witnesses


def _extent(words: Sequence[Any]) -> tuple[float, float, float, float]:
    """Left, right, baseline and height of a row of known words."""
    left, right = min(word["x"] for word in words), max(word["x"] + word["w"] for word in words)
    base = float(np.median([word["y"] + word["h"] * BASE for word in words]))
    return left, right, base, float(np.median([word["h"] for word in words]))


def _fit(ours: Floats, sizes: Floats, theirs: Floats) -> tuple[float, float, float, float]:
    """Scale and shift under which most words stand in rows that are there, and the share of those words. Each
    pair of rows is tried as if it were the same row twice."""
    best = (1.0, 0.0, 0.0, 0.0)
    for left, right, base, _ in ours[np.argsort(-sizes)][:60]:
        if right - left < 20:
            continue
        for x0, x1, y, _ in theirs:
            scale = (x1 - x0) / (right - left)
            if not 0.2 < scale < 5:
                continue
            dx, dy = x0 - left * scale, y - base * scale
            share = _share(ours * scale + np.array([dx, dx, dy, 0.0]), sizes, theirs)
            if share > best[3]:
                best = (scale, dx, dy, share)
    return _refined(ours, sizes, theirs, best)


def _agreement(mapped: Floats, theirs: Floats, reach: float = 0.5) -> tuple[Mask, Mask]:
    sizes = mapped[:, None, 3] / theirs[None, :, 3]
    em = np.minimum(mapped[:, None, 3], theirs[None, :, 3]) * reach
    level = (np.abs(mapped[:, None, 2] - theirs[None, :, 2]) < em * 0.8) & (sizes > 0.6) & (sizes < 1.65)
    lefts = level & (np.abs(mapped[:, None, 0] - theirs[None, :, 0]) < em)
    rights = level & (np.abs(mapped[:, None, 1] - theirs[None, :, 1]) < em)
    return lefts, rights


def _share(mapped: Floats, sizes: Floats, theirs: Floats) -> float:
    lefts, rights = _agreement(mapped, theirs)
    # A margin alone is shared by every page; a row is found again when it also ends where it should.
    return float(((lefts & rights).any(axis=1) * sizes).sum() / sizes.sum())


def _refined(
    ours: Floats, sizes: Floats, theirs: Floats, best: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    scale, dx, dy, share = best
    for _ in range(3):
        mapped = ours * scale + np.array([dx, dx, dy, 0.0])
        lefts, rights = _agreement(mapped, theirs)
        equations, values = [], []
        for axis, found, place in ((0, lefts, 0), (1, rights, 1), (2, lefts & rights, 2)):
            for one, other in zip(*np.nonzero(found), strict=True):
                equations.append((ours[one, axis], float(axis < 2), float(axis == 2)))
                values.append(theirs[other, place])
        if len(values) < 6:
            break
        solved = np.linalg.lstsq(np.array(equations), np.array(values), rcond=None)[0]
        tried = _share(ours * solved[0] + np.array([solved[1], solved[1], solved[2], 0.0]), sizes, theirs)
        if tried < share:
            break
        (scale, dx, dy), share = (float(value) for value in solved), tried
    return scale, dx, dy, share


def _nearest(mapped: Floats, rows: Sequence[TextRow], theirs: Floats) -> TextRow | None:
    distance = np.abs(theirs[:, 2] - mapped[2]) / theirs[:, 3]
    apart = (theirs[:, 0] > mapped[1]) | (theirs[:, 1] < mapped[0])
    distance = np.where(apart, np.inf, distance)
    best = int(np.argmin(distance))
    return rows[best] if distance[best] < 0.45 else None
