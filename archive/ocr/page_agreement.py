"""Agreement of a scan with the facsimile as a whole, checked after the words are laid over the ink.

Where it does, a word that contradicts all others is moved to where they expect it, and one that was left out
is put there, both only if ink is found in that place. Where it does not, nothing is changed: then the scan is
another typesetting, and its own ink is all that counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from archive.ocr.components import Mask
from archive.ocr.text_rows import ASCENT, DESCENT, Floats, TextRow
from archive.ocr.word_placement import Placement

MIN_MARGIN = 3.0
"""A word whose second best place is nearly as good as its best is only guessed."""
MIN_AGREEMENT = 0.6
"""So much of the words must stand where the others expect them, to a quarter of their height."""


@dataclass(frozen=True)
class PlacedBox:
    """The box of a word on the levelled page; `margin` as in Placement."""

    row: int
    x0: float
    x1: float
    top: float
    foot: float
    margin: float


def settle_words(
    known: Sequence[Mapping[str, Any]], places: Sequence[Placement | None], rows: Sequence[TextRow], ink: Mask
) -> list[PlacedBox | None]:
    spots = [_spot(place, rows) if place else None for place in places]
    boxes = np.array([(word["x"], word["y"], word["x"] + word["w"], word["y"] + word["h"]) for word in known])
    expected = _expected(boxes, spots)
    if expected is None:
        return spots
    heights = expected[:, 3] - expected[:, 1]
    settled: list[PlacedBox | None] = [None] * len(spots)
    doubtful = []
    for number, spot in enumerate(spots):
        if (
            spot is None
            or spot.margin < MIN_MARGIN
            or _distance(spot, expected[number]) > 0.5 * heights[number]
        ):
            doubtful.append(number)
        else:
            # The type is as large as the facsimile says: capitals of display faces are higher than others.
            top = (spot.top + spot.foot - heights[number]) / 2
            settled[number] = replace(spot, top=top, foot=top + heights[number])
    for number in doubtful:
        there = _inked_place(expected[number], rows, ink)
        if there is not None and not any(_covers(one, there) for one in settled if one):
            settled[number] = there
    return settled


def _covers(one: PlacedBox, other: PlacedBox) -> bool:
    """True if they share most of the smaller one's place: no two words stand there."""
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.foot, other.foot) - max(one.top, other.top)
    if across <= 0 or down <= 0:
        return False
    size = min((spot.x1 - spot.x0) * (spot.foot - spot.top) for spot in (one, other))
    return across * down > 0.5 * size


def _spot(place: Placement, rows: Sequence[TextRow]) -> PlacedBox:
    """As high as the type of its row, as our facsimiles have it, so that marks of a row are level."""
    row = rows[place.row]
    x0, x1 = float(row.x0[place.first]), float(row.x1[place.last - 1])
    if place.first == 0 and row.initial is not None:
        x0 = row.initial
    base = row.baseline((x0 + x1) / 2)
    return PlacedBox(place.row, x0, x1, base - ASCENT * row.em, base + DESCENT * row.em, place.margin)


def _expected(boxes: Floats, spots: Sequence[PlacedBox | None]) -> Floats | None:
    """The expected boxes on this page, from those of the facsimile and the words that were found; None if the
    page is set in another way."""
    sure = [number for number, spot in enumerate(spots) if spot and spot.margin >= MIN_MARGIN]
    if len(sure) < 3:
        return None
    there = np.array([(s.x0, s.top, s.x1, s.foot) for s in (spots[one] for one in sure) if s])
    from_x, from_y = boxes[sure][:, (0, 2)].mean(axis=1), boxes[sure][:, (1, 3)].mean(axis=1)
    to_x, to_y = there[:, (0, 2)].mean(axis=1), there[:, (1, 3)].mean(axis=1)
    points = np.stack([from_x, from_y, np.ones(len(sure))], axis=1)
    keep = np.ones(len(sure), dtype=bool)
    heights = there[:, 3] - there[:, 1]
    for _ in range(6):
        across = np.linalg.lstsq(points[keep], to_x[keep], rcond=None)[0]
        down = np.linalg.lstsq(points[keep], to_y[keep], rcond=None)[0]
        off = np.hypot(points @ across - to_x, points @ down - to_y)
        keep = off <= max(float(np.median(off)) * 2.5, 1.0)
        if keep.sum() < 3:
            return None
    corners = [np.stack([boxes[:, i], boxes[:, j], np.ones(len(boxes))], axis=1) for i, j in ((0, 1), (2, 3))]
    expected = np.stack(
        [corners[0] @ across, corners[0] @ down, corners[1] @ across, corners[1] @ down], axis=1
    )
    astray = np.abs(expected[sure] - there).max(axis=1)
    return expected if (astray < 0.25 * heights).sum() >= MIN_AGREEMENT * len(spots) else None


def _distance(spot: PlacedBox, expected: Floats) -> float:
    return float(max(abs(spot.x0 - expected[0]), abs(spot.x1 - expected[2]), abs(spot.top - expected[1]) / 2))


def _inked_place(expected: Floats, rows: Sequence[TextRow], ink: Mask) -> PlacedBox | None:
    """The expected place, if it is inked from side to side."""
    x0, top, x1, foot = (float(value) for value in expected)
    part = ink[max(0, int(top)) : max(0, int(foot)), max(0, int(x0)) : max(0, int(x1))]
    if not part.size:
        return None
    inked = np.flatnonzero(part.any(axis=0))
    if not len(inked) or inked[0] > 0.25 * part.shape[1] or inked[-1] < 0.75 * part.shape[1]:
        return None
    middle = (top + foot) / 2
    near = min(range(len(rows)), key=lambda one: abs(rows[one].middle - middle))
    return PlacedBox(near, x0, x1, top, foot, MIN_MARGIN)
