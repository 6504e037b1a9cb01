"""Facsimile pages as if somebody had scanned them, and other typesettings of the same words; both seeded."""

import math
import random
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from archive.edition import read_book
from archive.facsimile import FontSet, typeset_page
from archive.images.facsimile_tasks import word_record

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
    return FontSet(FONTS)


def facsimile(slug, number):
    """A page and the words its record would hold."""
    by_number = {leaf.number: leaf for leaf in editions()[slug].leaves}
    page = typeset_page(slug, by_number[number], by_number.get(number + 1), faces(), "printed")
    return page.image, [word_record(word) for word in page.words]


@dataclass(frozen=True)
class Scan:
    image: Image.Image
    known: list
    truth: list
    """The box of every known word on the image: x, y, w, h."""
    kinds: list = field(default_factory=list)
    """The part of the page that every known word stands in, where that was told."""


def scanned(slug, number, seed=0, **wear):
    """A facsimile page as if it had been scanned."""
    page, words = facsimile(slug, number)
    boxes = [(word["x"], word["y"], word["w"], word["h"]) for word in words]
    image, truth = worn(page, boxes, random.Random(f"{slug} {number} {seed}"), **wear)
    return Scan(image, words, truth)


def worn(page, boxes, chance, degrees=2.0, blur=1.7, specks=0.01):
    """A page turned, moved and scaled a little, in uneven light, blurred, then speckled; and its boxes."""
    turn = math.radians(degrees if chance.random() < 0.5 else -degrees)
    scale = chance.uniform(0.965, 0.995)
    dx, dy = chance.uniform(-14, 14), chance.uniform(-14, 14)
    width, height = page.size
    cx, cy = width / 2, height / 2
    cos, sin = math.cos(turn), math.sin(turn)

    def to_scan(x, y):
        across, down = cos * (x - cx) - sin * (y - cy), sin * (x - cx) + cos * (y - cy)
        return cx + dx + scale * across, cy + dy + scale * down

    back = 1 / scale
    matrix = (
        back * cos, back * sin, cx - back * (cos * (cx + dx) + sin * (cy + dy)),
        -back * sin, back * cos, cy - back * (-sin * (cx + dx) + cos * (cy + dy)),
    )  # fmt: skip
    desk = (70, 64, 58)
    turned = page.transform(
        page.size, Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC, fillcolor=desk
    )
    pixels = numpy.asarray(turned.filter(ImageFilter.GaussianBlur(blur)), dtype=numpy.float32)
    grains = numpy.random.default_rng(chance.randrange(2**32))
    light = 1 - 0.28 * numpy.linspace(0, 1, width)[None, :] ** 2 * numpy.linspace(1, 0.5, height)[:, None]
    pixels = pixels * light[:, :, None] + grains.normal(0, 4, (height, width, 1))
    noise = grains.random((height, width))
    pixels[noise < specks / 2] = 0
    pixels[noise > 1 - specks / 2] = 255
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)), [_around(to_scan, box) for box in boxes]


def _around(to_scan, box):
    x, y, w, h = box
    corners = [to_scan(*corner) for corner in ((x, y), (x + w, y), (x, y + h), (x + w, y + h))]
    left, right = min(c[0] for c in corners), max(c[0] for c in corners)
    top, foot = min(c[1] for c in corners), max(c[1] for c in corners)
    return left, top, right - left, foot - top


OTHER_FACES = (
    "libre-caslon-text/files/libre-caslon-text-latin-400-normal.woff2",
    "goudy-bookletter-1911/files/goudy-bookletter-1911-latin-400-normal.woff2",
)


