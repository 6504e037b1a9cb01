"""What is written about a canvas, as annotation pages: the lines printed on it, and the notes on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.utils.html import escape

from archive.edition import Line
from archive.edition.note_positions import Place, letters_of
from archive.edition.region import read_region
from archive.iiif.presentation import canvas_address, manifest_address, whole_notes
from archive.iiif.responses import PRESENTATION, Document
from archive.iiif.word_boxes import WordsOnPage, around
from archive.models import Book, Leaf, Note, Passage
from archive.reader.note_regions import box_of
from archive.reader.notes import KIND_NAMES
from archive.reader.regions import Box

AROUND_LETTERS = 6
"""So many pixels are left around the letters, so that a frame does not touch them."""


def annotation_page(address: str, items: list[Document]) -> Document:
    return {"@context": PRESENTATION, "id": address, "type": "AnnotationPage", "items": items}


def on_canvas(canvas: str, box: Box) -> str:
    return f"{canvas}#xywh={box.xywh}"


def line_page(book: Book, page: WordsOnPage, leaf: Leaf, origin: str) -> Document:
    """Every row of type with its words, as printed."""
    canvas = canvas_address(origin, book.slug, leaf.number)
    address = f"{canvas}/lines.json"
    items: list[Document] = [
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


def note_page(book: Book, pages: Mapping[int, WordsOnPage], leaf: Leaf, origin: str) -> Document:
    """The notes that speak about something on this leaf, each on the words it speaks about."""
    canvas = canvas_address(origin, book.slug, leaf.number)
    address = f"{canvas}/notes.json"
    places = NotePlaces(book, pages)
    items = [
        comment(f"{address}#{note.slug}", book, note, on_canvas(canvas, box), origin)
        for note in book.notes.all()
        for number, box in places.of(note)
        if number == leaf.number
    ]
    return annotation_page(address, items)


def whole_note_page(book: Book, origin: str) -> Document:
    """The notes that stand on no leaf."""
    address = f"{origin}/iiif/3/{book.slug}/notes.json"
    target = manifest_address(origin, book.slug)
    items = [comment(f"{address}#{note.slug}", book, note, target, origin) for note in whole_notes(book)]
    return annotation_page(address, items)


def comment(address: str, book: Book, note: Note, target: str, origin: str) -> Document:
    return {
        "id": address,
        "type": "Annotation",
        "motivation": "commenting",
        "label": {"en": [note.title]},
        "created": f"{note.dated:%Y-%m-%d}T00:00:00Z",
        "creator": {"type": "Organization", "name": note.signed},
        "body": {
            "type": "TextualBody",
            "value": note_html(note, f"{origin}/books/{book.slug}/#note-{note.slug}"),
            "format": "text/html",
            "language": "en",
        },
        "target": target,
    }


def note_html(note: Note, address: str) -> str:
    """A note for viewers that show one piece of HTML: kind, title, its words, the readings, the way to us."""
    sure = f" ({note.certainty})" if note.certainty else ""
    head = f"<p><b>{escape(KIND_NAMES[note.kind])}{sure}: {escape(note.title)}</b></p>"
    readings = "".join(
        f"<p><i>{escape(reading['title'])}</i>: {escape(reading['text'])}</p>" for reading in note.readings
    )
    link = f'<p><a href="{escape(address)}">Note {note.number} at its place in the text</a></p>'
    return head + note.html + readings + link


class NotePlaces:
    """Where the notes of a book stand on its pages. A note without a quote holds to its whole passage."""

    def __init__(self, book: Book, pages: Mapping[int, WordsOnPage]) -> None:
        self.pages = pages
        self.passages: dict[int, Passage] = {passage.pk: passage for passage in book.passages.all()}
        self.leaves: dict[int, Leaf] = {leaf.number: leaf for leaf in book.leaves.all()}
        self.lines: dict[str, list[Line]] = {}
        self.marked: dict[str, list[Place]] = {}
        for leaf in self.leaves.values():
            for line in leaf.text_lines:
                self._learn(line)

    def _learn(self, line: Line) -> None:
        for anchor in line.passages:
            self.lines.setdefault(anchor, []).append(line)
        for index, run in enumerate(line.runs):
            for slug in {run.note, line.note} - {""}:
                ends = (1, max(1, len(run.reading)))
                self.marked.setdefault(slug, []).extend(
                    Place(line.leaf, line.number, index, end) for end in ends
                )

    def of(self, note: Note) -> list[tuple[int, Box]]:
        """Each leaf a note stands on, with its place there. A rectangle goes before words."""
        drawn = self._rectangle(note)
        return sorted((dict(self._by_words(note)) | drawn).items())

    def _rectangle(self, note: Note) -> dict[int, Box]:
        region = read_region(note.region)
        if region is None or region.leaf not in self.pages:
            return {}
        box, image = box_of(region, self.leaves[region.leaf]), self.pages[region.leaf].image
        if box is None and note.passage_id is None:
            # Nothing tells where on this image; the page is certain.
            box = Box(0, 0, image.width, image.height)
        return {region.leaf: box} if box else {}

    def _by_words(self, note: Note) -> list[tuple[int, Box]]:
        if note.passage_id is None:
            return []
        anchor = self.passages[note.passage_id].anchor
        places, layer = self._places(note, anchor)
        boxes = {
            leaf: page.of_letters([p for p in places if p.leaf == leaf], layer)
            for leaf, page in self.pages.items()
        }
        if not any(boxes.values()):
            boxes = {leaf: page.of_passage(anchor) for leaf, page in self.pages.items()}
        return [(leaf, padded(around(found), self.pages[leaf])) for leaf, found in boxes.items() if found]

    def _places(self, note: Note, anchor: str) -> tuple[list[Place], str]:
        if note.quote:
            letters = list(letters_of(self.lines.get(anchor, ()), anchor, note.layer))
            found = quoted(letters, note)
            if found:
                return found, note.layer
        return self.marked.get(note.slug, []), "reading"


def quoted(letters: Sequence[tuple[str, Place]], note: Note) -> list[Place]:
    """The letters of a note's quote, wherever lines end; none if the text no longer has it."""
    wanted, before = close(note.prefix + note.quote + note.suffix), len(close(note.prefix))
    start = close(letter for letter, _ in letters).find(wanted)
    if start < 0:
        return []
    first = start + before
    return [place for _, place in letters[first : first + len(close(note.quote))]]


def close(text: Iterable[str]) -> str:
    return "".join("".join(text).split())


def padded(box: Box, page: WordsOnPage) -> Box:
    return box.padded(AROUND_LETTERS, page.image.width, page.image.height)
