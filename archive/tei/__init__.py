"""A book as TEI P5.

header    what the file is, its source and rights, and how it was edited
surfaces  page images with a zone for every row of type and every passage
body      both layers of the text
notes     the notes behind the text
"""

from __future__ import annotations

from archive.models import Book
from archive.tei.body import TeiBody
from archive.tei.header import header
from archive.tei.notes import back
from archive.tei.surfaces import Zones
from archive.xml import as_xml, element

NAMESPACE = "http://www.tei-c.org/ns/1.0"


def as_tei(book: Book, origin: str) -> bytes:
    """The book comes with its leaves, their images, its passages and its notes."""
    zones = Zones(book, origin)
    body = TeiBody(book, zones)
    parts = [body.front(), body.body(), back(book, origin)]
    document = element(
        "TEI",
        header(book, origin),
        *zones.facsimile(),
        element("text", *(part for part in parts if part is not None), **{"xml:lang": book.language}),
        **{"xml:id": f"book.{book.slug}", "xmlns": NAMESPACE},
    )
    return as_xml(document)
