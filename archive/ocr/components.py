"""Connected components of ink, found by runs: a run is a stretch of ink in one row of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]

SPECK_AREA = 6
SPECK_SHARE, SPECKLED, MANY = 0.04, 0.2, 500
"""Of the square of a letter's height: on a page with many letters, where more components than this share are
smaller, they are specks or print of the other side. Elsewhere they are points and dots."""


@dataclass(frozen=True)
class Components:
    """Rectangles of components, the right and lower edge outside, and their numbers of ink pixels."""

    x0: Ints
    y0: Ints
    x1: Ints
    y1: Ints
    area: Ints

    def __len__(self) -> int:
        return len(self.x0)

    @property
    def width(self) -> Ints:
        return self.x1 - self.x0

    @property
    def height(self) -> Ints:
        return self.y1 - self.y0

    def where(self, chosen: NDArray[np.bool_] | Ints) -> Components:
        return Components(
            self.x0[chosen], self.y0[chosen], self.x1[chosen], self.y1[chosen], self.area[chosen]
        )


def connected_components(ink: Mask) -> Components:
    height, width = ink.shape
    padded = np.zeros((height, width + 2), dtype=np.int8)
    padded[:, 1:-1] = ink
    edges = np.diff(padded.ravel())
    starts, ends = np.flatnonzero(edges == 1) + 1, np.flatnonzero(edges == -1) + 1
    stride = width + 2
    labels = _labels(starts, ends, stride)
    _, names = np.unique(labels, return_inverse=True)
    count = int(names.max()) + 1 if len(names) else 0
    rows, x0, x1 = starts // stride, starts % stride - 1, ends % stride - 1
    box = [np.full(count, 10**9), np.full(count, 10**9), np.zeros(count, int), np.zeros(count, int)]
    np.minimum.at(box[0], names, x0)
    np.minimum.at(box[1], names, rows)
    np.maximum.at(box[2], names, x1)
    np.maximum.at(box[3], names, rows + 1)
    area = np.bincount(names, x1 - x0, minlength=count).astype(np.int64)
    return Components(box[0], box[1], box[2], box[3], area)


def _labels(starts: Ints, ends: Ints, stride: int) -> Ints:
    """One name for all runs that touch, also by a corner: names are lowered until neighbours agree."""
    first = np.searchsorted(ends, starts + stride, side="left")
    after = np.searchsorted(starts, ends + stride, side="right")
    counts = np.maximum(after - first, 0)
    above = np.repeat(np.arange(len(starts)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    below = np.repeat(first, counts) + offsets
    labels = np.arange(len(starts))
    while True:
        one, other = labels[above], labels[below]
        if np.array_equal(one, other):
            return labels
        low = np.minimum(one, other)
        np.minimum.at(labels, one, low)
        np.minimum.at(labels, other, low)
        while not np.array_equal(labels, labels[labels]):
            labels = labels[labels]


def letter_components(ink: Mask) -> Components:
    """Components that may be letters or parts of them: no specks, rules, frames, nor the dark beside a
    page."""
    height, width = ink.shape
    found = connected_components(ink)
    found = found.where(found.area >= SPECK_AREA)
    w, h = found.width, found.height
    edge = (found.x0 <= 1) | (found.y0 <= 1) | (found.x1 >= width - 1) | (found.y1 >= height - 1)
    rule = ((w > 12 * h) & (w > width * 0.06)) | ((h > 8 * w) & (h > height * 0.06))
    vast = (h > height * 0.2) | ((w > width * 0.6) & (h > height * 0.08))
    found = found.where(~(rule | vast | (edge & ((w > width * 0.03) | (h > height * 0.03)))))
    found = found.where(~_specks(found))
    return found.where(~_frames(found))


def _specks(found: Components) -> Mask:
    none = np.zeros(len(found), dtype=bool)
    if len(found) < MANY:
        return none
    order = np.argsort(found.height)
    ink = np.cumsum(found.area[order])
    # Most ink is in letters, however many specks there are.
    letter = float(found.height[order][np.searchsorted(ink, ink[-1] / 2)])
    small: Mask = found.area < SPECK_SHARE * letter**2
    return small if small.mean() > SPECKLED and (~small).sum() >= MANY else none


def _frames(found: Components) -> Mask:
    """Components with several others of some size inside their rectangle: lines around a stamp or a table."""
    framed = np.zeros(len(found), dtype=bool)
    if not len(found):
        return framed
    size = found.width * found.height
    for one in np.flatnonzero(size > 12 * np.median(size)):
        inside = (found.x0 > found.x0[one]) & (found.x1 < found.x1[one])
        inside &= (found.y0 > found.y0[one]) & (found.y1 < found.y1[one])
        framed[one] = int((inside & (found.height > 0.12 * found.height[one])).sum()) >= 3
    return framed
