"""A scan made ready to be searched: light evened out, specks gone, rows level, ink told from paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]

SIDE_MOST = 2600
"""Letters of a leaflet are clear at this size; more pixels cost time and find nothing."""
TURN_MOST = 8.0
"""Degrees. What lies more crooked is straightened by a person first."""


@dataclass(frozen=True)
class Sheet:
    """`grey` is the levelled page, white as 255; `ink` where it is dark. `back` leads from its pixels to
    those of the image it came from: x' = a x + b y + c, y' = d x + e y + f."""

    grey: Grey
    ink: Mask
    back: tuple[float, float, float, float, float, float]
    degrees: float

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.grey.shape
        return width, height

    def box_back(self, x0: float, y0: float, x1: float, y1: float) -> tuple[int, int, int, int]:
        """The rectangle x, y, w, h around this one's corners on the image it came from."""
        a, b, c, d, e, f = self.back
        corners = ((x0, y0), (x1, y0), (x0, y1), (x1, y1))
        xs = [a * x + b * y + c for x, y in corners]
        ys = [d * x + e * y + f for x, y in corners]
        left, top = math.floor(min(xs)), math.floor(min(ys))
        return left, top, math.ceil(max(xs)) - left, math.ceil(max(ys)) - top


def prepare(image: Image.Image) -> Sheet:
    """The page of an image: even, clean and level."""
    grey = image.convert("L")
    scale = min(1.0, SIDE_MOST / max(grey.size))
    if scale < 1.0:
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        grey = grey.resize(size, Image.Resampling.BOX)
    even = evened(grey.filter(ImageFilter.MedianFilter(3)))
    degrees = skew(dark(np.asarray(even)))
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    cx, cy = even.width / 2, even.height / 2
    matrix = (cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy)
    level = even.transform(even.size, Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC, fillcolor=255)
    pixels = np.asarray(level)
    a, b, c, d, e, f = (value / scale for value in matrix)
    return Sheet(pixels, dark(pixels), (a, b, c, d, e, f), degrees)


def evened(grey: Image.Image) -> Image.Image:
    """Every part of the page divided by the paper around it, so that shade and tone go."""
    small = grey.reduce(16).filter(ImageFilter.MedianFilter(3)).filter(ImageFilter.MaxFilter(9))
    paper = np.asarray(
        small.filter(ImageFilter.GaussianBlur(4)).resize(grey.size, Image.Resampling.BILINEAR),
        dtype=np.float32,
    )
    level = np.asarray(grey, dtype=np.float32) * (255.0 / np.maximum(paper, 24.0))
    return Image.fromarray(np.clip(level, 0, 255).astype(np.uint8))


def dark(even: Grey) -> Mask:
    """Ink, told from paper by the two heaps of the page's levels."""
    counts = np.bincount(even.ravel(), minlength=256).astype(np.float64)
    levels = np.arange(256)
    below, total = np.cumsum(counts), counts.sum()
    sums = np.cumsum(counts * levels)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = (sums[-1] * below / total - sums) ** 2 / (below * (total - below))
    middle = int(np.nanargmax(np.nan_to_num(spread)))
    # Thin strokes are paler than thick ones. What is clearly darker than paper and its grain is ink.
    paper = int(np.searchsorted(below, (below[middle] + total) / 2))
    grain = paper - int(np.searchsorted(below, below[middle] + (total - below[middle]) * 0.16))
    return even < max(middle, min((middle + paper) // 2, paper - 4 * grain))


def skew(ink: Mask) -> float:
    """By how many degrees the rows fall to the right: where the sums over slanted rows are most uneven."""
    step = max(1, max(ink.shape) // 1000)
    height, width = ink.shape[0] // step * step, ink.shape[1] // step * step
    coarse = ink[:height, :width].reshape(height // step, step, width // step, step).sum(axis=(1, 3))
    coarse = np.where(_long(coarse > 0, coarse.shape[1] // 10), 0, coarse)
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
    for reach, by in ((TURN_MOST, 0.25), (0.25, 0.05), (0.05, 0.01)):
        tried = np.arange(max(best - reach, -TURN_MOST), min(best + reach, TURN_MOST) + by / 2, by)
        best = float(max(tried, key=unevenness))
    return best


def _long(ink: Mask, length: int) -> Mask:
    """Where ink runs on to the right or left for this long: rules, and the dark beside the page, whose edges
    are those of the image and would be taken for rows."""
    sums = np.pad(np.cumsum(ink, axis=1), ((0, 0), (1, 0)))
    full: Mask = sums[:, length:] - sums[:, :-length] == length
    spread: NDArray[np.int64] = np.pad(np.cumsum(full, axis=1), ((0, 0), (length, length)), mode="edge")
    spread[:, :length] = 0
    found: Mask = spread[:, length : length + ink.shape[1]] > spread[:, : ink.shape[1]]
    return found
