"""Cited works: a rulebook, a passage, a note or a revision, each one object from which every format is made.

Words are cited as whose they are: of the print, of the editors, of somebody who put a slip or a stamp on the
copy, or, where a text may not be shown, our own statements of fact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from django.utils import timezone

from archive.models import Book, Note, Passage
from archive.models.history import Revision
from archive.site import site

Voice = Literal["print", "editor", "copy", "ours"]
UNKNOWN = "Not known"


@dataclass(frozen=True)
class CitedRevision:
    """The revision that was read: its number, its day and the address under which it stays as it is."""

    number: int
    day: date
    address: str


@dataclass(frozen=True)
class CitedWork:
    """`address` is the permanent one; `folder` is where the citation can be downloaded. `title` and `author`
    are those of the words cited; `within` is the rulebook that they belong to, where that is another work."""

    book: Book
    address: str
    folder: str
    key: str
    title: str
    voice: Voice = "print"
    author: str = ""
    within: str = ""
    written: date | None = None
    """The day on which the editors wrote it."""
    name: str = ""
    """How the edition names the place: passage score-bonus, note bonus-order."""
    page: str = ""
    words: str = ""
    revision: CitedRevision | None = None

    @property
    def is_print(self) -> bool:
        return self.voice == "print"

    @property
    def place(self) -> str:
        return if_known(self.book.place) if self.is_print else ""

    @property
    def publisher(self) -> str:
        """The maker published the leaflet; what the editors wrote is published here."""
        if self.voice == "copy":
            return ""
        return if_known(self.book.maker) if self.is_print else site().publisher

    @property
    def year(self) -> str:
        if self.written:
            return str(self.written.year)
        return str(self.book.year) if self.book.year and self.is_print else ""

    @property
    def edition(self) -> str:
        """The edition with its revision, in a few words."""
        number = f", revision {self.revision.number}" if self.revision else ""
        return f"{site().edition}{number}"

    @property
    def rights(self) -> str:
        """The address that says what may be done with the words; those of the editors have their own."""
        licence = site().licence
        if self.voice in ("print", "copy"):
            return self.book.rights_address
        return licence.address if licence else ""

    @property
    def accessed(self) -> date:
        return timezone.localdate()


def if_known(value: str) -> str:
    return "" if value == UNKNOWN else value


def in_one_line(text: str) -> str:
    """A text in one line; a table has bars between its cells, so that the empty ones are seen."""
    return " ".join(text.replace("\t", " | ").split())


def shortened(text: str, max_letters: int = 160) -> str:
    """The first words of a text, with three dots where it goes on."""
    line = in_one_line(text)
    return line if len(line) <= max_letters else line[: line.rfind(" ", 0, max_letters)].rstrip(" ,;:") + " …"


def latest_revision(book: Book, origin: str) -> CitedRevision | None:
    found = Revision.objects.filter(book=book).order_by("-number").values_list("number", "made").first()
    return cited_revision(book, *found, origin) if found else None


def cited_revision(book: Book, number: int, made: datetime, origin: str) -> CitedRevision:
    return CitedRevision(number, timezone.localdate(made), f"{origin}/books/{book.slug}/revisions/{number}/")


def cite_book(book: Book, origin: str) -> CitedWork:
    folder = f"/books/{book.slug}/"
    work = _whole(book, folder, origin)
    return _at(work, latest_revision(book, origin))


def cite_revision(book: Book, revision: Revision, origin: str) -> CitedWork:
    """A revision as it was published: its own address is the permanent one."""
    folder = f"/books/{book.slug}/revisions/{revision.number}/"
    work = _whole(book, folder, origin, f"{book.slug}-revision-{revision.number}")
    return _at(work, cited_revision(book, revision.number, revision.made, origin))


def is_facts(book: Book) -> bool:
    """True if what stands here is no text of the leaflet but its facts in our own words."""
    return any(not line.furniture for line in book.loose_lines)


def facts_title(book: Book) -> str:
    if book.short_title.endswith((".", "?", "!")):
        return f"{book.short_title} The facts of play in our own words"
    return f"{book.short_title}: the facts of play in our own words"


def _whole(book: Book, folder: str, origin: str, key: str = "") -> CitedWork:
    if is_facts(book):
        return _ours(book, folder, origin, key or book.slug)
    return CitedWork(book, f"{origin}{folder}", folder, key or book.slug, book.title)


def _ours(book: Book, folder: str, origin: str, key: str) -> CitedWork:
    title = facts_title(book)
    day = timezone.localdate(book.published)
    return CitedWork(book, f"{origin}{folder}", folder, key, title, "ours", site().name, written=day)


def cite_passage(passage: Passage, origin: str, style: str = "") -> CitedWork:
    """A passage by its words. `style` is that of its line, where it was put on the copy."""
    book = passage.book
    folder, key = f"/books/{book.slug}/passages/{passage.anchor}/", f"{book.slug}-{passage.anchor}"
    page, words = ", ".join(map(str, passage.leaves)), shortened(passage.reading or passage.printed)
    parts = {"name": f"passage {passage.anchor}", "page": page, "words": words}
    if passage.is_ours and not passage.leaves:
        work = _ours(book, folder, origin, key)
    elif passage.is_ours:
        title, day = f"Description of page {page}", timezone.localdate(book.published)
        work = CitedWork(
            book, f"{origin}{folder}", folder, key, title, "editor", site().name, book.title, written=day
        )
    elif passage.kind == "furniture" and style in ("slip", "stamp"):
        what = "Slip laid on" if style == "slip" else "Stamp on"
        work = CitedWork(
            book, f"{origin}{folder}", folder, key, f"{what} a copy of {book.title}", "copy", "", book.title
        )
    else:
        work = CitedWork(book, f"{origin}{folder}", folder, key, book.title)
    return _at(work, latest_revision(book, origin), **parts)


def cite_note(note: Note, origin: str) -> CitedWork:
    """A note: the editors' words, not those of the rulebook."""
    book = note.book
    folder, key = f"/books/{book.slug}/notes/{note.slug}/", f"{book.slug}-note-{note.slug}"
    work = CitedWork(
        book,
        f"{origin}/books/{book.slug}/#note-{note.slug}",
        folder,
        key,
        note.title,
        "editor",
        note.signed,
        book.title,
        note.dated,
    )
    return _at(work, latest_revision(book, origin), name=f"note {note.slug}")


def cite_parallel(old: Book, new: Book, origin: str) -> CitedWork:
    """Two rulebooks side by side: the comparison is ours, and it names the revision of each."""
    folder = f"/parallel/{old.slug}/{new.slug}/"
    names = [f"{book.short_title} ({book.year or 'undated'})" for book in (old, new)]
    day = max(timezone.localdate(book.published) for book in (old, new))
    read = [revision.number for book in (old, new) if (revision := latest_revision(book, origin))]
    return CitedWork(
        new,
        f"{origin}{folder}",
        folder,
        f"{old.slug}-and-{new.slug}",
        f"{' and '.join(names)}, sentence by sentence",
        "ours",
        site().name,
        written=day,
        name=f"revisions {' and '.join(map(str, read))}" if read else "",
    )


def _at(work: CitedWork, revision: CitedRevision | None, **parts: str) -> CitedWork:
    return replace(work, revision=revision, **parts)  # type: ignore[arg-type]
