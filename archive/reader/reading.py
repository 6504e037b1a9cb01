"""A book made ready to be read: leaves as blocks of text with their notes, and the places on the pages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from archive import search
from archive.edition import Line, Run
from archive.images.pictures import Picture, picture_of
from archive.models import Book, Leaf, Note, PageImage, Passage
from archive.reader.html import Block, Rendering, Sign, Spot
from archive.reader.margin import fold
from archive.reader.note_regions import Rectangle, clip_of_note, placed
from archive.reader.notes import ShownNote, show_note
from archive.reader.regions import PassageRegion, passage_regions, word_path
from archive.reader.search_hits import Hits, find_hits

VIEWS = {"printed": "As printed", "reading": "Reading text", "marked": "Differences marked"}


@dataclass(frozen=True)
class ShownBlock:
    block: Block
    notes: tuple[ShownNote, ...]


@dataclass(frozen=True)
class ShownLeaf:
    """One leaf of the reading page. Its image and the places on it are missing until a page image is made."""

    leaf: Leaf
    blocks: tuple[ShownBlock, ...]
    image: PageImage | None = None
    regions: tuple[PassageRegion, ...] = ()
    rectangles: tuple[Rectangle, ...] = ()
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
        kind = "Typeset facsimile" if self.image.is_facsimile else "Scan"
        words = f"{kind} of leaf {self.leaf.number}, {self.leaf.title}. Its text follows."
        return picture_of(self.image, words)


class Reader:
    """Goes through the leaves of a book in order; keeps what has been named and signed so far."""

    def __init__(
        self,
        passages: Iterable[Passage],
        notes: Iterable[Note],
        slug: str,
        hits: Hits | None = None,
        leaves: Sequence[Leaf] = (),
    ):
        self.notes = {note.slug: replace(show_note(note), clip=clip_of_note(note, leaves)) for note in notes}
        self.hits = hits or Hits()
        self.rendering = Rendering(
            book=slug,
            names={passage.anchor: [*passage.anchors, *passage.aliases] for passage in passages},
            hits=self.hits.spots,
        )

    def expect(self, lines: Sequence[Line]) -> None:
        """Learn all lines before the first is rendered: where passages end, which notes the text names."""
        marked = {name for line in lines for name in (line.note, *(run.note for run in line.runs)) if name}
        signs = {slug: _sign(shown) for slug, shown in self.notes.items()}
        self.rendering.mends = {slug: signs[slug] for slug in marked if slug in signs}
        self.rendering.signs = _placed(
            (shown.note, signs[slug]) for slug, shown in self.notes.items() if slug not in marked
        )
        self.rendering.expect(lines)

    def blocks(self, lines: Sequence[Line]) -> tuple[ShownBlock, ...]:
        blocks = [
            (block, [self.notes[slug] for slug in block.notes]) for block in self.rendering.blocks(lines)
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
        path = word_path(image, self.hits.words(leaf.number)) if self.hits.spots else ""
        rectangles = placed((note.note for note in self.notes.values()), leaf)
        return replace(shown, regions=passage_regions(image), rectangles=rectangles, hit_path=path)


def _sign(shown: ShownNote) -> Sign:
    note = shown.note
    return Sign(note.slug, note.number, f"{shown.kind}: {note.title}", note.kind in ("mend", "lacuna"))


def _placed(pairs: Iterable[tuple[Note, Sign]]) -> Mapping[Spot, Sequence[tuple[int, Sign]]]:
    placed: dict[Spot, list[tuple[int, Sign]]] = {}
    for note, sign in pairs:
        if note.place:
            leaf, line, run, offset = note.place
            placed.setdefault((leaf, line, run), []).append((offset, sign))
    return placed


def read_book(book: Book, query: str = "") -> tuple[list[ShownLeaf], tuple[ShownBlock, ...], Reader]:
    """Every leaf of a book, and the lines that stand on none. The book comes with its leaves and notes."""
    leaves = [(leaf, leaf.text_lines) for leaf in book.leaves.all()]
    loose = book.loose_lines
    everything = [*loose, *(line for _, lines in leaves for line in lines)]
    hits = find_hits(search.index().find(query, book=book, kind="passage"), everything) if query else None
    reader = Reader(book.passages.all(), book.notes.all(), book.slug, hits, [leaf for leaf, _ in leaves])
    reader.expect(everything)
    slips = reader.blocks(loose)
    return [reader.leaf(leaf, lines) for leaf, lines in leaves], slips, reader


def read_leaf(book: Book, leaf: Leaf, query: str = "") -> ShownLeaf:
    """One leaf alone. A passage that began on the leaf before has its name again here."""
    lines = leaf.text_lines
    hits = find_hits(search.index().find(query, book=book, kind="passage"), lines) if query else None
    reader = Reader(book.passages.all(), book.notes.all(), book.slug, hits, [leaf])
    reader.expect(lines)
    shown = reader.leaf(leaf, lines)
    # A rectangle leads to its note, so the note must be on this page.
    here = {note.slug for block in shown.blocks for note in block.notes}
    return replace(shown, rectangles=tuple(one for one in shown.rectangles if one.slug in here))


def read_passage(
    passage: Passage, leaves: Sequence[Leaf], notes: Iterable[Note]
) -> tuple[tuple[ShownBlock, ...], Reader]:
    """One passage alone, with its own notes."""
    lines = [line for leaf in leaves for line in leaf.text_lines] or list(passage.book.loose_lines)
    own = [part for line in lines if (part := _only(line, passage.anchor)) is not None]
    reader = Reader([passage], notes, passage.book.slug, leaves=leaves)
    reader.expect(own)
    reader.rendering.ends.clear()
    return reader.blocks(own), reader


def _only(line: Line, anchor: str) -> Line | None:
    """The line without what belongs to other passages; empty runs keep the places of notes where they are."""
    if anchor not in line.passages:
        return None
    blank = Run("text", "", "")
    runs = tuple(run if run.passage == anchor or run.kind == "cell" else blank for run in line.runs)
    return replace(line, runs=runs)


def missing(notes: Mapping[str, ShownNote], signed: Collection[str]) -> list[ShownNote]:
    """Notes whose sign stands nowhere in the text: those on the book as a whole."""
    return [shown for slug, shown in notes.items() if slug not in signed]


def with_ways(shown: ShownLeaf, count: int, address: Callable[[int], str]) -> ShownLeaf:
    """The leaf with the ways to the one before it and the one after it."""
    number = shown.leaf.number
    before = address(number - 1) if number > 1 else ""
    return replace(shown, previous=before, next=address(number + 1) if number < count else "")
