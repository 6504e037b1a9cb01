"""Form for the text of a leaf: its lines as rows; the text around it stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import count

from archive.curation.book_files import TEXT, notes_in, write_notes
from archive.edition import EditionError, Line, Note, Run
from archive.edition.line_styles import STYLES
from archive.edition.marks import BLOCK, PREFIX
from archive.edition.transcript import read_text, write_text
from archive.publication.errors import EditError
from archive.text_input import clean_text

GAP = "=== gap ==="
"""Stands for an empty line in a form: no line of text can begin like this."""
LETTERS_A_ROW = 58
MAX_LETTERS = 20_000
"""Letters of one page; the fullest of our leaflets has 3,600."""
MAX_LINES = 500
"""Lines of one page; the longest of our leaflets has 41."""
MARKS_EXPLAINED = (
    ("{cash → dash | a-dash}", "The print has “cash”, we read “dash”; the note “a-dash” says why."),
    ("{the the → | twice}", "Printed, but left out of the reading text."),
    ("N{^o} 5", "Superior letters: they stand above the line."),
    ("{?points}", "A doubtful word: it cannot be read surely. “Next doubt” finds it."),
    ("⟨or white | colors-lost⟩", "Words that are lost and that we supply. The brackets stay."),
    ("⟨… | heading-lost⟩", "Something is lost, and we propose nothing."),
    ("**bold** *italic*", "Emphasis in the print. It ends with its line."),
    ("ex¬", "A word divided at the end of a line."),
    ("{#score-capture}", "A passage begins here. Its ID never changes once it is published."),
    ("[heading]", "The style of the line; a line without one is running text."),
    ("+ and then", "The line goes on with the paragraph before it."),
    ("VICTORY || R", "Divides the cells of a row of a table."),
    (r"\*", "The character itself, not a mark."),
)
"""The marks of text.txt as the page explains them: what one writes, and what it means."""


@dataclass(frozen=True)
class LeafRow:
    """A line of the leaf, numbered as on its page image; or a gap, with number 0."""

    number: int
    text: str

    @property
    def height(self) -> int:
        return sum(1 + len(part) // LETTERS_A_ROW for part in self.text.split("\n"))


@dataclass(frozen=True)
class MissingNote:
    """A note that a mark in the text names and that is not written yet."""

    id: str
    kind: str
    anchor: str
    words: str


def _bounds(text: str, leaf: int) -> tuple[int, int] | None:
    """First and last line of a leaf in text.txt, without its head; leaf 0 is what stands on no leaf."""
    lines = text.split("\n")
    heads = [i for i, line in enumerate(lines) if line.startswith("===")]
    for at, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        mark = BLOCK.match(lines[at])
        if mark and int(mark[1] or 0) == leaf:
            return at + 1, following
    return None


def rows_of(text: str, leaf: int) -> list[LeafRow] | None:
    """None where there is no such leaf, and no rows where it has no text."""
    bounds = _bounds(text, leaf)
    if bounds is None:
        return None
    rows, number = [], 0
    body = "\n".join(text.split("\n")[bounds[0] : bounds[1]]).strip("\n")
    for line in body.split("\n") if body else []:
        number += bool(line)
        rows.append(LeafRow(number if line else 0, line))
    return rows


def rows_from(written: Sequence[str]) -> list[LeafRow]:
    """The rows that were sent. An emptied one goes; one with line ends in it has become several lines."""
    lines: list[str] = []
    for value in written:
        text = clean_text(value)
        if text == GAP:
            lines.append("")
        elif text.strip():
            lines += [line.rstrip() for line in text.split("\n")]
    rows: list[LeafRow] = []
    number = 0
    for line in lines:
        number += bool(line)
        if line or (rows and rows[-1].text):
            rows.append(LeafRow(number if line else 0, line))
    return rows


def check_size(rows: Sequence[LeafRow]) -> None:
    """Refuse what no page of a leaflet holds, before it is read, compared or drawn."""
    letters = sum(len(row.text) for row in rows)
    if letters > MAX_LETTERS or len(rows) > MAX_LINES:
        raise EditError(
            f"A page has at most {MAX_LINES} lines and {MAX_LETTERS:,} characters; this has {len(rows):,} "
            f"lines and {letters:,} characters. Nothing was stored: go back to what you wrote."
        )


def with_anchors(text: str, leaf: int, rows: Sequence[LeafRow]) -> list[LeafRow]:
    """The rows of a leaf that had no text, each paragraph with a name for its passage, as one pastes plain
    text. Where somebody has written names, or the leaf has passages already, theirs stay as they are."""
    if rows_of(text, leaf) or any("{#" in row.text for row in rows):
        return list(rows)
    taken = {name for passage in read_text(text).passages for name in (*passage.anchors, *passage.aliases)}
    names = (name for number in count(1) if (name := _anchor(leaf, number)) not in taken)
    found, last = [], ""
    for row in rows:
        mark = PREFIX.match(row.text)
        style = (mark[1] if mark else None) or "body"
        begins = bool(row.text) and style != last and not (mark and mark[4])
        if begins and style in STYLES and not STYLES[style].furniture:
            at = mark.end() if mark else 0
            row = replace(row, text=f"{row.text[:at]}{{#{next(names)}}} {row.text[at:]}")
        last = style if row.text else ""
        found.append(row)
    return found


def _anchor(leaf: int, number: int) -> str:
    return f"page-{leaf}" if number == 1 else f"page-{leaf}-{number}"


def with_leaf(text: str, leaf: int, rows: Iterable[LeafRow]) -> str:
    """The text with this leaf replaced, in the one form in which texts are written, if it can be read."""
    bounds = _bounds(text, leaf)
    assert bounds is not None
    lines = text.split("\n")
    inside = [row.text for row in rows]
    changed = [*lines[: bounds[0]], "", *inside, "", *lines[bounds[1] :]]
    whole = "\n".join(changed).rstrip("\n") + "\n"
    try:
        read = read_text(whole)
    except EditionError:
        return whole
    return write_text(read.blocks, read.passages)


def row_of_fault(text: str, leaf: int, fault: EditionError) -> int | None:
    """The number of the row a fault speaks of, if it is on this leaf."""
    bounds = _bounds(text, leaf)
    if bounds is None or not bounds[0] < fault.line <= bounds[1]:
        return None
    before = text.split("\n")[bounds[0] : fault.line]
    return sum(1 for line in before if line)


def doubts_in(text: str) -> list[tuple[int, int]]:
    """Every doubtful word of a text: its page, and the number of its line there."""
    try:
        lines = [line for block in read_text(text).blocks if block.leaf for line in block.lines]
    except EditionError:
        return []
    return [(line.leaf, line.number) for line in lines for run in line.runs if run.kind == "doubt"]


def next_doubt(text: str, leaf: int) -> tuple[int, int] | None:
    """The first doubt on a page after this one, then from the first page on; none if no other has any."""
    found = doubts_in(text)
    later = [place for place in found if place[0] > leaf]
    earlier = [place for place in found if place[0] < leaf]
    return next(iter([*later, *earlier]), None)


def lines_of(text: str, leaf: int) -> tuple[Line, ...]:
    """The lines of a leaf in both layers; EditionError if the text cannot be read."""
    return next((block.lines for block in read_text(text).blocks if block.leaf == leaf), ())


def missing_notes(files: Mapping[str, str], leaf: int) -> list[MissingNote]:
    """The notes that marks on this leaf call for and that have not been written."""
    known = {note.id for note in notes_in(files)}
    found: dict[str, MissingNote] = {}
    for line in lines_of(files[TEXT], leaf):
        for run in line.runs:
            if run.note and run.note not in known:
                found.setdefault(run.note, MissingNote(run.note, _kind(run), run.passage, _words(run)))
        if line.note and line.note not in known:
            anchor = next(iter(line.passages), "")
            found.setdefault(line.note, MissingNote(line.note, "mend", anchor, line.printed or line.reading))
    return list(found.values())


def _kind(run: Run) -> str:
    return "lacuna" if run.kind in ("supplied", "lacuna") else "mend"


def _words(run: Run) -> str:
    return f"{run.printed} → {run.reading}" if run.printed else run.reading


def with_notes(files: Mapping[str, str], notes: Iterable[Note]) -> str:
    """notes.toml with these notes behind the others."""
    return write_notes([*notes_in(files), *notes])


def new_note(missing: MissingNote, title: str, body: str, certainty: str, signed: str, today: date) -> Note:
    return Note(
        id=missing.id,
        kind=missing.kind,
        title=title,
        body=body or title,
        signed=signed,
        dated=today,
        anchor=missing.anchor,
        certainty=certainty,
    )
