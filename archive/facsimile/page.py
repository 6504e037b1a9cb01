"""A page we typeset: its picture, and the place of every word on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image

COLOPHON = "Facsimile typeset from the transcription. No scan of this page is held."


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels of the full image."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def foot(self) -> int:
        return self.y + self.h

    def joined(self, other: Box) -> Box:
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.foot, other.foot) - y)


@dataclass(frozen=True)
class WordBox:
    """One printed word and where it stands. `line` is the number of its line on the leaf, `index` its place
    among the words of that line, `offset` the place of its first character in the line's printed text.
    `row` counts the rows we set: a long line fills several of them."""

    line: int
    index: int
    offset: int
    text: str
    passage: str
    row: int
    box: Box


@dataclass(frozen=True)
class Page:
    """`colophon` is the box of the line on the margin that says what this page is."""

    image: Image.Image
    words: tuple[WordBox, ...]
    colophon: Box
    body_size: int

    @property
    def width(self) -> int:
        return self.image.width

    @property
    def height(self) -> int:
        return self.image.height


def regions(words: Iterable[WordBox]) -> tuple[Box, ...]:
    """One rectangle per set row: what to light up for these words."""
    rows: dict[int, Box] = {}
    for word in words:
        rows[word.row] = rows[word.row].joined(word.box) if word.row in rows else word.box
    return tuple(rows.values())


def bounds(boxes: Iterable[Box]) -> Box | None:
    """The smallest rectangle around all boxes."""
    found: Box | None = None
    for box in boxes:
        found = box if found is None else found.joined(box)
    return found
