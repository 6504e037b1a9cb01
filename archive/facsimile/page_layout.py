"""Setting a page: the largest size at which a leaf fits, the room shared out, the ink put on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from archive.edition import Leaf
from archive.facsimile.book_styles import HEIGHT, Dress, Ink, dress_of
from archive.facsimile.compose import Block, Composer, blocks_of
from archive.facsimile.fonts import Faces
from archive.facsimile.galley import Cut, Galley, Ruling, SetWord, set_row, sorts_of
from archive.facsimile.page import COLOPHON, Box, Page, WordBox
from archive.facsimile.paper import sheet
from archive.facsimile.words import Segment, Word

VERSION = "3"
"""Raised when pages come out otherwise than before, so that they are set anew."""

TOP = 150
FOOT = 210
SMALLEST = 24
COVER_STYLES = frozenset(
    {"title", "display", "centre", "imprint", "ornament", "heading", "stamp", "rule", "picture"}
)


@dataclass(frozen=True)
class Placed:
    """A galley and the y of its top on the page."""

    galley: Galley
    y: float


def set_page(slug: str, leaf: Leaf, following: Leaf | None, faces: Faces) -> Page:
    """The facsimile of one leaf. A paragraph that goes on in the following leaf ends in a full row."""
    dress = dress_of(slug)
    blocks = blocks_of(leaf, goes_on(following))
    cover = is_cover(blocks)
    depth = HEIGHT - TOP - FOOT - (160 if cover else 0)
    composer, galleys = _fitted(blocks, faces, dress, depth, cover)
    placed = _share(blocks, galleys, TOP + (80 if cover else 0), depth, cover)
    return _print(dress, leaf.number, faces, placed, composer.size, cover)


def goes_on(following: Leaf | None) -> bool:
    text = [line for line in following.lines if not line.furniture] if following else []
    return bool(text) and text[0].continues


def is_cover(blocks: Sequence[Block]) -> bool:
    """A title page has nothing but display lines; it stands in a frame, spread over the leaf."""
    return bool(blocks) and all(block.style in COVER_STYLES for block in blocks)


def _fitted(
    blocks: Sequence[Block], faces: Faces, dress: Dress, depth: float, cover: bool
) -> tuple[Composer, list[Galley]]:
    """The largest size at which everything fits, found by halving. What never fits is set at the smallest."""

    def setting(size: int) -> tuple[Composer, list[Galley]]:
        composer = Composer(faces, dress, size, depth, cover)
        return composer, [composer.set(block) for block in blocks]

    largest = int(dress.body_size * (1.3 if cover else 1))
    best = setting(largest)
    if _height(best[1]) <= depth:
        return best
    fits, too_large = SMALLEST, largest
    best = setting(fits)
    while too_large - fits > 1:
        middle = (fits + too_large) // 2
        tried = setting(middle)
        if _height(tried[1]) <= depth:
            fits, best = middle, tried
        else:
            too_large = middle
    return best


def _height(galleys: Sequence[Galley]) -> float:
    return sum(galley.height + galley.above for galley in galleys) - (galleys[0].above if galleys else 0)


def _share(
    blocks: Sequence[Block], galleys: Sequence[Galley], top: float, depth: float, cover: bool
) -> list[Placed]:
    """Room that is left opens the spaces, most on pages with a title; imprints sink to the foot."""
    slack = depth - _height(galleys)
    imprint = _first_imprint(blocks)
    spaces = sum(galley.above for galley in galleys[1:]) or 1
    titled = any(block.style == "title" for block in blocks)
    widest = 2.6 if cover else 1.3 if titled else 0.9
    open_by = min(slack / spaces, widest)
    rest = slack - open_by * spaces
    # Without an imprint to sink, a cover hangs at its middle; a page that begins a text, a little low.
    low = rest * 0.42 if cover else min(rest * 0.3, 140) if blocks and blocks[0].begins else 0.0
    y = top + (low if imprint is None else 0.0)
    placed = []
    for number, galley in enumerate(galleys):
        if number:
            y += galley.above * (1 + open_by)
        if number == imprint:
            y += rest
        placed.append(Placed(galley, y))
        y += galley.height
    return placed


def _first_imprint(blocks: Sequence[Block]) -> int | None:
    """The first of the imprint lines that close a leaf."""
    number = len(blocks)
    while number > 0 and blocks[number - 1].style == "imprint":
        number -= 1
    return number if 0 < number < len(blocks) else None


def _print(dress: Dress, leaf: int, faces: Faces, placed: Sequence[Placed], size: int, cover: bool) -> Page:
    words: list[SetWord] = []
    rulings: list[Ruling] = list(_cover_frame(dress)) if cover else []
    rows = 0
    for item in placed:
        words.extend(word.moved(dress.margin, item.y, rows) for word in item.galley.words)
        rulings.extend(ruling.moved(dress.margin, item.y) for ruling in item.galley.rulings)
        rows += item.galley.rows
    colophon = _colophon(dress, faces)
    image = sheet(dress, leaf)
    plates: dict[Ink, Image.Image] = {}
    for ruling in rulings:
        _rule(_plate(plates, ruling.ink, image), ruling)
    for word in (*words, *colophon):
        _strike(_plate(plates, word.cut.ink, image), word, faces)
    for ink, plate in plates.items():
        image.paste(dress.colour(ink), (0, 0), plate)
    boxes = sorted((_word_box(word) for word in words), key=lambda box: (box.line, box.index))
    first, last = _box(colophon[0]), _box(colophon[-1])
    return Page(image, tuple(boxes), first.joined(last), size)


def _cover_frame(dress: Dress) -> list[Ruling]:
    frame = []
    for inset, line in ((72, 7), (90, 2)):
        width, height = dress.width - 2 * inset, HEIGHT - FOOT + 60 - 2 * inset
        frame += [
            Ruling(inset, inset, width, line, "accent"),
            Ruling(inset, inset + height - line, width, line, "accent"),
            Ruling(inset, inset, line, height, "accent"),
            Ruling(inset + width - line, inset, line, height, "accent"),
        ]
    return frame


def _colophon(dress: Dress, faces: Faces) -> tuple[SetWord, ...]:
    cut = Cut("italic", 34, 0.0, "soft")
    texts = COLOPHON.split()
    words = [Word(0, number, 0, text, "", (Segment(text, None),)) for number, text in enumerate(texts)]
    row = set_row(words, cut, faces, 0, 0, cut.space)
    width = row[-1].x + row[-1].width
    return tuple(word.moved((dress.width - width) / 2, HEIGHT - 78) for word in row)


def _plate(plates: dict[Ink, Image.Image], ink: Ink, image: Image.Image) -> Image.Image:
    if ink not in plates:
        plates[ink] = Image.new("L", image.size, 0)
    return plates[ink]


def _rule(plate: Image.Image, ruling: Ruling) -> None:
    pen = ImageDraw.Draw(plate)
    corners = (
        round(ruling.x),
        round(ruling.y),
        round(ruling.x + ruling.w) - 1,
        round(ruling.y + ruling.h) - 1,
    )
    if ruling.disc:
        pen.ellipse(corners, fill=255)
    else:
        pen.rectangle((*corners[:2], max(corners[0], corners[2]), max(corners[1], corners[3])), fill=255)


def _strike(plate: Image.Image, word: SetWord, faces: Faces) -> None:
    pen = ImageDraw.Draw(plate)
    for sort in sorts_of(word.word, word.cut, faces)[0]:
        font = faces.font(sort.face, sort.size)
        pen.text((word.x + sort.x, word.y), sort.text, font=font, fill=255, anchor="ls")


def _box(word: SetWord) -> Box:
    x, y = math.floor(word.x), math.floor(word.y - word.cut.ascent)
    return Box(x, y, math.ceil(word.x + word.width) - x, math.ceil(word.y + word.cut.descent) - y)


def _word_box(set_word: SetWord) -> WordBox:
    word = set_word.word
    return WordBox(word.line, word.index, word.offset, word.text, word.passage, set_word.row, _box(set_word))
