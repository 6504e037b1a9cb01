"""Photographs of pages on a table, as phones take them: uneven light, the shadow of a hand, a curled edge, a
second page in sight, coloured paper, stains. All are seeded, and the place of every word is known."""

import random
from dataclasses import dataclass

import numpy
from PIL import Image, ImageDraw, ImageFilter

from tests.archive.worn_pages import facsimile, leaves

KINDS = (
    "dark table", "uneven light", "shadow of a hand", "curled edge",
    "second page", "coloured paper", "stains", "keystone",
)  # fmt: skip
TABLES = ((52, 44, 38), (88, 66, 48), (70, 72, 74))
PAPERS = ((238, 228, 205), (214, 186, 140), (176, 196, 170), (205, 170, 160))
PAGE = (770, 1110)
MESH = 24


@dataclass(frozen=True)
class Photograph:
    image: Image.Image
    kind: str
    words: list
    """The corners of every word on the photograph, four points each."""


def photographs(count):
    """So many, of every kind in turn, of pages in turn."""
    pages = leaves()
    return [photographed(*pages[n * 5 % len(pages)], KINDS[n % len(KINDS)], n) for n in range(count)]


def photographed(slug, number, kind, seed):
    chance = random.Random(f"{slug} {number} {kind} {seed}")
    page, words = facsimile(slug, number)
    page, boxes = _trimmed(page, words, chance)
    if kind == "coloured paper":
        page = _dyed(page, chance.choice(PAPERS[1:]))
    if kind == "stains":
        page = _stained(page, chance)
    width, height = 1100, 1450
    left, top = chance.uniform(90, 230), chance.uniform(90, 230)
    warp = Warp(PAGE, chance, kind)
    table = Image.new("RGB", (width, height), chance.choice(TABLES))
    if kind == "second page":
        other, _ = facsimile(*leaves()[seed % 7])
        table.paste(other.resize(PAGE), (round(left - PAGE[0] * 0.93), round(top + chance.uniform(-20, 20))))
    mesh = []
    for x in range(0, width, MESH):
        for y in range(0, height, MESH):
            far = x + MESH, y + MESH
            quad = [warp.back(px - left, py - top) for px, py in ((x, y), (x, far[1]), far, (far[0], y))]
            mesh.append(((x, y, *far), [side for point in quad for side in point]))
    cover = Image.new("L", PAGE, 255)
    laid = page.transform((width, height), Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)
    seen = cover.transform((width, height), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)
    table.paste(laid, mask=seen)
    corners = []
    for x, y, w, h in boxes:
        points = [warp.ahead(*point) for point in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))]
        corners.append([(left + px, top + py) for px, py in points])
    return Photograph(_lit(table, kind, chance), kind, corners)


class Warp:
    """A page seen aslant, and bent upwards at one edge."""

    def __init__(self, size, chance, kind):
        self.width, self.height = size
        self.turn = numpy.radians(chance.uniform(-2.5, 2.5))
        strong = 1.0 if kind == "keystone" else 0.15
        self.lean = strong * chance.uniform(0.6e-4, 1.2e-4) * chance.choice((1, -1))
        self.curl = chance.uniform(25, 60) if kind == "curled edge" else chance.uniform(0, 5)

    def _lift(self, x):
        return -self.curl * max(0.0, x / self.width - 0.45) ** 2 / 0.3

    def ahead(self, x, y):
        y += self._lift(x)
        cos, sin = numpy.cos(self.turn), numpy.sin(self.turn)
        cx, cy = self.width / 2, self.height / 2
        u, v = cos * (x - cx) - sin * (y - cy), sin * (x - cx) + cos * (y - cy)
        far = 1 + self.lean * v
        return cx + u / far, cy + v / far

    def back(self, x, y):
        cx, cy = self.width / 2, self.height / 2
        u, v = x - cx, y - cy
        v = v / (1 - self.lean * v)
        u = u * (1 + self.lean * v)
        cos, sin = numpy.cos(self.turn), numpy.sin(self.turn)
        x, y = cx + cos * u + sin * v, cy - sin * u + cos * v
        return x, y - self._lift(x)


