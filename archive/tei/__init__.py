"""A book as TEI P5: header, page images with their zones, both layers of the text, the notes."""

from __future__ import annotations

from xml.etree import ElementTree

from archive.models import Book
from archive.tei.body import TeiBody
from archive.tei.header import header
from archive.tei.notes import back
from archive.tei.surfaces import Zones
from archive.xml import NAMESPACE, element


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
    text = ElementTree.tostring(document, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
