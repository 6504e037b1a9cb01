"""IIIF Content Search, versions 1 and 2: the hits of a search in a book, as annotations on its canvases.

One search answers both. A hit is a stretch of the text that was searched for; it may run over a line's end,
and then has a box on each row of type it touches. A hit in a note stands where the note stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from archive.edition import Line
from archive.edition.note_positions import letters_of
from archive.iiif.line_boxes import WordsOnPage, on_canvas, padded
from archive.iiif.note_annotations import NoteBoxes
from archive.iiif.presentation import SEARCH_1, SEARCH_2, canvas_address
from archive.images.boxes import Box
from archive.models import Book
from archive.responses import JsonObject
from archive.search import Hit, SearchResult, Stretches, index

MAX_HITS = 300
CONTEXT_LETTERS = 60
# What a question may ask for beside the words. We answer motivation, and say that we ignore the others.
TEXT_MOTIVES = {"painting", "supplementing", "highlighting", "transcribing", "non-painting"}
NOTE_MOTIVES = {"commenting", "non-painting", "describing"}
IGNORED = ("date", "user", "box")


@dataclass(frozen=True)
class SearchMatch:
    """A stretch that was found, with the words around it; `boxes` are its places, with their leaves."""

    before: str
    exact: str
    after: str
    boxes: tuple[tuple[int, Box], ...]
    note: str = ""

    @property
    def words(self) -> str:
        """The words found, with the title of its note if it stands in one."""
        return f"{self.note}: {self.exact}" if self.note and self.note != self.exact else self.exact

    @property
    def in_context(self) -> str:
        around = f"{self.before}{self.exact}{self.after}"
        return f"{self.note}: {around}" if self.note and self.note != self.exact else around


def search(book: Book, pages: Mapping[int, WordsOnPage], query: str, motives: set[str]) -> list[SearchMatch]:
    """In the order of the text, the notes behind it. All the words must be there; any query is harmless."""
    found: list[SearchMatch] = []
    if not motives or motives & TEXT_MOTIVES:
        hits = _strict_hits(index().find(query, book=book, kind="passage", limit=MAX_HITS))
        found += sorted(_in_text(book, pages, hits), key=lambda match: _order(match.boxes))
    if not motives or motives & NOTE_MOTIVES:
        hits = _strict_hits(index().find(query, book=book, kind="note", limit=MAX_HITS))
        found += _in_notes(book, pages, hits)
    return found


def _strict_hits(found: SearchResult) -> tuple[Hit, ...]:
    """A viewer shows what was asked for; it has no words for "some of it"."""
    return () if found.loosely else found.hits


def _order(boxes: Sequence[tuple[int, Box]]) -> tuple[int, int, int]:
    leaf, box = boxes[0]
    return leaf, box.y, box.x


def _in_text(book: Book, pages: Mapping[int, WordsOnPage], hits: Sequence[Hit]) -> Iterator[SearchMatch]:
    lines: dict[str, list[Line]] = {}
    for leaf in book.leaves.all():
        for line in leaf.text_lines:
            for anchor in line.passages:
                lines.setdefault(anchor, []).append(line)
    for hit in hits:
        letters = [place for _, place in letters_of(lines.get(hit.anchor, ()), hit.anchor, "reading")]
        for start, end, before, exact, after in stretches_found(hit.text):
            places = letters[start:end]
            boxes = [
                (leaf, padded(box, page))
                for leaf, page in pages.items()
                for box in page.of_letters((place for place in places if place.leaf == leaf), "reading")
            ]
            # A row that we set up again is not on the page as we read it; the passage is.
            boxes = boxes or [
                (leaf, padded(box, page))
                for leaf, page in pages.items()
                for box in page.of_passage(hit.anchor)
            ]
            if boxes:
                yield SearchMatch(before, exact, after, tuple(boxes))


def _in_notes(book: Book, pages: Mapping[int, WordsOnPage], hits: Sequence[Hit]) -> Iterator[SearchMatch]:
    notes = {note.slug: note for note in book.notes.all()}
    places = NoteBoxes(book, pages) if hits else None
    for hit in hits:
        boxes = places.of(notes[hit.key]) if places and hit.key in notes else []
        if boxes:
            marked = next(stretches_found(hit.text), (0, 0, "", hit.title, ""))
            yield SearchMatch(marked[2], marked[3], marked[4], tuple(boxes[:1]), note=hit.title)


def stretches_found(text: Stretches) -> Iterator[tuple[int, int, str, str, str]]:
    """Each marked stretch: from and to, in letters that are no space; the words before, itself, those after.

    >>> list(stretches_found((("a ", False), ("bonus", True), (" of 50", False))))
    [(1, 6, 'a ', 'bonus', ' of 50')]
    """
    whole = "".join(piece for piece, _ in text)
    at = letter = 0
    for piece, marked in text:
        size = len("".join(piece.split()))
        if marked:
            end = at + len(piece)
            before, after = whole[max(0, at - CONTEXT_LETTERS) : at], whole[end : end + CONTEXT_LETTERS]
            yield letter, letter + size, before, piece, after
        at += len(piece)
        letter += size


def search_address(origin: str, version: int, slug: str, query: str, motives: set[str]) -> str:
    asked = {"q": query} | ({"motivation": " ".join(sorted(motives))} if motives else {})
    return f"{origin}/iiif/search/{version}/{slug}?{urlencode(asked)}"


def _numbered_boxes(
    matches: Sequence[SearchMatch],
) -> Iterator[tuple[SearchMatch, list[tuple[int, int, Box]]]]:
    """Each match with its boxes, numbered over the whole answer."""
    number = 0
    for match in matches:
        boxes = []
        for leaf, box in match.boxes:
            number += 1
            boxes.append((number, leaf, box))
        yield match, boxes


def response_1(
    book: Book, matches: Sequence[SearchMatch], ignored: list[str], address: str, origin: str
) -> JsonObject:
    resources, hits = [], []
    for match, boxes in _numbered_boxes(matches):
        for number, leaf, box in boxes:
            resources.append(
                {
                    "@id": f"{address}#{number}",
                    "@type": "oa:Annotation",
                    "motivation": "oa:commenting" if match.note else "sc:painting",
                    "resource": {
                        "@type": "cnt:ContentAsText",
                        "format": "text/plain",
                        "chars": match.words,
                    },
                    "on": on_canvas(canvas_address(origin, book.slug, leaf), box),
                }
            )
        hits.append(
            {
                "@type": "search:Hit",
                "annotations": [f"{address}#{number}" for number, _, _ in boxes],
                "before": match.before,
                "match": match.exact,
                "after": match.after,
            }
        )
    within: JsonObject = {"@type": "sc:Layer", "total": len(resources)}
    if ignored:
        within["ignored"] = ignored
    return {
        "@context": ["http://iiif.io/api/presentation/2/context.json", SEARCH_1],
        "@id": address,
        "@type": "sc:AnnotationList",
        "within": within,
        "startIndex": 0,
        "resources": resources,
        "hits": hits,
    }


def response_2(
    book: Book, matches: Sequence[SearchMatch], ignored: list[str], address: str, origin: str
) -> JsonObject:
    items, contexts = [], []
    for match, boxes in _numbered_boxes(matches):
        for number, leaf, box in boxes:
            items.append(
                {
                    "id": f"{address}#{number}",
                    "type": "Annotation",
                    "motivation": "commenting" if match.note else "supplementing",
                    "body": {
                        "type": "TextualBody",
                        "value": match.in_context,
                        "format": "text/plain",
                        "language": "en" if match.note else book.language,
                    },
                    "target": on_canvas(canvas_address(origin, book.slug, leaf), box),
                }
            )
            contexts.append(
                {
                    "id": f"{address}#{number}-context",
                    "type": "Annotation",
                    "motivation": "contextualizing",
                    "target": {
                        "type": "SpecificResource",
                        "source": f"{address}#{number}",
                        "selector": [
                            {
                                "type": "TextQuoteSelector",
                                "prefix": match.before,
                                "exact": match.exact,
                                "suffix": match.after,
                            }
                        ],
                    },
                }
            )
    document: JsonObject = {"@context": SEARCH_2, "id": address, "type": "AnnotationPage", "items": items}
    if ignored:
        document["ignored"] = ignored
    if contexts:
        document["annotations"] = [{"id": f"{address}#context", "type": "AnnotationPage", "items": contexts}]
    return document
