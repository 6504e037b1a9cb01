"""Notes as annotations: on the words they speak about, or on the whole book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.html import escape

from archive.edition import Line
from archive.edition.note_positions import TextPosition, letters_of
from archive.edition.region import read_region
from archive.edition.text import without_spaces
from archive.iiif.line_boxes import WordsOnPage, annotation_page, on_canvas, padded
from archive.iiif.presentation import canvas_address, manifest_address, whole_notes
from archive.images.boxes import Box, bounding_box
from archive.models import Book, Leaf, Note, Passage
from archive.reader.note_regions import region_box
from archive.reader.notes import KIND_NAMES
from archive.responses import JsonObject


def note_page(book: Book, pages: Mapping[int, WordsOnPage], leaf: Leaf, origin: str) -> JsonObject:
    """The notes that speak about something on this leaf, each on the words it speaks about."""
    canvas = canvas_address(origin, book.slug, leaf.number)
    address = f"{canvas}/notes.json"
    places = NoteBoxes(book, pages)
    items = [
        comment(f"{address}#{note.slug}", book, note, on_canvas(canvas, box), origin)
        for note in book.notes.all()
        for number, box in places.of(note)
        if number == leaf.number
    ]
    return annotation_page(address, items)


def whole_note_page(book: Book, origin: str) -> JsonObject:
    """The notes that stand on no leaf."""
    address = f"{origin}/iiif/3/{book.slug}/notes.json"
    target = manifest_address(origin, book.slug)
    items = [comment(f"{address}#{note.slug}", book, note, target, origin) for note in whole_notes(book)]
    return annotation_page(address, items)


def comment(address: str, book: Book, note: Note, target: str, origin: str) -> JsonObject:
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


class NoteBoxes:
    """Boxes of the notes of a book on its pages. A note without a quote holds to its whole passage."""

    def __init__(self, book: Book, pages: Mapping[int, WordsOnPage]) -> None:
        self.pages = pages
        self.passages: dict[int, Passage] = {passage.pk: passage for passage in book.passages.all()}
        self.leaves: dict[int, Leaf] = {leaf.number: leaf for leaf in book.leaves.all()}
        self.lines: dict[str, list[Line]] = {}
        self.marked: dict[str, list[TextPosition]] = {}
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
                    TextPosition(line.leaf, line.number, index, end) for end in ends
                )

    def of(self, note: Note) -> list[tuple[int, Box]]:
        """Each leaf a note stands on, with its place there. A rectangle goes before words."""
        drawn = self._rectangle(note)
        return sorted((dict(self._by_words(note)) | drawn).items())

    def _rectangle(self, note: Note) -> dict[int, Box]:
        region = read_region(note.region)
        if region is None or region.leaf not in self.pages:
            return {}
        box, image = region_box(region, self.leaves[region.leaf]), self.pages[region.leaf].image
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
        return [
            (leaf, padded(bounding_box(found), self.pages[leaf])) for leaf, found in boxes.items() if found
        ]

    def _places(self, note: Note, anchor: str) -> tuple[list[TextPosition], str]:
        if note.quote:
            letters = list(letters_of(self.lines.get(anchor, ()), anchor, note.layer))
            found = _quoted(letters, note)
            if found:
                return found, note.layer
        return self.marked.get(note.slug, []), "reading"


def _quoted(letters: Sequence[tuple[str, TextPosition]], note: Note) -> list[TextPosition]:
    """The letters of a note's quote, wherever lines end; none if the text no longer has it."""
    wanted, before = (
        without_spaces(note.prefix + note.quote + note.suffix),
        len(without_spaces(note.prefix)),
    )
    start = "".join(letter for letter, _ in letters).find(wanted)
    if start < 0:
        return []
    first = start + before
    return [place for _, place in letters[first : first + len(without_spaces(note.quote))]]
