"""Places that a message can be about: a page, a passage or a note of a rulebook, or all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse

from archive.models import Book, Leaf, Note, Passage, ReaderMessage
from archive.reader.citations import shortened


@dataclass(frozen=True)
class Place:
    """`words` are those that stand there now; `anchor` is the passage it belongs to and `leaf` its page,
    where it has one."""

    book: Book
    kind: str
    name: str = ""
    address: str = ""
    title: str = ""
    words: str = ""
    anchor: str = ""
    leaf: int = 0

    @property
    def query(self) -> str:
        """The end of the address of the form that is about this place."""
        return f"?{self.kind}={self.name}" if self.name else ""


def place_asked(book: Book, asked: Mapping[str, str]) -> Place:
    """The place that an address names by page, passage or note; the whole book where it names none."""
    for kind in (ReaderMessage.PAGE, ReaderMessage.PASSAGE, ReaderMessage.NOTE):
        if name := asked.get(kind, ""):
            found = find_place(book, kind, name)
            if found is None:
                raise Http404(f"This rulebook has no such {kind}.")
            return found
    return _whole(book)


def place_of(message: ReaderMessage) -> Place:
    """What a message is about, as it is now; of what has gone since, the rulebook it was in."""
    return find_place(message.book, message.kind, message.name) or _whole(message.book)


def _whole(book: Book) -> Place:
    return Place(
        book, ReaderMessage.BOOK, address=book.get_absolute_url(), title=f"All of {book.short_title}"
    )


def find_place(book: Book, kind: str, name: str) -> Place | None:
    if kind == ReaderMessage.PAGE:
        return _page(book, name)
    if kind == ReaderMessage.PASSAGE:
        passage = Passage.objects.named(book.slug, name).first()
        return _passage(book, passage) if passage else None
    if kind == ReaderMessage.NOTE:
        note = Note.objects.filter(book=book, slug=name).select_related("passage").first()
        return _note(book, note) if note else None
    return None


def _page(book: Book, name: str) -> Place | None:
    number = int(name) if name.isascii() and name.isdigit() and len(name) < 5 else 0
    leaf = Leaf.objects.filter(book=book, number=number).first()
    if leaf is None:
        return None
    title = f"Page {number} of {book.short_title}, {leaf.title}"
    address = reverse("leaf", args=[book.slug, number])
    return Place(book, ReaderMessage.PAGE, str(number), address, title, leaf=number)


def _passage(book: Book, passage: Passage) -> Place:
    words = shortened(passage.reading or passage.printed, 300)
    title = f"A passage of {book.short_title}" + (f", {passage.section}" if passage.section else "")
    leaf = passage.leaves[0] if passage.leaves else 0
    address = passage.get_absolute_url()
    return Place(book, ReaderMessage.PASSAGE, passage.anchor, address, title, words, passage.anchor, leaf)


def _note(book: Book, note: Note) -> Place:
    title = f"The note “{note.title}” in {book.short_title}"
    address = f"{book.get_absolute_url()}#note-{note.slug}"
    passage = note.passage
    anchor, leaf = (passage.anchor, next(iter(passage.leaves), 0)) if passage else ("", 0)
    return Place(book, ReaderMessage.NOTE, note.slug, address, title, note.title, anchor, leaf)


def editors_of(place: Place) -> dict[str, tuple[str, str]]:
    """The forms that a curator may open at this place: by a short name, the words of its button and its
    address."""
    slug, found = place.book.slug, {}
    if place.kind == ReaderMessage.NOTE:
        found["note"] = ("Edit this note", reverse("note", args=[slug, place.name]))
    if place.leaf or place.anchor:
        found["text"] = ("Edit the text", reverse("mend", args=[slug, place.leaf]))
    if place.anchor:
        found["new-note"] = (
            "Write a note here",
            f"{reverse('new-note', args=[slug])}?passage={place.anchor}",
        )
    found["catalogue"] = ("Edit the catalogue", reverse("catalogue", args=[slug]))
    return found
