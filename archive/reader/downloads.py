"""A book to take away: as plain text and as JSON."""

from __future__ import annotations

from typing import Any, Literal

from archive.edition.folder import pairs_in
from archive.edition.record_tables import pair_table
from archive.edition.text import join
from archive.models import Book, Leaf
from archive.reader.corrected_pairs import unseen_books
from archive.site import site

Layer = Literal["printed", "reading"]
LAYERS: dict[Layer, str] = {
    "reading": "Reading text, as we establish it; words in ⟨ ⟩ are supplied by us.",
    "printed": "Source text: a machine’s reading of a scan, uncorrected, with its errors.",
}
OUR_WORDS = "Facts in our own words; no page of the rulebook is shown or quoted. The rulebook itself:"
TYPESET_WORDS = "Typeset by Tallyroom from the transcription; not a scan."


def as_plain_text(book: Book, layer: Layer, origin: str) -> str:
    """The text of one layer, leaf by leaf, under a head that says what it is."""
    head = [book.title, ", ".join(part for part in (book.maker, book.place, book.date) if part)]
    what = LAYERS[layer] if book.leaves.all() else OUR_WORDS
    head += [what, f"{book.rights_label}. {origin}/books/{book.slug}/"]
    parts = ["\n".join(head)]
    loose = join((line for line in book.loose_lines if not line.furniture), layer)
    parts += [loose] if loose else []
    for leaf in book.leaves.all():
        lines = [line for line in leaf.text_lines if layer == "printed" or not line.furniture]
        body = join(lines, layer)
        parts.append(f"[Page {leaf.number}]" + (f"\n\n{body}" if body else ""))
    return "\n\n".join(parts) + "\n"


def in_order(value: Any) -> Any:
    """A value from the database with its keys in one order: PostgreSQL keeps them in another than SQLite."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


def as_json(book: Book, origin: str) -> dict[str, Any]:
    """Everything we hold of a book, in both layers, for programs."""
    catalogue = ["title", "short_title", "maker", "place", "year", "date", "copyright", "language", "players"]
    catalogue += ["pieces", "games", "blurb", "provenance", "holding", "unknown", "subjects", "sections"]
    names = {passage.pk: passage.anchor for passage in book.passages.all()}
    return {
        "slug": book.slug,
        "address": f"{origin}/books/{book.slug}/",
        "published": book.published.isoformat(timespec="seconds"),
        "fingerprint": book.fingerprint,
        "catalogue": {key: in_order(getattr(book, key)) for key in catalogue},
        "rights": {
            "address": book.rights_address,
            "label": book.rights_label,
            "reasons": book.rights_reasons,
        },
        "edition": _edition(),
        "sources": in_order(book.sources),
        "leaves": [_leaf(leaf, origin) for leaf in book.leaves.all()],
        "passages": [
            {
                "anchor": passage.anchor,
                "anchors": passage.anchors,
                "aliases": passage.aliases,
                "address": f"{origin}/books/{book.slug}/passages/{passage.anchor}/",
                "kind": passage.kind,
                "section": passage.section,
                "leaves": passage.leaves,
                "printed": passage.printed,
                "reading": passage.reading,
            }
            for passage in book.passages.all()
        ],
        "notes": [
            {"number": note.number, "id": note.slug, "passage": names.get(note.passage_id or 0)}
            | {
                key: in_order(getattr(note, key))
                for key in ("kind", "title", "quote", "layer", "body", "authority")
            }
            | {
                key: in_order(getattr(note, key))
                for key in ("certainty", "option", "default", "readings", "sources", "signed")
            }
            | {"dated": note.dated.isoformat()}
            for note in book.notes.all()
        ],
        "variants": [
            {
                key: in_order(getattr(variant, key))
                for key in ("slug", "game", "title", "reasons", "cites", "options", "pad")
            }
            for variant in book.variants.all()
        ],
        "brief": [
            {key: in_order(getattr(line, key)) for key in ("game", "text", "cites")}
            for line in book.brief_lines.all()
        ],
        "pairs": _pairs(book),
    }


def _edition() -> dict[str, Any]:
    """Who edits and publishes here, and the licence of their own words: empty where none was stated."""
    here = site()
    return {
        "archive": here.name,
        "institution": here.institution,
        "editors": [editor.name for editor in here.editors],
        "contact": here.contact,
        "licence": here.licence.identifier if here.licence else "",
    }


def _pairs(book: Book) -> list[dict[str, Any]]:
    """What people decided about sentences of this book beside those of others that readers may see."""
    pairs = pairs_in(book.files)
    unseen = unseen_books(pairs)
    return [
        {**pair_table(pair), "dated": pair.dated.isoformat()} for pair in pairs if pair.other not in unseen
    ]


def _leaf(leaf: Leaf, origin: str) -> dict[str, Any]:
    image = leaf.image
    shown: dict[str, Any] = {
        "number": leaf.number,
        "label": leaf.label,
        "title": leaf.title,
        "break_certainty": leaf.break_certainty,
        "source_lines": leaf.source_lines,
    }
    if image:
        shown["image"] = {
            "kind": image.kind,
            "service": f"{origin}/iiif/image/3/{image.identifier}",
            "width": image.width,
            "height": image.height,
        } | ({"statement": TYPESET_WORDS} if image.is_facsimile else {})
    return shown
