"""The page of a book: its leaves as blocks of text with their notes, and the cached body of the whole page.

A body is the same for every reader, so a process renders it once and keeps it as long as neither the text nor
the images change. What differs between readers (theme, view, the site's own address) stands around it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

import engine
from archive.cache import BoundedCache
from archive.edition import Line
from archive.edition.note_positions import RunPosition
from archive.images.pictures import Picture, picture_of
from archive.models import Book, Leaf, Note, PageImage, Passage
from archive.reader.html import HtmlBlock, HtmlRenderer, NoteSign
from archive.reader.margin import fold
from archive.reader.note_regions import NoteRegion, note_clip, note_regions
from archive.reader.notes import ShownNote, play_address, show_note
from archive.reader.passage_regions import PassageRegion, passage_regions, word_path
from archive.reader.search_hits import Hits, find_hits

VIEWS = {"printed": "Source text", "reading": "Reading text", "marked": "Differences marked"}
NOTE_CHOICES = {"all": "All", "questions": "Questions", "none": "None"}
"""Which notes are shown beside the text."""
MAX_BODIES = 128

Stamp = tuple[str, tuple[tuple[str, datetime], ...]]


@dataclass(frozen=True)
class ShownBlock:
    block: HtmlBlock
    notes: tuple[ShownNote, ...]


@dataclass(frozen=True)
class ShownLeaf:
    """One leaf of the reading page. Its image and the places on it are missing until a page image is made."""

    leaf: Leaf
    blocks: tuple[ShownBlock, ...]
    image: PageImage | None = None
    regions: tuple[PassageRegion, ...] = ()
    rectangles: tuple[NoteRegion, ...] = ()
    hit_path: str = ""
    previous: str = ""
    next: str = ""

    @property
    def notes(self) -> int:
        return sum(len(block.notes) for block in self.blocks)

    @property
    def picture(self) -> Picture | None:
        """The image with its fixed sizes, as files."""
        if self.image is None:
            return None
        kind = "Typeset page" if self.image.is_facsimile else "Scan of page"
        words = f"{kind} {self.leaf.number}, {self.leaf.title}. Its text follows."
        return picture_of(self.image, words)


class BookReader:
    """Goes through the leaves of a book in order; keeps what has been named and signed so far."""

    def __init__(
        self,
        passages: Iterable[Passage],
        notes: Iterable[Note],
        slug: str,
        hits: Hits | None = None,
        leaves: Sequence[Leaf] = (),
    ):
        self.notes = {note.slug: replace(show_note(note), clip=note_clip(note, leaves)) for note in notes}
        self.hits = hits or Hits()
        self.renderer = HtmlRenderer(
            book=slug,
            names={passage.anchor: [*passage.anchors, *passage.aliases] for passage in passages},
            hits=self.hits.spots,
            source_hits=self.hits.source_spots,
        )

    def expect(self, lines: Sequence[Line]) -> None:
        """Learn all lines before the first is rendered: where passages end, which notes the text names."""
        marked = {name for line in lines for name in (line.note, *(run.note for run in line.runs)) if name}
        signs = {slug: _sign(shown) for slug, shown in self.notes.items()}
        self.renderer.mends = {slug: signs[slug] for slug in marked if slug in signs}
        self.renderer.signs = _signs_by_run(
            (shown.note, signs[slug]) for slug, shown in self.notes.items() if slug not in marked
        )
        self.renderer.expect(lines)

    def blocks(self, lines: Sequence[Line]) -> tuple[ShownBlock, ...]:
        blocks = [
            (block, [self.notes[slug] for slug in block.notes]) for block in self.renderer.blocks(lines)
        ]
        folded = fold([(block.html, notes) for block, notes in blocks])
        return tuple(
            ShownBlock(block, tuple(replace(note, folded=note.slug in folded) for note in notes))
            for block, notes in blocks
        )

    def leaf(self, leaf: Leaf, lines: Sequence[Line]) -> ShownLeaf:
        image = leaf.image
        shown = ShownLeaf(leaf, self.blocks(lines), image)
        if image is None:
            return shown
        path = word_path(image, self.hits.words(leaf.number)) if self.hits.by_line else ""
        rectangles = note_regions((note.note for note in self.notes.values()), leaf)
        return replace(shown, regions=passage_regions(image), rectangles=rectangles, hit_path=path)


def _sign(shown: ShownNote) -> NoteSign:
    note = shown.note
    return NoteSign(
        note.slug, note.number, f"{shown.kind}: {note.title}", note.kind in ("mend", "lacuna"), shown.is_open
    )


def _signs_by_run(
    pairs: Iterable[tuple[Note, NoteSign]],
) -> Mapping[RunPosition, Sequence[tuple[int, NoteSign]]]:
    placed: dict[RunPosition, list[tuple[int, NoteSign]]] = {}
    for note, sign in pairs:
        if note.place:
            leaf, line, run, offset = note.place
            placed.setdefault((leaf, line, run), []).append((offset, sign))
    return placed


def read_book(book: Book, query: str = "") -> tuple[list[ShownLeaf], tuple[ShownBlock, ...], BookReader]:
    """Every leaf of a book, and the lines that stand on none. The book comes with its leaves and notes."""
    leaves = [(leaf, leaf.text_lines) for leaf in book.leaves.all()]
    loose = book.loose_lines
    everything = [*loose, *(line for _, lines in leaves for line in lines)]
    hits = find_hits(query, book, everything) if query else None
    reader = BookReader(book.passages.all(), book.notes.all(), book.slug, hits, [leaf for leaf, _ in leaves])
    reader.expect(everything)
    slips = reader.blocks(loose)
    return [reader.leaf(leaf, lines) for leaf, lines in leaves], slips, reader


def read_leaf(book: Book, leaf: Leaf, query: str = "") -> ShownLeaf:
    """One leaf alone. A passage that began on the leaf before has its name again here."""
    lines = leaf.text_lines
    hits = find_hits(query, book, lines) if query else None
    reader = BookReader(book.passages.all(), book.notes.all(), book.slug, hits, [leaf])
    reader.expect(lines)
    shown = reader.leaf(leaf, lines)
    # A rectangle leads to its note, so the note must be on this page.
    here = {note.slug for block in shown.blocks for note in block.notes}
    return replace(shown, rectangles=tuple(one for one in shown.rectangles if one.slug in here))


def notes_without_sign(notes: Mapping[str, ShownNote], signed: Collection[str]) -> list[ShownNote]:
    """Notes whose sign stands nowhere in the text: those on the book as a whole."""
    return [shown for slug, shown in notes.items() if slug not in signed]


def with_neighbours(shown: ShownLeaf, count: int, address: Callable[[int], str]) -> ShownLeaf:
    """The leaf with the ways to the one before it and the one after it."""
    number = shown.leaf.number
    before = address(number - 1) if number > 1 else ""
    return replace(shown, previous=before, next=address(number + 1) if number < count else "")


@dataclass(frozen=True)
class BookBody:
    """`text` is the leaves, `below` what follows them; `image` names the first page image, if any."""

    contents: SafeString
    text: SafeString
    below: SafeString
    leaves: int
    has_text: bool
    notes: int
    hits: tuple[str, ...]
    source_hits: tuple[str, ...]
    image: str


_bodies: BoundedCache[Stamp, BookBody] = BoundedCache(MAX_BODIES)


def games_of(book: Book) -> list[tuple[engine.Game, str]]:
    games = [engine.GAMES[key] for key in book.games if key in engine.GAMES]
    return [(game, play_address(game.key)) for game in games]


def body_of(book: Book, query: str = "") -> BookBody:
    """The body of this book; with a query its words are marked, and nothing is kept."""
    if query:
        return _render(book, query)
    images = PageImage.objects.filter(leaf__book=book, withdrawn=False).order_by("pk")
    # When an image was last recorded counts too: a scan's words are found after it is put up.
    stamp = (book.fingerprint, tuple(images.values_list("checksum", "made")))
    return _bodies.get_or_make(stamp, lambda: _render(book))


def _render(book: Book, query: str = "") -> BookBody:
    # The book at hand is filled up, so that it need not be asked for twice.
    leaves_with_images = Prefetch("leaves", Leaf.objects.with_images())
    prefetch_related_objects([book], leaves_with_images, "passages", "notes", "variants")
    leaves, slips, reader = read_book(book, query)
    context = {
        "book": book,
        "leaves": [with_neighbours(shown, len(leaves), lambda number: f"#leaf-{number}") for shown in leaves],
        "slips": slips,
        "loose_notes": notes_without_sign(reader.notes, reader.renderer.signed),
        "questions": [note for note in reader.notes.values() if note.is_open and note.readings],
        "games": games_of(book),
    }
    return BookBody(
        contents=render_to_string("archive/_book_contents.html", context),
        text=render_to_string("archive/_book_text.html", context),
        below=render_to_string("archive/_book_appendix.html", context),
        leaves=len(leaves),
        has_text=any(shown.blocks for shown in leaves),
        notes=len(reader.notes),
        hits=reader.hits.anchors,
        source_hits=reader.hits.source_anchors,
        image=next((shown.image.identifier for shown in leaves if shown.image), ""),
    )
