"""Finds the angle of a page, by which it is straightened."""

from __future__ import annotations

import numpy as np

from archive.scans.ink_map import InkMap

MAX_ANGLE = 8.0
MIN_INK_POINTS = 400
"""Fewer points of ink than this say nothing about the direction of lines."""


def find_angle(ink_map: InkMap, near: float | None = None) -> float:
    """The angle at which lines of text lie level: there the sums over rows rise and fall most sharply."""
    x, y = ink_map.ink
    if len(x) < MIN_INK_POINTS:
        return near or 0.0

    def sharpness(angle: float) -> float:
        turn = np.radians(angle)
        rows = x * np.sin(turn) + y * np.cos(turn)
        sums = np.bincount((rows - rows.min()).astype(int)).astype(float)
        return float(((sums[1:] - sums[:-1]) ** 2).sum())

    middle = near or 0.0
    reach = MAX_ANGLE if near is None else 2.0
    rough = max(np.arange(middle - reach, middle + reach + 0.01, 0.5), key=sharpness)
    best = max(np.arange(rough - 0.5, rough + 0.51, 0.1), key=sharpness)
    return round(float(best), 1) + 0.0
