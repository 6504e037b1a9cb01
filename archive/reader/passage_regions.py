"""Regions of passages, and of words that were searched for, as paths to draw over a page image."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from archive.images.boxes import Box, Word, bounding_box, row_boxes, word_box
from archive.models import PageImage

PAD = 10
"""So many pixels of the full image are left around the letters."""
LABEL_WORDS = 7
BAR = 14


@dataclass(frozen=True)
class LineRegion:
    """The part of a passage that stands in one line of the leaf."""

    line: int
    path: str


@dataclass(frozen=True)
class PassageRegion:
    """A passage on a page image: its first words, its parts by line, a bar beside them."""

    anchor: str
    label: str
    parts: tuple[LineRegion, ...]
    bar: str


def passage_regions(image: PageImage) -> tuple[PassageRegion, ...]:
    """Every passage that has words on this image, in the order of the page."""
    lines: dict[str, dict[int, list[Word]]] = {}
    for word in image.words:
        if word["passage"]:
            lines.setdefault(word["passage"], {}).setdefault(word["line"], []).append(word)
    return tuple(_region(anchor, parts, image) for anchor, parts in lines.items())


def _region(anchor: str, parts: Mapping[int, Sequence[Word]], image: PageImage) -> PassageRegion:
    shown = tuple(LineRegion(line, _path(row_boxes(words), image)) for line, words in parts.items())
    whole = bounding_box(word_box(word) for words in parts.values() for word in words)
    edge = Box(max(0, whole.x - 2 * PAD - BAR), max(0, whole.y - PAD), BAR, whole.h + 2 * PAD)
    return PassageRegion(anchor, _first_words(parts), shown, edge.path)


def _first_words(parts: Mapping[int, Sequence[Word]]) -> str:
    words = [word["text"] for line in parts.values() for word in line]
    return " ".join(words[:LABEL_WORDS]) + (" …" if len(words) > LABEL_WORDS else "")


def _path(boxes: Sequence[Box], image: PageImage) -> str:
    return "".join(box.padded(PAD, image.width, image.height).path for box in boxes)


def word_path(image: PageImage, wanted: Mapping[int, Collection[str]]) -> str:
    """The words that were searched for, by line; `wanted` has them in small letters, without signs."""
    words = [word for word in image.words if _bare(word["text"]) in wanted.get(word["line"], ())]
    return "".join(word_box(word).padded(4, image.width, image.height).path for word in words)


def _bare(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
