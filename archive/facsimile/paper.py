"""Paper of a page: a tone, a faint cloud in it, the shade of the fold. Deterministic, and compressible."""

from __future__ import annotations

import random
from functools import lru_cache

from PIL import Image

from archive.facsimile.book_styles import HEIGHT, BookStyle, Colour

CLOUD = 4
"""Levels of each channel by which the cloud lightens and darkens the tone."""
FOLD = 150
"""Width of the shade beside the fold, in pixels."""


@lru_cache(maxsize=4)
def _cloud(width: int, height: int) -> Image.Image:
    # One seed for all paper: the cloud is scenery, and every page must come out the same twice.
    grains = random.Random(1916)  # noqa: S311 - the same grain every time
    coarse = Image.frombytes("L", (9, 14), grains.randbytes(9 * 14))
    fine = Image.frombytes("L", (60, 90), grains.randbytes(60 * 90))
    size = (width, height)
    small = (width // 4, height // 4)
    mixed = Image.blend(
        coarse.resize(small, Image.Resampling.BICUBIC), fine.resize(small, Image.Resampling.BICUBIC), 0.25
    )
    return mixed.resize(size, Image.Resampling.BILINEAR)


def _shifted(colour: Colour, by: int) -> Colour:
    red, green, blue = (max(0, min(255, channel + by)) for channel in colour)
    return red, green, blue


def blank_page(book_style: BookStyle, leaf: int) -> Image.Image:
    """An empty leaf. Odd leaves are right-hand pages, so their fold is at the left."""
    size = (book_style.width, HEIGHT)
    light = Image.new("RGB", size, _shifted(book_style.paper, CLOUD))
    dark = Image.new("RGB", size, _shifted(book_style.paper, -CLOUD))
    paper = Image.composite(light, dark, _cloud(*size))
    right_hand = leaf % 2 == 1
    turn = Image.Transpose.ROTATE_270 if right_hand else Image.Transpose.ROTATE_90
    shade = Image.linear_gradient("L").transpose(turn).resize((FOLD, HEIGHT))
    shade = shade.point([int((level / 255) ** 2 * 46) for level in range(256)])
    paper.paste(_shifted(book_style.rule, -30), (0 if right_hand else book_style.width - FOLD, 0), shade)
    return paper
