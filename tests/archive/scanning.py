"""Facsimile pages as if somebody had scanned them, and other typesettings of the same words; both seeded."""

import math
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy
from PIL import Image, ImageFilter

from archive.edition import read_book
from archive.facsimile import Faces, set_page
from archive.images.making import word_record

ROOT = Path(__file__).parents[2]
FONTS = ROOT / "node_modules" / "@fontsource"
SLUGS = ("rap-rummy-1926", "rummy-1916", "thumbs-up-1941", "victory-rummy-1942")


@cache
def editions():
    return {slug: read_book(ROOT / "fixtures" / "books" / slug) for slug in SLUGS}


def leaves():
    """Every leaf of every book that is set as a page."""
    return [(slug, leaf.number) for slug in SLUGS for leaf in editions()[slug].leaves]


@cache
def faces():
    return Faces(FONTS)


def facsimile(slug, number):
    """A page and the words its record would hold."""
    by_number = {leaf.number: leaf for leaf in editions()[slug].leaves}
    page = set_page(slug, by_number[number], by_number.get(number + 1), faces())
    return page.image, [word_record(word) for word in page.words]


@dataclass(frozen=True)
class Scan:
    image: Image.Image
    known: list
    truth: list
    """The box of every known word on the image: x, y, w, h."""


def scanned(slug, number, seed=0, degrees=2.0, blur=1.7, specks=0.01):
    """The page turned, moved and scaled a little, in uneven light, blurred, then speckled."""
    page, words = facsimile(slug, number)
    chance = random.Random(f"{slug} {number} {seed}")
    turn = math.radians(degrees if chance.random() < 0.5 else -degrees)
    scale = chance.uniform(0.965, 0.995)
    dx, dy = chance.uniform(-14, 14), chance.uniform(-14, 14)
    width, height = page.size
    cx, cy = width / 2, height / 2
    cos, sin = math.cos(turn), math.sin(turn)

    def to_scan(x, y):
        return cx + dx + scale * (cos * (x - cx) - sin * (y - cy)), cy + dy + scale * (
            sin * (x - cx) + cos * (y - cy)
        )

    back = 1 / scale
    matrix = (
        back * cos, back * sin, cx - back * (cos * (cx + dx) + sin * (cy + dy)),
        -back * sin, back * cos, cy - back * (-sin * (cx + dx) + cos * (cy + dy)),
    )  # fmt: skip
    turned = page.transform(
        page.size, Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC, fillcolor=(70, 64, 58)
    )
    blurred = turned.filter(ImageFilter.GaussianBlur(blur))
    pixels = numpy.asarray(blurred, dtype=numpy.float32)
    grains = numpy.random.default_rng(chance.randrange(2**32))
    light = 1 - 0.28 * numpy.linspace(0, 1, width)[None, :] ** 2 * numpy.linspace(1, 0.5, height)[:, None]
    pixels = pixels * light[:, :, None] + grains.normal(0, 4, (height, width, 1))
    noise = grains.random((height, width))
    pixels[noise < specks / 2] = 0
    pixels[noise > 1 - specks / 2] = 255
    image = Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))
    truth = [_around(to_scan, word) for word in words]
    return Scan(image, words, truth)


def _around(to_scan, word):
    x, y, w, h = word["x"], word["y"], word["w"], word["h"]
    corners = [to_scan(*corner) for corner in ((x, y), (x + w, y), (x, y + h), (x + w, y + h))]
    left, right = min(c[0] for c in corners), max(c[0] for c in corners)
    top, foot = min(c[1] for c in corners), max(c[1] for c in corners)
    return left, top, right - left, foot - top
