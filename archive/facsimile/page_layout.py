"""The layout of a page: the largest size at which a leaf fits, the space between galleys, the drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from archive.edition import Leaf
from archive.edition.text import Layer
from archive.facsimile.book_styles import HEIGHT, BookStyle, Ink, style_of_book
from archive.facsimile.composer import Block, Composer, blocks_of
from archive.facsimile.fonts import FontSet
from archive.facsimile.galley import (
    BRACKET_WIDTH,
    BRACKETS,
    Galley,
    GlyphRun,
    Ruling,
    SetWord,
    TypeSpec,
    glyph_runs,
    set_row,
)
from archive.facsimile.page import COLOPHON, GUESS, FacsimilePage, WordBox
from archive.facsimile.words import Segment, Word
from archive.images.boxes import Box, bounding_box

VERSION = "4"
"""Raised when pages come out otherwise than before, so that they are set anew."""

TOP = 150
FOOT = 210
SMALLEST = 24
COVER_STYLES = frozenset(
    {"title", "display", "centre", "imprint", "ornament", "heading", "stamp", "rule", "picture"}
)


@dataclass(frozen=True)
class PlacedGalley:
    """A galley and the y of its top on the page."""

    galley: Galley
    y: float


PAPER = (255, 255, 255)


@dataclass(frozen=True)
class PageSetting:
    """The words and rulings of a page in their places, before anything is drawn."""

    words: tuple[SetWord, ...]
    rulings: tuple[Ruling, ...]
    body_size: int

    @property
    def boxes(self) -> tuple[WordBox, ...]:
        boxes = (_word_box(word) for word in self.words)
        return tuple(sorted(boxes, key=lambda box: (box.line, box.index)))


def typeset_page(
    slug: str, leaf: Leaf, following: Leaf | None, fonts: FontSet, layer: Layer = "reading"
) -> FacsimilePage:
    """The typeset page of one leaf. A paragraph that goes on in the following leaf ends in a full row."""
    book_style = style_of_book(slug)
    setting = _set_page(book_style, leaf, following, fonts, layer)
    printed = setting if layer == "printed" else _set_page(book_style, leaf, following, fonts, "printed")
    image, colophon = _draw_page(book_style, fonts, setting)
    return FacsimilePage(image, setting.boxes, printed.boxes, colophon, setting.body_size)


def _set_page(
    book_style: BookStyle, leaf: Leaf, following: Leaf | None, fonts: FontSet, layer: Layer
) -> PageSetting:
    blocks = blocks_of(leaf, continues_overleaf(following), layer)
    cover = is_cover(blocks)
    depth = HEIGHT - TOP - FOOT - (160 if cover else 0)
    composer, galleys = _fitted(blocks, fonts, book_style, depth, cover)
    placed = _share(blocks, galleys, TOP + (80 if cover else 0), depth, cover)
    words: list[SetWord] = []
    rulings: list[Ruling] = list(_cover_frame(book_style)) if cover else []
    rows = 0
    for item in placed:
        words.extend(word.moved(book_style.margin, item.y, rows) for word in item.galley.words)
        rulings.extend(ruling.moved(book_style.margin, item.y) for ruling in item.galley.rulings)
        rows += item.galley.rows
    return PageSetting(tuple(words), tuple(rulings), composer.size)


def continues_overleaf(following: Leaf | None) -> bool:
    text = [line for line in following.lines if not line.furniture] if following else []
    return bool(text) and text[0].continues


def is_cover(blocks: Sequence[Block]) -> bool:
    """A title page has nothing but display lines; it stands in a frame, spread over the leaf."""
    return bool(blocks) and all(block.style in COVER_STYLES for block in blocks)


def _fitted(
    blocks: Sequence[Block], fonts: FontSet, book_style: BookStyle, depth: float, cover: bool
) -> tuple[Composer, list[Galley]]:
    """The largest size at which everything fits, found by halving. What never fits is set at the smallest."""

    def setting(size: int) -> tuple[Composer, list[Galley]]:
        composer = Composer(fonts, book_style, size, depth, cover)
        return composer, [composer.set(block) for block in blocks]

    largest = int(book_style.body_size * (1.3 if cover else 1))
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
) -> list[PlacedGalley]:
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
        placed.append(PlacedGalley(galley, y))
        y += galley.height
    return placed


def _first_imprint(blocks: Sequence[Block]) -> int | None:
    """The first of the imprint lines that close a leaf."""
    number = len(blocks)
    while number > 0 and blocks[number - 1].style == "imprint":
        number -= 1
    return number if 0 < number < len(blocks) else None


def _draw_page(book_style: BookStyle, fonts: FontSet, setting: PageSetting) -> tuple[Image.Image, Box]:
    """The page on white paper, and the box of its colophon."""
    coloured = any(thing.spec.ink == "accent" for thing in setting.words) or bool(setting.rulings)
    colophon = [_margin_row(COLOPHON, HEIGHT - 92, book_style, fonts)]
    colophon += [_margin_row(GUESS, HEIGHT - 48, book_style, fonts)] if coloured else []
    image = Image.new("RGB", (book_style.width, HEIGHT), PAPER)
    masks: dict[Ink, Image.Image] = {}
    for ruling in setting.rulings:
        _draw_ruling(_ink_mask(masks, ruling.ink, image), ruling)
    for word in (*setting.words, *(word for row in colophon for word in row)):
        _draw_word(_ink_mask(masks, word.spec.ink, image), word, fonts)
    for ink, mask in masks.items():
        image.paste(book_style.colour(ink), (0, 0), mask)
    boxes = [_box(word) for row in colophon for word in row]
    return image, bounding_box(boxes)


def _cover_frame(book_style: BookStyle) -> list[Ruling]:
    frame = []
    for inset, line in ((72, 7), (90, 2)):
        width, height = book_style.width - 2 * inset, HEIGHT - FOOT + 60 - 2 * inset
        frame += [
            Ruling(inset, inset, width, line, "accent"),
            Ruling(inset, inset + height - line, width, line, "accent"),
            Ruling(inset, inset, line, height, "accent"),
            Ruling(inset + width - line, inset, line, height, "accent"),
        ]
    return frame


def _margin_row(sentence: str, y: int, book_style: BookStyle, fonts: FontSet) -> tuple[SetWord, ...]:
    spec = TypeSpec("italic", 34, 0.0, "soft")
    texts = sentence.split()
    words = [Word(0, number, 0, text, "", (Segment(text, None),)) for number, text in enumerate(texts)]
    row = set_row(words, spec, fonts, 0, 0, spec.space)
    width = row[-1].x + row[-1].width
    return tuple(word.moved((book_style.width - width) / 2, y) for word in row)


def _ink_mask(masks: dict[Ink, Image.Image], ink: Ink, image: Image.Image) -> Image.Image:
    if ink not in masks:
        masks[ink] = Image.new("L", image.size, 0)
    return masks[ink]


def _draw_ruling(mask: Image.Image, ruling: Ruling) -> None:
    pen = ImageDraw.Draw(mask)
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


def _draw_word(mask: Image.Image, word: SetWord, fonts: FontSet) -> None:
    pen = ImageDraw.Draw(mask)
    for glyphs in glyph_runs(word.word, word.spec, fonts)[0]:
        if BRACKETS.match(glyphs.text):
            _draw_bracket(pen, word, glyphs)
            continue
        fonts.draw(pen, (word.x + glyphs.x, word.y - glyphs.raised), glyphs.text, glyphs.face, glyphs.size)


def _draw_bracket(pen: ImageDraw.ImageDraw, word: SetWord, glyphs: GlyphRun) -> None:
    """The bracket of supplied words, as high as its type."""
    size, x = glyphs.size, word.x + glyphs.x
    near, far = x + 0.06 * size, x + (BRACKET_WIDTH - 0.06) * size
    point, ends = (near, far) if glyphs.text == "⟨" else (far, near)
    top, middle, foot = word.y - 0.72 * size, word.y - 0.26 * size, word.y + 0.2 * size
    pen.line(
        [(ends, top), (point, middle), (ends, foot)], fill=255, width=max(2, round(size / 18)), joint="curve"
    )


def _box(word: SetWord) -> Box:
    x, y = math.floor(word.x), math.floor(word.y - word.spec.ascent)
    return Box(x, y, math.ceil(word.x + word.width) - x, math.ceil(word.y + word.spec.descent) - y)


def _word_box(set_word: SetWord) -> WordBox:
    word = set_word.word
    return WordBox(word.line, word.index, word.offset, word.text, word.passage, set_word.row, _box(set_word))
