"""A rulebook as an offprint has it: paragraphs in both layers, notes, and what is said about the edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

from archive.edition import Line, Run
from archive.edition.text import Layer
from archive.models import Book, Note
from archive.models.history import Revision
from archive.offprints.note_text import paragraphs_of
from archive.reader.citation_formats import as_text
from archive.reader.citations import cite_revision
from archive.reader.downloads import OUR_WORDS
from archive.reader.html import LABELS, TABLE_STYLES
from archive.reader.notes import KIND_NAMES, show_note
from archive.site import site

KEY = (
    "The source text is the text as it came to us: a machine’s reading of a scan, with its errors.",
    "The reading text is the text as we establish it. What differs from the source text has a note.",
    "⟨ ⟩ holds lost words that we supply; ⟨…⟩ marks what is lost and not supplied.",
    "The numbered notes are the editors’ words, not the rulebook’s.",
)


def _edited() -> str:
    return f"Edited by {site().edited_by}"


@dataclass(frozen=True)
class Piece:
    """A stretch of text that is set alike; `note` is the number of a note whose sign stands behind it.
    `superior` letters stand above the line."""

    text: str
    emphasis: str = ""
    note: int = 0
    superior: bool = False


@dataclass(frozen=True)
class Paragraph:
    """A paragraph, a heading or a table, in each layer; a layer that does not have it is empty. `section` is
    the title of the section that it begins, `label` says what it is if it is no text of the print."""

    style: str
    reading: tuple[Piece, ...] = ()
    source: tuple[Piece, ...] = ()
    reading_rows: tuple[tuple[tuple[Piece, ...], ...], ...] = ()
    source_rows: tuple[tuple[tuple[Piece, ...], ...], ...] = ()
    heads: int = 0
    """So many of the rows are the head of the table."""
    section: str = ""
    label: str = ""
    anchor: str = ""


@dataclass(frozen=True)
class PrintedNote:
    number: int
    slug: str
    kind: str
    title: str
    paragraphs: tuple[str, ...]
    signed: str


@dataclass(frozen=True)
class PrintedPage:
    """A page of the rulebook; `number` 0 holds what stands on no page."""

    number: int
    title: str
    doubt: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Offprint:
    """All that a PDF or an EPUB of a rulebook says."""

    slug: str
    title: str
    short_title: str
    imprint: str
    language: str
    address: str
    revision: int
    revised: str
    revision_address: str
    made: datetime
    citation: str
    facts: tuple[tuple[str, str], ...]
    key: tuple[str, ...]
    pages: tuple[PrintedPage, ...]
    notes: tuple[PrintedNote, ...]
    loose_notes: tuple[PrintedNote, ...]
    is_ours: bool = False
    """True where the text may not be shown, and the words are our own."""
    edited: str = field(default_factory=_edited)


def offprint_of(book: Book, revision: Revision, origin: str) -> Offprint:
    """The offprint of a book that comes with its leaves, passages and notes, in its last revision."""
    cited = cite_revision(book, revision, origin)
    assert cited.revision is not None
    leaves = [(leaf, leaf.text_lines) for leaf in book.leaves.all()]
    notes = list(book.notes.all())
    builder = _Builder(book, notes)
    pages = [
        PrintedPage(leaf.number, leaf.title, _doubt(leaf.break_certainty), builder.paragraphs(lines))
        for leaf, lines in leaves
    ]
    loose = builder.paragraphs(book.loose_lines)
    if loose:
        title = "Laid on the copy" if pages else "What the rules say, in our own words"
        pages.append(PrintedPage(0, title, "", loose))
    day = cited.revision.day
    return Offprint(
        slug=book.slug,
        title=book.title,
        short_title=book.short_title,
        imprint=", ".join(part for part in (book.imprint, book.date or str(book.year or "")) if part),
        language=book.language or "en",
        address=f"{origin}/books/{book.slug}/",
        revision=revision.number,
        revised=f"{day.day} {day:%B %Y}",
        revision_address=cited.revision.address,
        made=revision.made,
        # The day on which somebody reads it is no part of the file.
        citation=as_text(cited).rpartition(" (read on")[0],
        facts=tuple(_facts(book)),
        key=KEY if leaves else (OUR_WORDS + f" {book.title}.",),
        pages=tuple(pages),
        notes=tuple(_note(note) for note in notes if note.number in builder.signed),
        loose_notes=tuple(_note(note) for note in notes if note.number not in builder.signed),
        is_ours=not leaves,
    )


def _doubt(certainty: str) -> str:
    return {
        "low": "The break before this page is uncertain.",
        "medium": "The break before this page is probable.",
    }.get(certainty, "")


def _facts(book: Book) -> Iterator[tuple[str, str]]:
    rows = (
        ("Maker", book.imprint),
        ("Date", book.date or str(book.year or "")),
        ("Copyright line", book.copyright),
        ("Provenance", book.provenance),
        ("Rights", f"{book.rights_label} ({book.rights_address}). {book.rights_reasons}"),
    )
    yield from ((label, " ".join(words.split())) for label, words in rows if words.strip())


def _note(note: Note) -> PrintedNote:
    shown = show_note(note)
    readings = tuple(f"{reading.title}: {reading.text}" for reading in shown.readings)
    sources = "; ".join(
        f"{source.name}{'' if source.looked_up else ' (not looked up)'}" for source in shown.sources
    )
    words = (*paragraphs_of(note.html), *readings, *([f"Sources: {sources}."] if sources else []))
    day = f"{note.dated.day} {note.dated:%B %Y}"
    return PrintedNote(
        note.number, note.slug, KIND_NAMES[note.kind], note.title, words, f"{note.signed}, {day}"
    )


@dataclass
class _Builder:
    """Goes through the lines in order; each note has its sign where it stands first."""

    book: Book
    notes: Sequence[Note]
    signed: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.sections = {section["anchor"]: section["title"] for section in self.book.sections}
        self.begun: set[str] = set()
        self.signs: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        for note in self.notes:
            if note.place:
                leaf, line, run, offset = note.place
                self.signs.setdefault((leaf, line, run), []).append((offset, note.number))

    def paragraphs(self, lines: Iterable[Line]) -> tuple[Paragraph, ...]:
        # A printed rule has no words.
        shown = [line for line in lines if line.style != "rule"]
        return tuple(self._paragraph(list(group)) for _, group in groupby(shown, key=_group))

    def _paragraph(self, lines: list[Line]) -> Paragraph:
        style = lines[0].style
        anchors = [anchor for line in lines for anchor in line.passages]
        new = [anchor for anchor in dict.fromkeys(anchors) if anchor not in self.begun]
        self.begun.update(new)
        section = next((self.sections[anchor] for anchor in new if anchor in self.sections), "")
        blank = Paragraph(style, section=section, label=LABELS.get(style, ""), anchor=new[0] if new else "")
        if style not in TABLE_STYLES:
            return replace(blank, reading=self._text(lines, "reading"), source=self._text(lines, "printed"))
        return replace(
            blank,
            style="table",
            heads=sum(line.style == "rowhead" for line in lines),
            reading_rows=self._rows(lines, "reading"),
            source_rows=self._rows(lines, "printed"),
        )

    def _rows(self, lines: list[Line], layer: Layer) -> tuple[tuple[tuple[Piece, ...], ...], ...]:
        rows = []
        for line in lines:
            if line.layer not in ("both", layer):
                continue
            cells: list[tuple[Piece, ...]] = []
            cell: list[Piece] = []
            for index, run in enumerate(line.runs):
                if run.kind == "cell":
                    cells.append(tuple(cell))
                    cell = []
                else:
                    cell += self._run(line, index, run, layer)
            cell += self._line_signs(line, layer)
            rows.append((*cells, tuple(cell)))
        return tuple(rows)

    def _text(self, lines: list[Line], layer: Layer) -> tuple[Piece, ...]:
        pieces: list[Piece] = []
        divided = True
        for line in lines:
            if line.layer not in ("both", layer):
                continue
            if layer == "printed" and line.ours:
                continue
            if not divided:
                pieces.append(Piece(" "))
            for index, run in enumerate(line.runs):
                pieces += self._run(line, index, run, layer)
            pieces += self._line_signs(line, layer)
            divided = layer == "reading" and bool(line.runs) and line.runs[-1].kind == "hyphen"
        return tuple(pieces)

    def _line_signs(self, line: Line, layer: Layer) -> list[Piece]:
        if layer == "printed":
            return []
        return [
            self._sign(number) for _, number in self.signs.get((line.leaf, line.number, len(line.runs)), ())
        ]

    def _sign(self, number: int) -> Piece:
        self.signed.add(number)
        return Piece("", note=number)

    def _run(self, line: Line, index: int, run: Run, layer: Layer) -> list[Piece]:
        text = run.text(layer)
        piece = Piece(text, run.emphasis, superior=run.kind == "superior")
        if layer == "printed":
            return [piece] if text else []
        pieces, at = [], 0
        for offset, number in sorted(self.signs.get((line.leaf, line.number, index), ())):
            end = min(offset, len(text)) if run.kind == "text" else len(text)
            # A stop behind the word stays with it.
            while end < len(text) and text[end] in ".,;:)":
                end += 1
            if end > at:
                pieces.append(replace(piece, text=text[at:end]))
                at = end
            pieces.append(self._sign(number))
        return [*pieces, replace(piece, text=text[at:])] if at < len(text) else pieces


def _group(line: Line) -> tuple[str, object]:
    """Rows that follow each other are one table; other lines go by their paragraph."""
    if line.style in TABLE_STYLES:
        return ("table", 0)
    return ("paragraph", (line.paragraph, line.style))
