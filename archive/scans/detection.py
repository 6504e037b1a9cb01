"""Where a page lies on a picture, how crooked it is, where a spread is folded: sums over rows and columns of
a small grey copy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from archive.scans.geometry import Steps, canvas_size

Numbers = NDArray[np.float64]
SIDE = 1_000
ANGLES_MOST = 8.0
INK_LEAST = 400
"""Fewer dark points than this say nothing about the direction of lines."""
PAPER_OVER_TABLE = 40
"""Paper is so much lighter than the table it lies on, if the two can be told apart."""
INSIDE = 0.6
"""An edge that was found is drawn in by so many per cent: a rim of table is uglier than less paper."""


@dataclass(frozen=True)
class Sight:
    """A picture as it is looked at here: places of ink and of paper, measured from its middle."""

    width: int
    height: int
    ink: tuple[Numbers, Numbers]
    paper: tuple[Numbers, Numbers] | None
    """None where no table shows around the page."""

    def canvas(self, angle: float) -> tuple[float, float]:
        return canvas_size(self.width, self.height, Steps(angle=angle))


def look(picture: Image.Image, turns: int) -> Sight:
    grey = picture.convert("L")
    grey.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
    if turns % 4:
        ways = (Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
        grey = grey.transpose(ways[turns % 4 - 1])
    paper = _paper(grey)
    around = grey.filter(ImageFilter.BoxBlur(12))
    darker = np.asarray(around, float) - np.asarray(grey, float) > 18
    if paper is not None:
        # Away from the edge of the page, which is darker too and is no line of text.
        darker &= _around(paper, 15) >= 254
    else:
        rim = 12
        darker[:rim], darker[-rim:], darker[:, :rim], darker[:, -rim:] = False, False, False, False
    return Sight(grey.width, grey.height, _places(darker), _places(paper) if paper is not None else None)


def _places(mask: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    y, x = np.nonzero(mask)
    return x + 0.5 - mask.shape[1] / 2, y + 0.5 - mask.shape[0] / 2


def _paper(grey: Image.Image) -> NDArray[np.bool_] | None:
    """Where the paper is, if it lies on something darker that shows all around or on some sides."""
    soft = np.asarray(grey.filter(ImageFilter.BoxBlur(4)), float)
    level = _between(soft)
    light = soft > level
    if light.all() or not light.any() or soft[light].mean() - soft[~light].mean() < PAPER_OVER_TABLE:
        return None
    rim = np.concatenate([light[:4].ravel(), light[-4:].ravel(), light[:, :4].ravel(), light[:, -4:].ravel()])
    if rim.mean() > 0.9 or light.mean() < 0.1:
        return None
    # What is printed on the page is dark too, and is closed up.
    return _around(_around(light, 7) > 0, 7) >= 254


def _around(mask: NDArray[np.bool_], reach: int) -> NDArray[np.uint8]:
    """How much of the square around each place is in the mask, from 0 to 255."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    return np.asarray(picture.filter(ImageFilter.BoxBlur(reach)))


def _between(levels: Numbers) -> float:
    """The level that best divides light from dark (Otsu's)."""
    counts = np.bincount(levels.astype(int).ravel(), minlength=256).astype(float)
    below, sums = np.cumsum(counts), np.cumsum(counts * np.arange(256))
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    return float(np.nanargmax(apart))


def straight(sight: Sight, near: float | None = None) -> float:
    """The angle at which lines of text lie level: there the sums over rows rise and fall most sharply."""
    x, y = sight.ink
    if len(x) < INK_LEAST:
        return near or 0.0

    def sharpness(angle: float) -> float:
        turn = np.radians(angle)
        rows = x * np.sin(turn) + y * np.cos(turn)
        sums = np.bincount((rows - rows.min()).astype(int)).astype(float)
        return float(((sums[1:] - sums[:-1]) ** 2).sum())

    middle = near or 0.0
    reach = ANGLES_MOST if near is None else 2.0
    rough = max(np.arange(middle - reach, middle + reach + 0.01, 0.5), key=sharpness)
    best = max(np.arange(rough - 0.5, rough + 0.51, 0.1), key=sharpness)
    return round(float(best), 1) + 0.0


def _turned(points: tuple[Numbers, Numbers], angle: float) -> tuple[Numbers, Numbers]:
    (x, y), turn = points, np.radians(angle)
    return x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)


def fold_of(sight: Sight, angle: float) -> float:
    """Where a spread is folded: the emptiest strip near its middle, in per cent of the canvas."""
    width, _ = sight.canvas(angle)
    inside = _edges(_turned(sight.paper, angle)[0], width) if sight.paper else (0.0, 100.0)
    across = (_turned(sight.ink, angle)[0] / width + 0.5) * 100
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


def half(sight: Sight, angle: float, fold: float, part: str) -> Sight:
    width, _ = sight.canvas(angle)
    across = (_turned(sight.ink, angle)[0] / width + 0.5) * 100
    mine = across < fold if part == "left" else across > fold
    return replace(sight, ink=(sight.ink[0][mine], sight.ink[1][mine]))


def framed(sight: Sight, steps: Steps) -> Steps:
    """The same steps with a frame around the page; the whole picture where no table shows."""
    if sight.paper is None:
        return steps
    width, height = sight.canvas(steps.angle)
    x, y = _turned(sight.paper, steps.angle)
    across = (x / width + 0.5) * 100
    if steps.part != "whole":
        mine = across < steps.split if steps.part == "left" else across > steps.split
        x, y = x[mine], y[mine]
    if not len(x):
        return steps
    left, right = _edges(x, width)
    top, bottom = _edges(y, height)
    if steps.part == "left":
        right = steps.split
    if steps.part == "right":
        left = steps.split
    return replace(steps, left=left, right=right, top=top, bottom=bottom)


def _edges(places: Numbers, length: float) -> tuple[float, float]:
    """From where to where something stands, in per cent, drawn in a little."""
    counts, _ = np.histogram(places / length + 0.5, bins=1_000, range=(0, 1))
    full = np.nonzero(counts > 0.6 * np.median(counts[counts > 0]))[0]
    first, last = float(full[0]) / 10 + INSIDE, float(full[-1] + 1) / 10 - INSIDE
    return (round(max(first, 0), 1), round(min(last, 100), 1)) if last - first > 5 else (0.0, 100.0)
