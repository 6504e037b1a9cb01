"""Documents: what can be found of a book, each with its title and its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from archive.models import Book, Passage
from archive.reader.markdown import to_text
from archive.search.spellings import words

KINDS = ("passage", "printed", "note", "variant", "brief", "book", "source", "stamp")
YEARS_MOST = 200
"""A span of more years is not narrowed down."""


@dataclass(frozen=True)
class SearchDocument:
    """One thing that can be found. `key` is an anchor, a note's slug, a variant's slug, a game or a source;
    `anchor` is the passage it belongs to, where there is one. `kinds` are those it is found as."""

    kind: str
    key: str
    anchor: str
    title: str
    text: str
    kinds: tuple[str, ...] = ()

    @property
    def row(self) -> tuple[str, str, str, str, str]:
        return self.kind, self.key, self.anchor, self.title, self.text


def documents(book: Book) -> Iterator[SearchDocument]:
    yield _catalogue(book)
    passages = {passage.pk: passage for passage in book.passages.all()}
    headings = {section["anchor"]: section["title"] for section in book.sections}
    for passage in passages.values():
        yield from _of_passage(passage, headings.get(passage.anchor, ""))
    for note in book.notes.all():
        place = passages.get(note.passage_id) if note.passage_id else None
        readings = "".join(f" {reading['title']}: {reading['text']}" for reading in note.readings)
        body = to_text(note.body) + readings
        yield SearchDocument("note", note.slug, place.anchor if place else "", note.title, body)
    for variant in book.variants.all():
        yield SearchDocument("variant", variant.slug, "", variant.title, to_text(variant.reasons))
    for line in book.brief_lines.all():
        anchor = line.cites[0].partition("/")[2] if line.cites else ""
        # Their heading is the game's name, of which each line would be a hit.
        yield SearchDocument("brief", line.game, anchor, "", line.text)
    for source in book.sources:
        names = ("author", "title", "publisher", "date", "address", "remark")
        yield SearchDocument(
            "source", source["key"], "", "", _sentence(*(source.get(name, "") for name in names))
        )


def _catalogue(book: Book) -> SearchDocument:
    year = str(book.year or "")
    facts = [book.title, book.maker, book.place, book.date or year, book.copyright, book.players, book.pieces]
    facts += [book.blurb, book.provenance, book.holding, book.rights_label]
    facts += [*book.unknown, *(subject["term"] for subject in book.subjects)]
    title = ", ".join(part for part in (book.short_title, year) if part)
    return SearchDocument("book", book.slug, "", title, _sentence(*facts))


def _of_passage(passage: Passage, heading: str) -> Iterator[SearchDocument]:
    """A passage in its reading text, and in its source text where that has other words. What stands only on
    the copy (a stamp, a slip, a running head) is a kind of its own."""
    anchor = passage.anchor
    if passage.kind == "furniture":
        yield SearchDocument("stamp", anchor, anchor, "", passage.printed)
        return
    same = words(passage.printed) == words(passage.reading)
    if passage.reading:
        kinds = ("passage", "printed") if same else ("passage",)
        yield SearchDocument("passage", anchor, anchor, heading, passage.reading, kinds)
    if passage.printed and not same:
        yield SearchDocument("printed", anchor, anchor, "", passage.printed)


def _sentence(*facts: str) -> str:
    return ". ".join(" ".join(fact.split()).rstrip(".") for fact in facts if fact.strip())


@dataclass(frozen=True)
class SearchFilters:
    """What a search keeps to: a book, a kind, the years from and to; each may be left open."""

    book: Book | None = None
    kind: str = ""
    first: int | None = None
    last: int | None = None

    @property
    def marks(self) -> tuple[tuple[str, ...], ...]:
        """The marks a document must have: of each group one."""
        groups: list[tuple[str, ...]] = [(f"b{self.book.pk}",)] if self.book else []
        groups += [(f"k{self.kind}",)] if self.kind else []
        if self.first is not None or self.last is not None:
            groups.append(year_marks(self.first, self.last))
        return tuple(groups)


def marks_of(book: Book, document: SearchDocument) -> list[str]:
    """The marks of a document, by which filters find it without reading others."""
    kinds = document.kinds or (document.kind,)
    years = [f"y{book.year}", f"d{book.year // 10}"] if book.year else []
    return [f"b{book.pk}", *(f"k{kind}" for kind in kinds), *years]


def year_marks(first: int | None, last: int | None) -> tuple[str, ...]:
    """A span of years as few marks: whole decades, and single years at its ends.

    >>> year_marks(1908, 1921)
    ('y1908', 'y1909', 'd191', 'y1920', 'y1921')
    """
    end = last if last is not None else (first or 0) + YEARS_MOST
    year = first if first is not None else end - YEARS_MOST
    end = min(end, year + YEARS_MOST)
    marks = []
    while year <= end:
        whole = year % 10 == 0 and year + 9 <= end
        marks.append(f"d{year // 10}" if whole else f"y{year}")
        year += 10 if whole else 1
    return tuple(marks) or ("y0",)
