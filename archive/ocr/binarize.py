"""Prepares a scan for recognition: light evened out, specks removed, rows level, ink told from paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from archive.ocr.components import Mask, letter_components
from archive.ocr.deskew import find_skew
from archive.ocr.dewarp import Bend, find_bend

Grey = NDArray[np.uint8]

MAX_SIDE = 2600
"""Letters of a leaflet are clear at this size; more pixels cost time and find nothing."""


@dataclass(frozen=True)
class PreparedPage:
    """`grey` is the levelled page, white as 255; `ink` is its mask. `back` leads from its pixels to
    those of the image it came from: x' = a x + b y + c, y' = d x + e y + f."""

    grey: Grey
    ink: Mask
    back: tuple[float, float, float, float, float, float]
    degrees: float
    bend: Bend | None = None
    """How its rows were bent before they were made straight."""

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.grey.shape
        return width, height

    def box_back(self, x0: float, y0: float, x1: float, y1: float) -> tuple[int, int, int, int]:
        """The rectangle x, y, w, h around this one's corners on the image it came from."""
        a, b, c, d, e, f = self.back
        if self.bend is not None:
            lowered = float(self.bend.at(np.array((x0 + x1) / 2), np.array((y0 + y1) / 2)))
            y0, y1 = y0 + lowered, y1 + lowered
        corners = ((x0, y0), (x1, y0), (x0, y1), (x1, y1))
        xs = [a * x + b * y + c for x, y in corners]
        ys = [d * x + e * y + f for x, y in corners]
        left, top = math.floor(min(xs)), math.floor(min(ys))
        return left, top, math.ceil(max(xs)) - left, math.ceil(max(ys)) - top

    def box_onto(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """The other way: edges on the image it came from, as edges on this page."""
        a, b, c, d, e, f = self.back
        det = a * e - b * d
        corners = [(x - c, y - f) for x in (x0, x1) for y in (y0, y1)]
        xs = [(e * x - b * y) / det for x, y in corners]
        ys = [(a * y - d * x) / det for x, y in corners]
        if self.bend is not None:
            ys = [y - float(self.bend.at(np.array(x), np.array(y))) for x, y in zip(xs, ys, strict=True)]
        # A region that was drawn level covers what its corners cover on the whole.
        return (
            sum(sorted(xs)[:2]) / 2,
            sum(sorted(ys)[:2]) / 2,
            sum(sorted(xs)[2:]) / 2,
            sum(sorted(ys)[2:]) / 2,
        )


def prepare_page(image: Image.Image) -> PreparedPage:
    """The page of an image: even, clean and level."""
    grey = image.convert("L")
    scale = min(1.0, MAX_SIDE / max(grey.size))
    if scale < 1.0:
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        grey = grey.resize(size, Image.Resampling.BOX)
    even = even_light(grey.filter(ImageFilter.MedianFilter(3)))
    degrees = find_skew(ink_mask(np.asarray(even)))
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    cx, cy = even.width / 2, even.height / 2
    matrix = (cos, -sin, cx - cos * cx + sin * cy, sin, cos, cy - sin * cx - cos * cy)
    level = even.transform(even.size, Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC, fillcolor=255)
    bend = find_bend(letter_components(ink_mask(np.asarray(level))), level.size)
    pixels = np.asarray(bend.straighten(level) if bend else level)
    a, b, c, d, e, f = (value / scale for value in matrix)
    return PreparedPage(pixels, ink_mask(pixels), (a, b, c, d, e, f), degrees, bend)


def even_light(grey: Image.Image) -> Image.Image:
    """Every part of the page divided by the paper around it, so that shade and tone go."""
    small = grey.reduce(16).filter(ImageFilter.MedianFilter(3)).filter(ImageFilter.MaxFilter(9))
    paper = np.asarray(
        small.filter(ImageFilter.GaussianBlur(4)).resize(grey.size, Image.Resampling.BILINEAR),
        dtype=np.float32,
    )
    level = np.asarray(grey, dtype=np.float32) * (255.0 / np.maximum(paper, 24.0))
    return Image.fromarray(np.clip(level, 0, 255).astype(np.uint8))


def ink_mask(even: Grey) -> Mask:
    """The mask of ink, told from paper by the two peaks of the page's levels."""
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
