"""Atom: the changes of the books as a feed, the newest first, one entry for each."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from archive.feeds.change_log import EARLIEST, Change, timestamp
from archive.site import site as this_site
from archive.xml import as_xml, element

ATOM = "http://www.w3.org/2005/Atom"
MAX_ENTRIES = 50


def as_atom(newest: list[Change], site: str) -> bytes:
    updated = max((change.made for change in newest), default=EARLIEST)
    here = this_site()
    editors = [editor.name for editor in here.editors] or [f"{here.name} editors"]
    feed = element(
        "feed",
        element("id", f"{site}/changes.atom"),
        element("title", f"{here.name}: changes to the rulebooks"),
        element("updated", timestamp(updated)),
        *([element("subtitle", here.institution)] if here.institution else []),
        *(element("author", element("name", name)) for name in editors),
        element("rights", here.licence_sentence),
        element("link", rel="self", type="application/atom+xml", href=f"{site}/changes.atom"),
        element("link", rel="alternate", type="text/html", href=f"{site}/"),
        *(entry(change, site) for change in newest),
        xmlns=ATOM,
    )
    return as_xml(feed)


def entry(change: Change, site: str) -> Element:
    """A change's address is its id: it stays, so a reader sees each change once."""
    book = change.book
    title = f"{book.short_title}, {book.year}" if book.year else book.short_title
    return element(
        "entry",
        element("id", f"{site}{change.path}"),
        element("title", f"{title}: {change.title}"),
        element("updated", timestamp(change.made)),
        element("author", element("name", change.signed)),
        element("link", rel="alternate", type="text/html", href=f"{site}{change.page}"),
        element("link", rel="related", type="text/html", href=f"{site}{book.get_absolute_url()}"),
        element("summary", change.reason),
    )
