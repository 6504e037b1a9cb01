"""Metadata of pages for machines: schema.org JSON-LD, Highwire tags, the Open Graph card of a shared link."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from archive.images.boxes import Box
from archive.images.cards import CARD_HEIGHT, CARD_WIDTH, card_box
from archive.models import Book, Leaf, PageImage, Passage
from archive.reader.citation_formats import highwire
from archive.reader.citations import CitedWork, if_known, shortened
from archive.reader.downloads import TYPESET_WORDS
from archive.site import Site, site

GENRE = "Leaflet with the rules of a game"
Clip = tuple[Leaf, PageImage, Box]


@dataclass(frozen=True)
class Metadata:
    """`tags` are meta names with their contents; `card` is for links shared elsewhere."""

    canonical: str
    description: str
    tags: tuple[tuple[str, str], ...]
    card: tuple[tuple[str, str], ...]
    linked: SafeString


def _json_ld(thing: dict[str, Any]) -> SafeString:
    """JSON that may stand inside a script element: no sign in it can end the element."""
    text = json.dumps({"@context": "https://schema.org"} | thing, ensure_ascii=False)
    for sign, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(sign, code)
    return mark_safe(text)  # noqa: S308 - the signs that matter to HTML were written as codes


def _linked_book(cited: CitedWork, origin: str) -> dict[str, Any]:
    """What stands here, as schema.org describes it: a leaflet that we edit, or what we say about one."""
    return _linked_facts(cited, origin) if cited.voice == "ours" else _linked_leaflet(cited, origin)


def _linked_facts(cited: CitedWork, origin: str) -> dict[str, Any]:
    """Our own words about a leaflet: we wrote and publish them, and its maker has no part in them."""
    book, us = cited.book, _organization(site(), origin)
    address = f"{origin}/books/{book.slug}/"
    leaflet = {"@type": "CreativeWork", "genre": GENRE, "name": book.title, **_maker(cited.book)}
    if book.copyright:
        leaflet["copyrightNotice"] = book.copyright
    told = {"@type": "Article", "@id": address, "url": address, "name": cited.title, "about": leaflet}
    told |= {"author": us, "publisher": us, "inLanguage": book.language, "abstract": book.blurb}
    told |= {"license": cited.rights} if cited.rights else {}
    return told | _linked_revision(cited)


def _maker(book: Book) -> dict[str, Any]:
    maker = if_known(book.maker)
    return {"publisher": {"@type": "Organization", "name": maker}} if maker else {}


def _linked_revision(cited: CitedWork) -> dict[str, Any]:
    told: dict[str, Any] = {
        "dateModified": cited.book.published.date().isoformat(),
        "isAccessibleForFree": True,
    }
    if cited.revision:
        told |= {"version": f"revision {cited.revision.number}", "archivedAt": cited.revision.address}
    return told


def _linked_leaflet(cited: CitedWork, origin: str) -> dict[str, Any]:
    """The leaflet: a work of its publisher, edited and provided by us."""
    book = cited.book
    address = f"{origin}/books/{book.slug}/"
    publisher = _organization(site(), origin)
    people = [{"@type": "Person", "name": editor.name} for editor in site().editors]
    work: dict[str, Any] = {
        "@type": "CreativeWork",
        "genre": GENRE,
        "@id": address,
        "url": address,
        "name": book.title,
        "alternateName": book.short_title,
        **_maker(book),
        "editor": people or publisher,
        "inLanguage": book.language,
        "license": book.rights_address,
        "abstract": book.blurb,
        "provider": publisher,
        **_linked_revision(cited),
    }
    if book.year:
        work |= {"datePublished": str(book.year), "copyrightYear": book.year}
    if book.copyright:
        work["copyrightNotice"] = book.copyright
    return work


def _organization(here: Site, origin: str) -> dict[str, Any]:
    """The archive as schema.org describes it, and what it is a part of."""
    told: dict[str, Any] = {"@type": "Organization", "name": here.name, "url": f"{origin}/"}
    if here.institution:
        told["parentOrganization"] = {"@type": "Organization", "name": here.institution}
    if "@" in here.contact:
        told["email"] = here.contact
    return told


def book_metadata(cited: CitedWork, image: str, origin: str, typeset: bool = True) -> Metadata:
    book, address = cited.book, cited.address
    card = [
        ("og:type", "book"),
        ("og:title", book.short_title),
        ("og:description", book.blurb),
        ("og:url", address),
    ]
    work = _linked_book(cited, origin)
    if image:
        said = TYPESET_WORDS if typeset else "A scan."
        picture = f"{origin}/iiif/image/3/{image}/full/!1200,1200/0/default.jpg"
        card += [("og:image", picture), ("og:image:alt", f"The first page of {book.short_title}. {said}")]
        work["image"] = picture
    description = shortened(book.blurb, 200)
    return Metadata(address, description, highwire(cited), tuple(card), _json_ld(work))


def _card_of_scan(image: PageImage, box: Box, origin: str) -> str:
    shown = card_box(image.width, image.height, box)
    size = f"{'^' if shown.w < CARD_WIDTH else ''}{CARD_WIDTH},{CARD_HEIGHT}"
    return f"{origin}/iiif/image/3/{image.identifier}/{shown.xywh}/{size}/0/default.jpg"


def passage_metadata(passage: Passage, cited: CitedWork, clips: Sequence[Clip], origin: str) -> Metadata:
    book = passage.book
    words = shortened(passage.reading or passage.printed, 200)
    title = f"{book.short_title}: {passage.section}" if passage.section else book.short_title
    card = [("og:type", "article"), ("og:title", title), ("og:description", words), ("og:url", cited.address)]
    for _, image, box in clips[:1]:
        picture = f"{cited.address}card.jpg" if image.is_facsimile else _card_of_scan(image, box, origin)
        card += [("og:image", picture), ("og:image:width", str(CARD_WIDTH))]
        card += [("og:image:height", str(CARD_HEIGHT)), ("og:image:alt", words)]
        card += [("twitter:card", "summary_large_image")]
    thing = {
        "@type": "Quotation",
        "@id": cited.address,
        "url": cited.address,
        "text": passage.reading or passage.printed,
        "inLanguage": book.language,
        **({"creator": {"@type": "Organization", "name": cited.author}} if cited.author else {}),
        **({"license": cited.rights} if cited.rights else {}),
        "isPartOf": _linked_book(cited, origin),
    }
    return Metadata(cited.address, words, highwire(cited), tuple(card), _json_ld(thing))