def _trimmed(page, words, chance):
    """Cut close to the print, as bookbinders do, and made smaller."""
    room = chance.uniform(14, 60)
    x0, y0 = min(word["x"] for word in words) - room, min(word["y"] for word in words) - room
    x1 = max(word["x"] + word["w"] for word in words) + room
    y1 = max(word["y"] + word["h"] for word in words) + room
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, page.width), min(y1, page.height)
    sx, sy = PAGE[0] / (x1 - x0), PAGE[1] / (y1 - y0)
    boxes = [((w["x"] - x0) * sx, (w["y"] - y0) * sy, w["w"] * sx, w["h"] * sy) for w in words]
    return page.resize(PAGE, Image.Resampling.LANCZOS, (x0, y0, x1, y1)), boxes


def _dyed(page, colour):
    pixels = numpy.asarray(page, dtype=numpy.float32) * (numpy.array(colour) / PAPERS[0])
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def _stained(page, chance):
    stains = Image.new("L", page.size, 255)
    pen = ImageDraw.Draw(stains)
    for _ in range(7):
        x, y, r = chance.uniform(0, PAGE[0]), chance.uniform(0, PAGE[1]), chance.uniform(40, 180)
        pen.ellipse((x - r, y - r, x + r, y + r), fill=chance.randrange(90, 190))
    tone = numpy.asarray(stains.filter(ImageFilter.GaussianBlur(9)), dtype=numpy.float32)[:, :, None] / 255
    tint = 1 - (1 - tone) * numpy.array([0.8, 1.0, 1.2])
    return Image.fromarray((numpy.asarray(page) * tint).clip(0, 255).astype(numpy.uint8))


def _lit(table, kind, chance):
    width, height = table.size
    x, y = numpy.meshgrid(numpy.linspace(0, 1, width), numpy.linspace(0, 1, height))
    light = numpy.full((height, width), 0.96, dtype=numpy.float32) - 0.08 * x
    if kind == "uneven light":
        turn = chance.uniform(0, 6.3)
        along = (x - 0.5) * numpy.cos(turn) + (y - 0.5) * numpy.sin(turn) + 0.5
        light = 1.05 - chance.uniform(0.55, 0.85) * along.clip(0, 1) ** chance.choice((1.0, 1.8))
    if kind == "curled edge":
        light = light * (1 - 0.65 * ((x - 0.6) / 0.3).clip(0, 1))
    if kind == "shadow of a hand":
        shade = Image.new("L", (width, height), 0)
        pen = ImageDraw.Draw(shade)
        sx, sy = chance.choice((0.1, 0.9)) * width, chance.uniform(0.5, 1) * height
        pen.ellipse((sx - 330, sy - 300, sx + 330, sy + 300), fill=255)
        for finger in range(4):
            fx = sx - 240 + 140 * finger
            pen.rounded_rectangle((fx, sy - 560 + 60 * abs(finger - 1.5), fx + 90, sy), 45, fill=255)
        soft = numpy.asarray(shade.filter(ImageFilter.GaussianBlur(chance.choice((6, 25)))), numpy.float32)
        light = light * (1 - chance.uniform(0.5, 0.75) * soft / 255)
    pixels = numpy.asarray(table.filter(ImageFilter.GaussianBlur(0.9)), numpy.float32) * light[:, :, None]
    grains = numpy.random.default_rng(chance.randrange(2**32))
    pixels = pixels + grains.normal(0, 4, (height, width, 1))
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def words_cut(photograph, steps):
    """How many words reach over the frame that these steps cut."""
    from archive.scans.geometry import affine, page_size

    size = page_size(*photograph.image.size, steps)
    a, b, c, d, e, f = affine(*photograph.image.size, steps, size)
    det, lost = a * e - b * d, 0
    for corners in photograph.words:
        for x, y in corners:
            u, v = (e * (x - c) - b * (y - f)) / det, (a * (y - f) - d * (x - c)) / det
            if not (0 <= u <= size[0] and 0 <= v <= size[1]):
                lost += 1
                break
    return lost
