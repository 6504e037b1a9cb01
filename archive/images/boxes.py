"""Boxes: rectangles on a page image, in pixels of the full image, and the boxes of its words.

A word is stored with its image, as archive.models.PageImage says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Word = Mapping[str, Any]


@dataclass(frozen=True)
class Box:
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

    def padded(self, pad: int, width: int, height: int) -> Box:
        x, y = max(0, self.x - pad), max(0, self.y - pad)
        return Box(x, y, min(width, self.right + pad) - x, min(height, self.foot + pad) - y)

    def within(self, width: int, height: int) -> Box:
        """The part of it that lies on a page of this size; at least a pixel."""
        x, y = min(max(0, self.x), width - 1), min(max(0, self.y), height - 1)
        return Box(x, y, max(1, min(width, self.right) - x), max(1, min(height, self.foot) - y))

    @property
    def path(self) -> str:
        """As the path of an SVG."""
        return f"M{self.x} {self.y}h{self.w}v{self.h}h-{self.w}z"

    @property
    def xywh(self) -> str:
        """As the region of a IIIF address."""
        return f"{self.x},{self.y},{self.w},{self.h}"


def word_box(word: Word) -> Box:
    return Box(word["x"], word["y"], word["w"], word["h"])


def bounding_box(boxes: Iterable[Box]) -> Box:
    """The smallest box around these; there must be one."""
    first, *others = boxes
    for box in others:
        first = first.joined(box)
    return first


def text_rows(words: Iterable[Word]) -> list[list[Word]]:
    """The words by the row of type they stand in."""
    rows: dict[object, list[Word]] = {}
    for word in words:
        rows.setdefault(word.get("row", word["line"]), []).append(word)
    return list(rows.values())


def row_boxes(words: Iterable[Word]) -> list[Box]:
    """One box for each row of type these words stand in."""
    return [bounding_box(map(word_box, row)) for row in text_rows(words)]
