"""Finds the skew of a page: by how many degrees its rows of type are not level."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

MAX_SKEW = 8.0
"""Degrees. A page that lies more crooked is straightened by a person first."""


def find_skew(ink: Mask) -> float:
    """The degrees by which rows fall to the right: there the sums over slanted rows are most uneven."""
    step = max(1, max(ink.shape) // 1000)
    height, width = ink.shape[0] // step * step, ink.shape[1] // step * step
    coarse = ink[:height, :width].reshape(height // step, step, width // step, step).sum(axis=(1, 3))
    coarse = np.where(_long_runs(coarse > 0, coarse.shape[1] // 10), 0, coarse)
    ys, xs = np.nonzero(coarse)
    if not len(ys):
        return 0.0
    weights = coarse[ys, xs].astype(np.float64)
    middle, room = xs - coarse.shape[1] / 2, coarse.shape[1]

    def unevenness(degrees: float) -> float:
        rows = (ys - middle * math.tan(math.radians(degrees)) + room).astype(np.int64)
        profile = np.bincount(rows, weights, minlength=coarse.shape[0] + 2 * room)
        return float(((profile[1:] - profile[:-1]) ** 2).sum())

    best = 0.0
    for reach, by in ((MAX_SKEW, 0.25), (0.25, 0.05), (0.05, 0.01)):
        tried = np.arange(max(best - reach, -MAX_SKEW), min(best + reach, MAX_SKEW) + by / 2, by)
        best = float(max(tried, key=unevenness))
    return best


def _long_runs(ink: Mask, length: int) -> Mask:
    """Ink that runs on to the right or left for this long: rules, and the dark beside the page, whose edges
    are those of the image and would be taken for rows."""
    sums = np.pad(np.cumsum(ink, axis=1), ((0, 0), (1, 0)))
    full: Mask = sums[:, length:] - sums[:, :-length] == length
    spread: NDArray[np.int64] = np.pad(np.cumsum(full, axis=1), ((0, 0), (length, length)), mode="edge")
    spread[:, :length] = 0
    found: Mask = spread[:, length : length + ink.shape[1]] > spread[:, : ink.shape[1]]
    return found
