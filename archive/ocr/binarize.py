"""Prepares a scan for recognition: light evened out, specks removed, rows level, ink told from paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from archive.ocr.deskew import find_skew

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]

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
    pixels = np.asarray(level)
    a, b, c, d, e, f = (value / scale for value in matrix)
    return PreparedPage(pixels, ink_mask(pixels), (a, b, c, d, e, f), degrees)


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