def set_otherwise(slug, number, face=0, seed=0, **wear):
    """The words of a leaf set by another printer, in another face, size, measure and leading, with line ends
    of their own; then worn like a scan. What is known of them is still the facsimile."""
    _, words = facsimile(slug, number)
    chance = random.Random(f"otherwise {slug} {number} {face} {seed}")
    indent = chance.choice((60, 140))
    body = min(word["h"] for word in words)
    sizes = range(60, 22, -2)
    page = Image.new("RGB", (1660, 2400), (238, 228, 205))
    struck = next(
        (struck for struck in (_typeset(words, face, size / body, indent) for size in sizes) if fits(struck)),
        _typeset(words, face, 22 / body, indent),
    )
    pen = ImageDraw.Draw(page)
    for x, y, text, font, _ in struck:
        pen.text((x, y), text, font=font, fill=(40, 34, 30), anchor="ls")
    image, truth = worn(page, [box for *_, box in struck], chance, **wear)
    return Scan(image, words, truth)


def fits(struck):
    return struck[-1][1] < 2270


@cache
def _font(face, em):
    return ImageFont.truetype(FONTS / OTHER_FACES[face], em)


def _typeset(words, face, scale, indent):
    """Every line of the text begins a row; where the measure is full, another row begins. Spaces vary."""
    chance = random.Random(7)
    margin, right, y, x = 120, 1550, 120.0, 0.0
    struck, line = [], None
    for word in words:
        em = max(14, round(word["h"] * scale))
        while _font(face, em).getlength(word["text"]) > right - margin:
            em = int(em * 0.9)
        font = _font(face, em)
        long = font.getlength(word["text"])
        if word["line"] != line or x + long > right:
            y += em * 1.34
            x = margin + (indent if word["line"] != line else 0)
            line = word["line"]
        left, _, ink_right, _ = font.getbbox(word["text"], anchor="ls")
        capitals = -font.getbbox("H", anchor="ls")[1] / 0.7
        box = (x + left, y - 0.77 * capitals, ink_right - left, 1.01 * capitals)
        struck.append((x, y, word["text"], font, box))
        x += long + em * chance.uniform(0.22, 0.42)
    return struck


@dataclass(frozen=True)
class Judged:
    """`within` words have all four edges within 10 pixels of the truth, at a page height of 2400; `in_row`
    ones have their left and right edges so, and their middle in the right row; `wrong` ones are placed more
    than half their height or 25 pixels away."""

    words: int
    within: int
    wrong: int
    missing: int
    in_row: int = 0

    @property
    def row_share(self):
        return self.in_row / self.words

    @property
    def share(self):
        return self.within / self.words

    def __add__(self, other):
        return Judged(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))


def judged_by_kind(scan, found):
    """For each part of the page that the words say they stand in."""
    parts = {}
    for kind in sorted(set(scan.kinds)):
        of = [one for one, other in enumerate(scan.kinds) if other == kind]
        known, truth = ([whole[one] for one in of] for whole in (scan.known, scan.truth))
        parts[kind] = judged(replace(scan, known=known, truth=truth), found)
    return parts


def judged(scan, found):
    ours = {(word["line"], word["offset"]) for word in scan.known}
    placed = {(word["line"], word["offset"]): word for word in found}
    placed = {key: word for key, word in placed.items() if key in ours}
    within = wrong = in_row = 0
    for word, (x, y, w, h) in zip(scan.known, scan.truth, strict=True):
        box = placed.get((word["line"], word["offset"]))
        if box is None:
            continue
        right, foot = box["x"] + box["w"], box["y"] + box["h"]
        edges = (box["x"] - x, box["y"] - y, right - x - w, foot - y - h)
        reach = 10 * scan.image.height / 2400
        within += max(abs(edge) for edge in edges) <= reach
        in_row += max(abs(edges[0]), abs(edges[2])) <= reach and abs(edges[1] + edges[3]) / 2 < h / 2
        centre = max(abs(edges[0] + edges[2]), abs(edges[1] + edges[3])) / 2
        wrong += centre > max(25, h / 2)
    return Judged(len(scan.known), within, wrong, len(scan.known) - len(placed), in_row)
