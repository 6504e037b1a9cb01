"""Lines of a leaf on its page image: the outline of each, and its words with their places."""

from __future__ import annotations

import json
from dataclasses import dataclass

from archive.images.boxes import Word, bounding_box, text_rows, word_box
from archive.images.word_places import places_before
from archive.models import PageImage
from archive.reader.passage_regions import passage_regions

WordOnPage = tuple[str, int, int, int, int]
"""A word: its text, its left edge, the top of its row, its width, the height of its row."""


@dataclass(frozen=True)
class PageLine:
    """A line by its number; `words` are for the script."""

    number: int
    path: str
    words: tuple[WordOnPage, ...]

    @property
    def words_json(self) -> str:
        return json.dumps(self.words, ensure_ascii=False, separators=(",", ":"))


def page_lines(image: PageImage) -> list[PageLine]:
    """Every line that has a place on the page image; before there is a text, the lines that were read."""
    if not image.words and not image.is_facsimile:
        image.words = places_before(image)
    paths: dict[int, str] = {}
    for region in passage_regions(image):
        for part in region.parts:
            paths[part.line] = paths.get(part.line, "") + part.path
    words: dict[int, list[Word]] = {}
    for word in image.words:
        words.setdefault(word["line"], []).append(word)
    return [PageLine(line, path, _on_page(words[line])) for line, path in sorted(paths.items())]


def _on_page(words: list[Word]) -> tuple[WordOnPage, ...]:
    """In the order of the text. Each stands as high as its row: a row is read whole."""
    found = []
    for row in text_rows(words):
        box = bounding_box(map(word_box, row))
        found += [(word["offset"], (word["text"], word["x"], box.y, word["w"], box.h)) for word in row]
    return tuple(word for _, word in sorted(found))
