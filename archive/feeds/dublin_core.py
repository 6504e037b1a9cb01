"""A book in the fifteen elements of Dublin Core, as harvesters of catalogues read them."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import engine
from archive.iiif.presentation import manifest_address
from archive.models import Book
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


def as_dublin_core(book: Book, site: str, has_pages: bool) -> Element:
    folder = f"{site}{book.get_absolute_url()}"
    games = [engine.GAMES[key].title for key in book.games if key in engine.GAMES]
    rows = [
        ("title", book.title),
        ("title", book.short_title if book.short_title != book.title else ""),
        *(("subject", words) for words in (*_subjects(book), *games)),
        ("description", book.blurb),
        ("publisher", book.maker),
        *(("contributor", f"{editor.inverted} (editor)") for editor in this_site().editors),
        ("date", str(book.year) if book.year else book.date),
        ("type", "Text"),
        ("type", "leaflet"),
        ("format", "text/html"),
        ("identifier", folder),
        ("source", book.provenance),
        ("language", book.language),
        ("relation", manifest_address(site, book.slug) if has_pages else ""),
        ("relation", f"{folder}tei.xml" if has_pages else ""),
        ("rights", book.rights_address),
        ("rights", book.rights_label),
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
