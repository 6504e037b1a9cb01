"""Where letters of the text stand on a page image. The image knows its printed words; a letter of either
layer is found by counting printed letters, so that mended and lost words have a place too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from archive.edition import Line
from archive.edition.note_positions import Place
from archive.facsimile.words import printed_text
from archive.models import Leaf, PageImage
from archive.reader.regions import Box

Word = Mapping[str, Any]
Span = tuple[int, int]


class WordsOnPage:
    """The words of one page image, asked for by passage, by line and by letter."""

    def __init__(self, leaf: Leaf, image: PageImage) -> None:
        self.image = image
        self.by_line: dict[int, list[tuple[Span, Word]]] = {}
        self.lines = {line.number: line for line in leaf.text_lines}
        texts = {number: printed_text(line) for number, line in self.lines.items()}
        for word in image.words:
            start = len("".join(texts.get(word["line"], "")[: word["offset"]].split()))
            span = (start, start + len(word["text"]))
            self.by_line.setdefault(word["line"], []).append((span, word))

    def rows(self) -> list[tuple[str, Box]]:
        """Every row of type: its words and its place."""
        rows: dict[object, list[Word]] = {}
        for word in self.image.words:
            rows.setdefault(_row(word), []).append(word)
        return [
            (" ".join(word["text"] for word in words), around(map(box_of, words))) for words in rows.values()
        ]

    def of_passage(self, anchor: str) -> list[Box]:
        return by_row(word for word in self.image.words if word["passage"] == anchor)

    def of_letters(self, places: Iterable[Place], layer: str) -> list[Box]:
        """One box for each row of type in which some of these letters stand."""
        found: dict[int, Word] = {}
        runs: dict[tuple[int, int], list[int]] = {}
        for place in places:
            runs.setdefault((place.line, place.run), []).append(place.offset)
        for (number, run), offsets in runs.items():
            line = self.lines.get(number)
            if line is None:
                continue
            span = _span(line, run, layer, min(offsets) - 1, max(offsets))
            for word in self._touching(line.number, span):
                found[id(word)] = word
        return by_row(found.values())

    def _touching(self, line: int, span: Span) -> list[Word]:
        """The words some of these printed letters belong to. What is not in print stands between two words,
        and the one before it marks the place."""
        words = self.by_line.get(line, [])
        start, end = span
        if start < end:
            return [word for (first, last), word in words if first < end and start < last]
        before = [word for (_, last), word in words if last <= start]
        return before[-1:] or [word for _, word in words[:1]]


def _span(line: Line, run: int, layer: str, start: int, end: int) -> Span:
    """Letters `start` to `end` of a run, counted in a layer, as printed letters of their line."""
    before = sum(len(_close(other.printed)) for other in line.runs[:run])
    one = line.runs[run]
    if layer == "printed" or one.kind == "text":
        text = one.text("printed" if layer == "printed" else "reading")
        return before + len(_close(text[:start])), before + len(_close(text[:end]))
    return before, before + len(_close(one.printed))


def _close(text: str) -> str:
    return "".join(text.split())


def _row(word: Word) -> object:
    return word.get("row", word["line"])


def box_of(word: Word) -> Box:
    return Box(word["x"], word["y"], word["w"], word["h"])


def by_row(words: Iterable[Word]) -> list[Box]:
    rows: dict[object, list[Box]] = {}
    for word in words:
        rows.setdefault(_row(word), []).append(box_of(word))
    return [around(boxes) for boxes in rows.values()]


def around(boxes: Iterable[Box]) -> Box:
    first, *others = boxes
    for box in others:
        first = first.joined(box)
    return first


def pages_of(leaves: Iterable[Leaf]) -> dict[int, WordsOnPage]:
    """The best image of every leaf that has one, by the leaf's number."""
    return {leaf.number: WordsOnPage(leaf, image) for leaf in leaves if (image := leaf.image)}
