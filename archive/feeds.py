"""What changed, the newest first, as an Atom feed."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from django.db.models import Count
from django.http import HttpRequest, HttpResponse

from archive.citing import SITE
from archive.iiif.answers import answer, open_to_all, origin
from archive.models import Book
from archive.tei.xml import element

ATOM = "http://www.w3.org/2005/Atom"
ENTRIES_MOST = 50
THE_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""When nothing is published yet, the feed is as old as this; an Atom feed must name a day."""


@open_to_all
def changes(request: HttpRequest) -> HttpResponse:
    site = origin(request)
    books = Book.objects.defer("files", "loose").order_by("-published", "slug")
    newest = books.annotate(
        leaf_count=Count("leaves", distinct=True), note_count=Count("notes", distinct=True)
    )[:ENTRIES_MOST]
    feed = as_atom(list(newest), site)
    return answer(request, feed, "application/atom+xml; charset=utf-8")


def as_atom(books: list[Book], site: str) -> bytes:
    updated = max((book.published for book in books), default=THE_BEGINNING)
    feed = element(
        "feed",
        element("id", f"{site}/changes.atom"),
        element("title", f"{SITE}: changes to the books"),
        element("updated", stamp(updated)),
        element("author", element("name", f"{SITE} editors")),
        element("link", rel="self", type="application/atom+xml", href=f"{site}/changes.atom"),
        element("link", rel="alternate", type="text/html", href=f"{site}/"),
        *(entry(book, site) for book in books),
        xmlns=ATOM,
    )
    text = ElementTree.tostring(feed, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def entry(book: Book, site: str) -> Element:
    """A state of a book. Its id names that state, so a reader sees each change once."""
    address = f"{site}/books/{book.slug}/"
    title = f"{book.short_title}, {book.year}" if book.year else book.short_title
    links = [element("link", rel="alternate", type="text/html", href=address)]
    if book.leaf_count:  # type: ignore[attr-defined]
        manifest = f"{site}/iiif/3/{book.slug}/manifest.json"
        links += [
            element("link", rel="related", type="application/tei+xml", href=f"{address}tei.xml"),
            element("link", rel="related", type="application/ld+json", href=manifest),
        ]
    return element(
        "entry",
        element("id", f"{address}#state-{book.fingerprint[:16]}"),
        element("title", title),
        element("updated", stamp(book.published)),
        *links,
        element("summary", summary(book)),
    )


def summary(book: Book) -> str:
    leaves, notes = book.leaf_count, book.note_count  # type: ignore[attr-defined]
    held = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}" if leaves else "No page is held"
    return f"Published in a new state. {held}, {notes} {'note' if notes == 1 else 'notes'}. {book.blurb}"


def stamp(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
