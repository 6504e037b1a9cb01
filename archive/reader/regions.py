"""Where passages and words stand on a page image, as paths to draw over it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from archive.models import PageImage

Word = Mapping[str, Any]
PAD = 10
"""So many pixels of the full image are left around the letters."""
LABEL_WORDS = 7
BAR = 14


@dataclass(frozen=True)
class Box:
    x: int
    y: int
    w: int
    h: int

    def joined(self, other: Box) -> Box:
        x, y = min(self.x, other.x), min(self.y, other.y)
        right, foot = max(self.x + self.w, other.x + other.w), max(self.y + self.h, other.y + other.h)
        return Box(x, y, right - x, foot - y)

    def padded(self, pad: int, width: int, height: int) -> Box:
        x, y = max(0, self.x - pad), max(0, self.y - pad)
        return Box(x, y, min(width, self.x + self.w + pad) - x, min(height, self.y + self.h + pad) - y)

    def within(self, width: int, height: int) -> Box:
        """What of it lies on a page of this size; at least a pixel."""
        x, y = min(max(0, self.x), width - 1), min(max(0, self.y), height - 1)
        return Box(x, y, max(1, min(width, self.x + self.w) - x), max(1, min(height, self.y + self.h) - y))

    @property
    def path(self) -> str:
        return f"M{self.x} {self.y}h{self.w}v{self.h}h-{self.w}z"

    @property
    def xywh(self) -> str:
        return f"{self.x},{self.y},{self.w},{self.h}"


@dataclass(frozen=True)
class Region:
    """The part of a passage that stands in one line of the leaf."""

    line: int
    path: str


@dataclass(frozen=True)
class PassageRegion:
    """A passage on a page image: its first words, its parts by line, a bar beside them."""

    anchor: str
    label: str
    parts: tuple[Region, ...]
    bar: str


def _box(word: Word) -> Box:
    return Box(word["x"], word["y"], word["w"], word["h"])


def _rows(words: Iterable[Word]) -> list[Box]:
    """One rectangle for each row of type these words stand in."""
    rows: dict[object, Box] = {}
    for word in words:
        box = _box(word)
        row = word["row"]
        rows[row] = rows[row].joined(box) if row in rows else box
    return list(rows.values())


def passage_regions(image: PageImage) -> tuple[PassageRegion, ...]:
    """Every passage that has words on this image, in the order of the page."""
    lines: dict[str, dict[int, list[Word]]] = {}
    for word in image.words:
        if word["passage"]:
            lines.setdefault(word["passage"], {}).setdefault(word["line"], []).append(word)
    return tuple(_region(anchor, parts, image) for anchor, parts in lines.items())


def _region(anchor: str, parts: Mapping[int, Sequence[Word]], image: PageImage) -> PassageRegion:
    shown = tuple(Region(line, _path(_rows(words), image)) for line, words in parts.items())
    whole = around(_box(word) for words in parts.values() for word in words)
    edge = Box(max(0, whole.x - 2 * PAD - BAR), max(0, whole.y - PAD), BAR, whole.h + 2 * PAD)
    return PassageRegion(anchor, _first_words(parts), shown, edge.path)


def _first_words(parts: Mapping[int, Sequence[Word]]) -> str:
    words = [word["text"] for line in parts.values() for word in line]
    return " ".join(words[:LABEL_WORDS]) + (" …" if len(words) > LABEL_WORDS else "")


def _path(boxes: Sequence[Box], image: PageImage) -> str:
    return "".join(box.padded(PAD, image.width, image.height).path for box in boxes)


def around(boxes: Iterable[Box]) -> Box:
    first, *others = boxes
    for box in others:
        first = first.joined(box)
    return first


def clip_of(image: PageImage, anchor: str) -> Box | None:
    """The rectangle of the page that shows a passage, with a little of the page around it."""
    boxes = [_box(word) for word in image.words if word["passage"] == anchor]
    if not boxes:
        return None
    return around(boxes).padded(max(24, image.width // 40), image.width, image.height)


def word_path(image: PageImage, wanted: Mapping[int, Collection[str]]) -> str:
    """The words that were looked for, by line; `wanted` has them in small letters, without signs."""
    words = [word for word in image.words if _bare(word["text"]) in wanted.get(word["line"], ())]
    return "".join(_box(word).padded(4, image.width, image.height).path for word in words)


def _bare(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
