"""A book in the fifteen elements of Dublin Core, as harvesters of catalogues read them."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import engine
from archive.iiif.presentation import manifest_address
from archive.models import Book
from archive.reader.citations import facts_title, if_known, is_facts
from archive.site import site as this_site
from archive.xml import element

OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
OAI_DC_SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"
DC = "http://purl.org/dc/elements/1.1/"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
UNKNOWN = "Not known"


def _subjects(book: Book) -> list[str]:
    """The terms of the catalogue, each followed by its address in a vocabulary if that is known."""
    return [words for subject in book.subjects for words in (subject["term"], subject["address"])]


def _leaflet(book: Book) -> list[tuple[str, str]]:
    """The rulebook itself, of which the text is here."""
    return [
        ("title", book.title),
        ("title", book.short_title if book.short_title != book.title else ""),
        ("publisher", book.maker),
        ("date", str(book.year) if book.year else book.date),
        ("type", "leaflet"),
        ("rights", book.rights_address),
        ("rights", book.rights_label),
    ]


def _facts(book: Book) -> list[tuple[str, str]]:
    """Our own words about a leaflet, which is another work."""
    here = this_site()
    maker = if_known(book.maker)
    return [
        ("title", facts_title(book)),
        ("creator", here.name),
        ("publisher", here.publisher),
        ("date", f"{book.published:%Y-%m-%d}"),
        ("relation", ", ".join(part for part in (book.title, maker) if part)),
        ("rights", f"The rulebook itself: {book.rights_label}, {book.rights_address}"),
    ]


def as_dublin_core(book: Book, site: str, has_pages: bool) -> Element:
    folder = f"{site}{book.get_absolute_url()}"
    games = [engine.GAMES[key].title for key in book.games if key in engine.GAMES]
    rows = [
        *(_facts(book) if is_facts(book) else _leaflet(book)),
        *(("subject", words) for words in (*_subjects(book), *games)),
        ("description", book.blurb),
        *(("contributor", f"{editor.inverted} (editor)") for editor in this_site().editors),
        ("type", "Text"),
        ("format", "text/html"),
        ("identifier", folder),
        ("source", book.provenance),
        ("language", book.language),
        ("relation", manifest_address(site, book.slug) if has_pages else ""),
        ("relation", f"{folder}tei.xml" if has_pages else ""),
        ("rights", this_site().licence_sentence),
    ]
    told = [(name, " ".join(words.split())) for name, words in rows]
    return element(
        "oai_dc:dc",
        *(element(f"dc:{name}", words) for name, words in told if words and words != UNKNOWN),
        **{
            "xmlns:oai_dc": OAI_DC,
            "xmlns:dc": DC,
            "xmlns:xsi": XSI,
            "xsi:schemaLocation": f"{OAI_DC} {OAI_DC_SCHEMA}",
        },
    )
