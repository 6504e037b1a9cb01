"""The body of a book's page, kept as long as neither its text nor its images change.

A body is the same for every reader, so a process renders it once. What differs between readers (theme, view,
the site's own address) stands around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

import engine
from archive.cache import BoundedCache
from archive.models import Book, Leaf, PageImage
from archive.reader.notes import play_address
from archive.reader.reading import missing, read_book, with_ways

MAX_BODIES = 128

Stamp = tuple[str, tuple[tuple[str, datetime], ...]]


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
        "leaves": [with_ways(shown, len(leaves), lambda number: f"#leaf-{number}") for shown in leaves],
        "slips": slips,
        "loose_notes": missing(reader.notes, reader.rendering.signed),
        "questions": [note for note in reader.notes.values() if note.is_open and note.readings],
        "games": games_of(book),
    }
    return BookBody(
        contents=render_to_string("archive/_book_contents.html", context),
        text=render_to_string("archive/_book_text.html", context),
        below=render_to_string("archive/_book_below.html", context),
        leaves=len(leaves),
        has_text=any(shown.blocks for shown in leaves),
        notes=len(reader.notes),
        hits=reader.hits.anchors,
        image=next((shown.image.identifier for shown in leaves if shown.image), ""),
    )
