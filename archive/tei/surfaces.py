"""Page images as surfaces, with a zone for every row of type and for every passage in it."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from archive.images.boxes import Box, Word, bounding_box, text_rows, word_box
from archive.models import Book, Leaf, PageImage
from archive.reader.downloads import TYPESET_WORDS
from archive.xml import element


class Zones:
    """The zones of a book, and their names for the elements of the text that stand in them."""

    def __init__(self, book: Book, origin: str) -> None:
        self.origin = origin
        self.surfaces: list[Element] = []
        self.images: set[int] = set()
        self.of_line: dict[tuple[int, int], list[str]] = {}
        self.of_passage: dict[tuple[int, int, str], list[str]] = {}
        for leaf in book.leaves.all():
            if image := leaf.image:
                self.images.add(leaf.number)
                self.surfaces.append(self._surface(leaf, image))

    def facsimile(self) -> list[Element]:
        return [element("facsimile", *self.surfaces)] if self.surfaces else []

    def line(self, leaf: int, line: int) -> str:
        return " ".join(f"#{name}" for name in self.of_line.get((leaf, line), ()))

    def passage(self, leaf: int, line: int, anchor: str) -> str:
        return " ".join(f"#{name}" for name in self.of_passage.get((leaf, line, anchor), ()))

    def page(self, leaf: int) -> str:
        return f"#leaf.{leaf}" if leaf in self.images else ""

    def _surface(self, leaf: Leaf, image: PageImage) -> Element:
        service = f"{self.origin}/iiif/image/3/{image.identifier}"
        size = {"width": f"{image.width}px", "height": f"{image.height}px"}
        graphic = element("graphic", url=f"{service}/full/max/0/default.jpg", mimeType="image/jpeg", **size)
        return element(
            "surface",
            element("label", leaf.title),
            *([element("desc", TYPESET_WORDS)] if image.is_facsimile else []),
            *(element("desc", f"{label}: {words}") for label, words in image.credit_lines),
            graphic,
            *self._rows(leaf.number, image.words),
            **{"xml:id": f"leaf.{leaf.number}", "n": str(leaf.number)},
            **corners(Box(0, 0, image.width, image.height)),
        )

    def _rows(self, leaf: int, words: Iterable[Word]) -> list[Element]:
        return [self._row(leaf, number, row) for number, row in enumerate(text_rows(words), 1)]

    def _row(self, leaf: int, number: int, words: list[Word]) -> Element:
        name = f"leaf.{leaf}.row.{number}"
        for line in dict.fromkeys(word["line"] for word in words):
            self.of_line.setdefault((leaf, line), []).append(name)
        parts: dict[tuple[int, str], list[Word]] = {}
        for word in words:
            if word["passage"]:
                parts.setdefault((word["line"], word["passage"]), []).append(word)
        inner = []
        for part, ((line, anchor), own) in enumerate(parts.items(), 1):
            own_name = f"{name}.{part}"
            self.of_passage.setdefault((leaf, line, anchor), []).append(own_name)
            inner.append(_zone(own_name, "passage", bounding_box(map(word_box, own))))
        return _zone(name, "line", bounding_box(map(word_box, words)), *inner)


def _zone(name: str, kind: str, box: Box, *inner: Element) -> Element:
    return element("zone", *inner, **{"xml:id": name, "type": kind}, **corners(box))


def corners(box: Box) -> dict[str, str]:
    right, foot = box.x + box.w, box.y + box.h
    return {"ulx": str(box.x), "uly": str(box.y), "lrx": str(right), "lry": str(foot)}
