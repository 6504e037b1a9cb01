"""A page made from a picture by its steps; the same steps on a small copy and on the whole give one page."""

from __future__ import annotations

import math

from PIL import Image, ImageChops, ImageFilter

from archive.scans.geometry import Steps, affine, page_size

PAPER = 255
BLUR_SHARE = 40
"""Black and white is judged against the light around a place: a circle of this share of the page's side."""
INK_LEAST = 22
"""So much darker than the paper around it is ink."""


def develop(image: Image.Image, steps: Steps, side_max: int, quick: bool = False) -> Image.Image:
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
    return toned(page, steps.tone)


def room_for(width: int, height: int, steps: Steps, side_max: int) -> int:
    """How long the longer side of a picture must be, at most, for a page of that size; 0 if all of it is
    needed, or if its size is not known."""
    if not width or not height:
        return 0
    times = max(page_size(width, height, steps)) / side_max
    return math.ceil(max(width, height) / times) if times > 1 else 0


def toned(page: Image.Image, tone: str) -> Image.Image:
    if tone == "colour":
        return page
    grey = page.convert("L")
    return grey if tone == "grey" else black_and_white(grey)


def black_and_white(grey: Image.Image) -> Image.Image:
    """Ink is what is darker than the paper around it; shadows and stains, which are wide, go."""
    around = grey.filter(ImageFilter.BoxBlur(max(max(grey.size) // BLUR_SHARE, 4)))
    darker = ImageChops.subtract(around, grey)
    return darker.point([0 if level > INK_LEAST else PAPER for level in range(256)])
