"""What speaks for a word's place besides the ink itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from archive.ocr.similarity import same_words
from archive.ocr.tesseract import Read
from archive.ocr.text_rows import CAPITALS, Row


@dataclass(frozen=True)
class Witness:
    """A word was seen from x0 to x1, in the row whose letters have their middle at y; `weight` says how much
    it costs to place it elsewhere."""

    word: int
    x0: float
    x1: float
    y: float
    weight: float


READ_WEIGHT = 14.0


def readers(known: Sequence[str], read: Sequence[Read], rows: Sequence[Row]) -> list[Witness]:
    """Words as a reader read them. Its order is not trusted, only its boxes: they are put into our rows."""
    placed = sorted(((*_row_of(word, rows), word) for word in read), key=lambda found: (found[0], found[2].x))
    found = same_words(known, [word.text for _, _, word in placed])
    witnesses = []
    for ours, theirs, alike in found:
        _, middle, word = placed[theirs]
        weight = READ_WEIGHT * alike * min(1.0, 0.4 + len(known[ours]) / 6)
        witnesses.append(Witness(ours, word.x, word.x + word.w, middle, weight))
    return witnesses


def _row_of(word: Read, rows: Sequence[Row]) -> tuple[float, float]:
    """The number of the row a read word stands in, and the middle of that row; without one, its own."""
    middle, x = word.y + word.h / 2, word.x + word.w / 2
    best, nearest = -1, 1e9
    for number, row in enumerate(rows):
        if row.left - row.em <= x <= row.right + row.em:
            distance = abs(row.baseline(x) - row.em * CAPITALS / 2 - middle)
            if distance < min(nearest, 0.6 * row.em):
                best, nearest = number, distance
    if best >= 0:
        return float(best), rows[best].baseline(x) - rows[best].em * CAPITALS / 2
    above = float(np.searchsorted([row.middle for row in rows], middle)) - 0.5
    return above, middle
