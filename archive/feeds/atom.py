"""What changed in the books, the newest first, as an Atom feed: one entry for each revision."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from django.http import HttpRequest, HttpResponse

from archive.citing import SITE
from archive.history_models import Revision
from archive.iiif.answers import answer, open_to_all, origin
from archive.tei.xml import element

ATOM = "http://www.w3.org/2005/Atom"
ENTRIES_MOST = 50
THE_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""While nothing is published, the feed is as old as this; an Atom feed must name a moment."""


@open_to_all
def changes(request: HttpRequest) -> HttpResponse:
    newest = Revision.objects.select_related("book").defer("book__files", "book__loose")
    revisions = list(newest.order_by("-made", "-pk")[:ENTRIES_MOST])
    return answer(request, as_atom(revisions, origin(request)), "application/atom+xml; charset=utf-8")


def as_atom(revisions: list[Revision], site: str) -> bytes:
    updated = max((revision.made for revision in revisions), default=THE_BEGINNING)
    feed = element(
        "feed",
        element("id", f"{site}/changes.atom"),
        element("title", f"{SITE}: changes to the books"),
        element("updated", stamp(updated)),
        element("author", element("name", f"{SITE} editors")),
        element("link", rel="self", type="application/atom+xml", href=f"{site}/changes.atom"),
        element("link", rel="alternate", type="text/html", href=f"{site}/"),
        *(entry(revision, site) for revision in revisions),
        xmlns=ATOM,
    )
    text = ElementTree.tostring(feed, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def entry(revision: Revision, site: str) -> Element:
    """A revision's address is its id: it stays, so a reader sees each change once."""
    book, address = revision.book, f"{site}{revision.get_absolute_url()}"
    title = f"{book.short_title}, {book.year}" if book.year else book.short_title
    return element(
        "entry",
        element("id", address),
        element("title", f"{title}: revision {revision.number}"),
        element("updated", stamp(revision.made)),
        element("author", element("name", revision.signed)),
        element("link", rel="alternate", type="text/html", href=address),
        element("link", rel="related", type="text/html", href=f"{site}{book.get_absolute_url()}"),
        element("summary", revision.reason),
    )


def stamp(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
