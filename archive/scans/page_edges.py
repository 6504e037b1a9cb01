"""Finds the edges of a page on its picture, and the fold of a double page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from archive.scans.geometry import Steps
from archive.scans.ink_map import InkMap, Numbers, rotated

INSET = 0.6
"""An edge that was found is moved inwards by so many per cent: a rim of table is uglier than less paper."""


def add_frame(ink_map: InkMap, steps: Steps, wide: bool = False) -> Steps:
    """The same steps with a frame around the page; the whole picture where no table shows. A wide frame has
    all of the paper in it, and with it some of the table where edges are not level."""
    if ink_map.paper is None:
        return steps
    width, height = ink_map.canvas(steps.angle)
    x, y = rotated(ink_map.paper, steps.angle)
    across = (x / width + 0.5) * 100
    if steps.part != "whole":
        mine = across < steps.split if steps.part == "left" else across > steps.split
        x, y = x[mine], y[mine]
    if not len(x):
        return steps
    left, right = _edges(x, width, wide)
    top, bottom = _edges(y, height, wide)
    if steps.part == "left":
        right = steps.split
    if steps.part == "right":
        left = steps.split
    return replace(steps, left=left, right=right, top=top, bottom=bottom)


def find_fold(ink_map: InkMap, angle: float) -> float:
    """The fold of a double page: the emptiest strip near its middle, in per cent of the canvas."""
    width, _ = ink_map.canvas(angle)
    inside = _edges(rotated(ink_map.paper, angle)[0], width) if ink_map.paper else (0.0, 100.0)
    across = (rotated(ink_map.ink, angle)[0] / width + 0.5) * 100
    counts, _ = np.histogram(across, bins=400, range=(0, 100))
    soft = np.convolve(counts, np.ones(9) / 9, mode="same")
    middle = (inside[0] + inside[1]) / 2
    reach = (inside[1] - inside[0]) * 0.12
    places = np.arange(400) / 4 + 0.125
    near = np.abs(places - middle) <= reach
    if not near.any() or not len(across):
        return 50.0
    empty = near & (soft <= soft[near].min() + soft.mean() * 0.05)
    if empty[np.abs(places - middle).argmin()]:
        # The middle of the paper itself is as good a place as any in the strip, and most often the true one.
        return round(middle, 1)
    return round(float(np.median(places[empty])), 1)


def half_of(ink_map: InkMap, angle: float, fold: float, part: str) -> InkMap:
    """The map with the ink of one half of a double page alone."""
    width, _ = ink_map.canvas(angle)
    across = (rotated(ink_map.ink, angle)[0] / width + 0.5) * 100
    mine = across < fold if part == "left" else across > fold
    return replace(ink_map, ink=(ink_map.ink[0][mine], ink_map.ink[1][mine]))


def _edges(places: Numbers, length: float, wide: bool = False) -> tuple[float, float]:
    """The first and last place where points are dense, in per cent, moved inwards a little; or, wide, where
    there are any to speak of, moved outwards."""
    counts, _ = np.histogram(places / length + 0.5, bins=1_000, range=(0, 1))
    full = np.nonzero(counts > (0.05 if wide else 0.6) * np.median(counts[counts > 0]))[0]
    inset = -INSET if wide else INSET
    first, last = float(full[0]) / 10 + inset, float(full[-1] + 1) / 10 - inset
    return (round(max(first, 0), 1), round(min(last, 100), 1)) if last - first > 5 else (0.0, 100.0)
