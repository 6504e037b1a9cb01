"""The TEI header: what the file is, its source, its rights, and how it was edited."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import engine
from archive.models import Book
from archive.reader.downloads import TYPESET_WORDS
from archive.site import site
from archive.xml import element

CORRECTION = (
    "Two layers are kept: the source text, a machine’s reading of a scan, is in sic, what we read "
    "instead in corr. Words that are lost and supplied by us are in supplied, what is lost and not "
    "supplied is a gap. Every such place names the note that explains it, and says how sure we are."
)
HYPHENATION = "Words divided at a known line end keep their hyphen; the line break says that they are one."
LINES = (
    "A line break is recorded where the line ends of the print are known. Running text has lost them; its "
    "sentences lead to their zones on the page instead. The certainty of a page break says how sure "
    "we are of its place."
)
IMAGES = f"{TYPESET_WORDS} Its zones are in pixels of that image."

WITNESS = (
    "Source text: a machine’s reading of a scan of the rulebook, uncorrected, with lines lost, doubled or in "
    "disorder. We have not seen the scan."
)

EDITION = "An edition in two layers, with notes"
STATED = "Its facts in our own words, with notes"
STATEMENTS = (
    "These are facts in our own words. No page of the rulebook is shown, and none of its text is quoted."
)


def one_line(text: str) -> str:
    return " ".join(text.split())


def header(book: Book, origin: str) -> Element:
    return element(
        "teiHeader", file_description(book, origin), encoding(book), profile(book), revisions(book)
    )


def file_description(book: Book, origin: str) -> Element:
    day = f"{book.published:%Y-%m-%d}"
    return element(
        "fileDesc",
        element(
            "titleStmt",
            element("title", book.title, type="main"),
            element("title", EDITION if book.leaves.all() else STATED, type="sub"),
            responsible("editors", "Edited and annotated by", editors()),
            *machine(book),
        ),
        element("editionStmt", element("edition", "State of ", dated(day), n=book.fingerprint)),
        element(
            "publicationStmt",
            *publisher(),
            dated(day),
            element("idno", f"{origin}/books/{book.slug}/", type="URI"),
            element(
                "availability",
                element("licence", book.rights_label, target=book.rights_address),
                element("p", one_line(book.rights_reasons)),
                *own_licence(),
            ),
        ),
        element("sourceDesc", source(book), *witness(book)),
    )


def responsible(id: str, what: str, names: list[Element]) -> Element:
    return element("respStmt", element("resp", what), *names, **{"xml:id": id})


def editors() -> list[Element]:
    """Those who edit, by name; where none is named, all of them together."""
    named = [element("persName", editor.name) for editor in site().editors]
    return named or [element("orgName", f"{site().name} editors")]


def publisher() -> list[Element]:
    """The archive, its institution, and whom to ask."""
    here = site()
    told = [element("publisher", here.name)]
    if here.institution:
        told.append(element("authority", here.institution))
    if here.contact:
        told.append(element("ref", here.contact, target=here.contact_address))
    return told


def own_licence() -> list[Element]:
    """The licence of our notes, beside the rights in the print itself."""
    licence = site().licence
    if licence is None:
        return [element("p", site().licence_sentence)]
    return [element("licence", site().licence_sentence, target=licence.address)]


def machine(book: Book) -> list[Element]:
    """Who made the source text, as far as that is known."""
    if not book.leaves.all():
        return []
    name = element("name", "a machine that is not known")
    return [responsible("machine", "Source text read from a scan by", [name])]


def dated(day: str) -> Element:
    return element("date", day, when=day)


def source(book: Book) -> Element:
    notes = {"copyright": book.copyright, "provenance": book.provenance, "holding": book.holding}
    notes |= {"players": book.players, "pieces": book.pieces, "unknown": " ".join(book.unknown)}
    return element(
        "bibl",
        element("title", book.title, level="m"),
        element("publisher", book.maker),
        *([element("pubPlace", book.place)] if book.place else []),
        element("date", book.date or "not dated", when=str(book.year or "")),
        *(element("note", one_line(text), type=kind) for kind, text in notes.items() if text),
        type="leaflet",
    )


def witness(book: Book) -> list[Element]:
    """The source text as a witness of its own: all that we have of the print."""
    if not book.leaves.all():
        return []
    return [element("listWit", element("witness", WITNESS, **{"xml:id": "source-text"}))]


def encoding(book: Book) -> Element:
    if not book.leaves.all():
        return element("encodingDesc", element("projectDesc", element("p", STATEMENTS)))
    typeset = any(image.is_facsimile for leaf in book.leaves.all() if (image := leaf.image))
    return element(
        "encodingDesc",
        *([element("projectDesc", element("p", IMAGES))] if typeset else []),
        element(
            "editorialDecl",
            element("correction", element("p", CORRECTION)),
            element("hyphenation", element("p", HYPHENATION)),
            element("segmentation", element("p", LINES)),
        ),
    )


def profile(book: Book) -> Element:
    terms = [element("term", subject["term"], ref=subject["address"]) for subject in book.subjects]
    terms += [element("term", engine.GAMES[key].title) for key in book.games if key in engine.GAMES]
    return element(
        "profileDesc",
        element("abstract", element("p", one_line(book.blurb))),
        element("langUsage", element("language", book.language, ident=book.language)),
        *([element("textClass", element("keywords", *terms))] if terms else []),
    )


def revisions(book: Book) -> Element:
    change = element(
        "change", "Published in this revision.", when=f"{book.published:%Y-%m-%d}", who="#editors"
    )
    return element("revisionDesc", change)
