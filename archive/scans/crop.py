"""Cuts a page from a picture by its steps; the same steps on a small copy and on the whole give one page."""

from __future__ import annotations

import math

from PIL import Image

from archive.scans.black_and_white import PAPER, convert
from archive.scans.geometry import Steps, affine, page_size


def crop_page(image: Image.Image, steps: Steps, side_max: int, quick: bool = False) -> Image.Image:
    """The page that these steps cut from an upright picture; no side is longer than `side_max`. For a quick
    look it is cut a little less finely."""
    width, height = image.size
    size = page_size(width, height, steps, side_max)
    whole = page_size(width, height, steps)
    times = max(int(whole[0] / size[0]), 1)
    if times > 1:
        image = image.reduce(times)
    # Measured on the picture as it now is, which is smaller by about `times`.
    a, b, c, d, e, f = affine(width, height, steps, size)
    sx, sy = image.width / width, image.height / height
    page = image.transform(
        size,
        Image.Transform.AFFINE,
        (a * sx, b * sx, c * sx, d * sy, e * sy, f * sy),
        Image.Resampling.BILINEAR if quick else Image.Resampling.BICUBIC,
        fillcolor=PAPER if image.mode == "L" else (PAPER, PAPER, PAPER),
    )
    return convert(page, steps.tone)


def side_needed(width: int, height: int, steps: Steps, side_max: int) -> int:
    """The length that the longer side of a picture needs for a page of that size; 0 if all of it is needed,
    or if its size is not known."""
    if not width or not height:
        return 0
    times = max(page_size(width, height, steps)) / side_max
    return math.ceil(max(width, height) / times) if times > 1 else 0
