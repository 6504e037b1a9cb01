"""Boxes of text lines and letters on a page image, and the annotation page of the lines.

The image knows its words, of the source text on a scan and of the reading text on a typeset page; a letter of
either layer is found by counting letters of that one, so that corrected and lost words have a place too.
"""

from __future__ import annotations

from collections.abc import Iterable

from archive.edition import Line
from archive.edition.note_positions import TextPosition
from archive.edition.text import Layer, without_spaces
from archive.facsimile.words import set_text
from archive.iiif.presentation import PRESENTATION, canvas_address
from archive.images.boxes import Box, Word, bounding_box, row_boxes, text_rows, word_box
from archive.models import Book, Leaf, PageImage
from archive.responses import JsonObject

AROUND_LETTERS = 6
"""So many pixels are left around the letters, so that a frame does not touch them."""

Span = tuple[int, int]


class WordsOnPage:
    """The words of one page image, found by passage, by line and by letter."""

    def __init__(self, leaf: Leaf, image: PageImage) -> None:
        self.image = image
        self.by_line: dict[int, list[tuple[Span, Word]]] = {}
        self.lines = {line.number: line for line in leaf.text_lines}
        texts = {number: set_text(line, image.layer) for number, line in self.lines.items()}
        for word in image.words:
            start = len(without_spaces(texts.get(word["line"], "")[: word["offset"]]))
            span = (start, start + len(word["text"]))
            self.by_line.setdefault(word["line"], []).append((span, word))

    def rows(self) -> list[tuple[str, Box]]:
        """Every row of type: its words and its place."""
        return [
            (" ".join(word["text"] for word in words), bounding_box(map(word_box, words)))
            for words in text_rows(self.image.words)
        ]

    def of_passage(self, anchor: str) -> list[Box]:
        return row_boxes(word for word in self.image.words if word["passage"] == anchor)

    def of_letters(self, places: Iterable[TextPosition], layer: str) -> list[Box]:
        """One box for each row of type in which some of these letters stand."""
        found: dict[int, Word] = {}
        runs: dict[tuple[int, int], list[int]] = {}
        for place in places:
            runs.setdefault((place.line, place.run), []).append(place.offset)
        for (number, run), offsets in runs.items():
            line = self.lines.get(number)
            if line is None:
                continue
            span = _span(line, run, (layer, self.image.layer), min(offsets) - 1, max(offsets))
            for word in self._touching(line.number, span):
                found[id(word)] = word
        return row_boxes(found.values())

    def _touching(self, line: int, span: Span) -> list[Word]:
        """The words some of these printed letters belong to. What is not in print stands between two words,
        and the one before it marks the place."""
        words = self.by_line.get(line, [])
        start, end = span
        if start < end:
            return [word for (first, last), word in words if first < end and start < last]
        before = [word for (_, last), word in words if last <= start]
        return before[-1:] or [word for _, word in words[:1]]


def _span(line: Line, run: int, layers: tuple[str, Layer], start: int, end: int) -> Span:
    """Letters `start` to `end` of a run, counted in one layer, as letters of their line on the page."""
    counted, page = layers
    before = sum(len(without_spaces(other.text(page))) for other in line.runs[:run])
    one = line.runs[run]
    if counted == page or one.kind == "text":
        text = one.text(page)
        return before + len(without_spaces(text[:start])), before + len(without_spaces(text[:end]))
    return before, before + len(without_spaces(one.text(page)))


def pages_of(leaves: Iterable[Leaf]) -> dict[int, WordsOnPage]:
    """The best image of every leaf that has one, by the leaf's number."""
    return {leaf.number: WordsOnPage(leaf, image) for leaf in leaves if (image := leaf.image)}


def padded(box: Box, page: WordsOnPage) -> Box:
    return box.padded(AROUND_LETTERS, page.image.width, page.image.height)


def annotation_page(address: str, items: list[JsonObject]) -> JsonObject:
    return {"@context": PRESENTATION, "id": address, "type": "AnnotationPage", "items": items}


def on_canvas(canvas: str, box: Box) -> str:
    return f"{canvas}#xywh={box.xywh}"


def line_page(book: Book, page: WordsOnPage, leaf: Leaf, origin: str) -> JsonObject:
    """Every row of type with its words, as printed."""
    canvas = canvas_address(origin, book.slug, leaf.number)
    address = f"{canvas}/lines.json"
    items: list[JsonObject] = [
        {
            "id": f"{address}#{number}",
            "type": "Annotation",
            "motivation": "supplementing",
            "body": {
                "type": "TextualBody",
                "value": text,
                "format": "text/plain",
                "language": book.language,
            },
            "target": on_canvas(canvas, padded(box, page)),
        }
        for number, (text, box) in enumerate(page.rows(), 1)
    ]
    return annotation_page(address, items)
