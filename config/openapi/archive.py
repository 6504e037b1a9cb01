"""OpenAPI paths and schemas of the archive: the JSON addresses of books and variants."""

from typing import Any

from config.openapi.schemas import NUMBER, TEXT, Schema, each, listed, maybe, record, ref, tagged

DAY: Schema = {"type": "string", "format": "date"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
LAYER: Schema = {"enum": ["printed", "reading"]}
OPTIONS: Schema = {"type": "object", "description": "What differs from the engine's own options."}
CHIPS: Schema = each(listed(NUMBER))
CATALOGUE = record(
    **dict.fromkeys(("title", "short_title", "maker", "place"), TEXT),
    year=maybe(NUMBER),
    **dict.fromkeys(("date", "copyright", "language", "players", "pieces"), TEXT),
    games=listed(TEXT),
    **dict.fromkeys(("blurb", "provenance", "holding"), TEXT),
    unknown=listed(TEXT),
    subjects=listed(record(term=TEXT, address=TEXT)),
    sections=listed(record(anchor=TEXT, title=TEXT)),
)
IMAGE = record(
    "statement",
    kind={"enum": ["facsimile", "scan"]},
    service=TEXT,
    width=NUMBER,
    height=NUMBER,
    statement=TEXT,
)
LEAF = record(
    "image", number=NUMBER, label=TEXT, title=TEXT, break_certainty=TEXT, source_lines=TEXT, image=IMAGE
)
PASSAGE = record(
    anchor=TEXT,
    anchors=listed(TEXT),
    aliases=listed(TEXT),
    address=TEXT,
    kind=TEXT,
    section=TEXT,
    leaves=listed(NUMBER),
    printed=TEXT,
    reading=TEXT,
)
NOTE = record(
    number=NUMBER,
    id=TEXT,
    passage=maybe(TEXT),
    **dict.fromkeys(("kind", "title", "quote"), TEXT),
    layer=LAYER,
    **dict.fromkeys(("body", "authority", "certainty", "option", "default"), TEXT),
    readings=listed(record(value=TEXT, title=TEXT, text=TEXT)),
    sources=listed(TEXT),
    signed=TEXT,
    dated=DAY,
)
SOURCE = record(
    **dict.fromkeys(("address", "author", "date", "key", "publisher", "remark"), TEXT),
    state={"enum": ["looked-up", "not-looked-up"]},
    title=TEXT,
)
WITHIN = record(
    slug=TEXT, game=TEXT, title=TEXT, reasons=TEXT, cites=listed(TEXT), options=OPTIONS, pad=CHIPS
)
QUOTED = listed(record(anchor=TEXT, text=TEXT))
PAIR = record(
    "change here there",
    **{
        "id": TEXT,
        "with": TEXT,
        "signed": TEXT,
        "dated": DAY,
        "change": TEXT,
        "here": QUOTED,
        "there": QUOTED,
    },
)
SCHEMAS: dict[str, Schema] = {
    "Book": record(
        slug=TEXT,
        address=TEXT,
        published=MOMENT,
        fingerprint=TEXT,
        catalogue=CATALOGUE,
        rights=record(address=TEXT, label=TEXT, reasons=TEXT),
        edition=record(archive=TEXT, institution=TEXT, editors=listed(TEXT), contact=TEXT, licence=TEXT),
        sources=listed(SOURCE),
        leaves=listed(LEAF),
        passages=listed(PASSAGE),
        notes=listed(NOTE),
        variants=listed(WITHIN),
        brief=listed(record(game=TEXT, text=TEXT, cites=listed(TEXT))),
        pairs=listed(PAIR),
    ),
    "Variant": record(
        slug=TEXT, game=TEXT, title=TEXT, reasons=TEXT, options=OPTIONS, settings=CHIPS, address=TEXT
    ),
}


def reads(summary: str, schema: Schema, name: str, missing: str = "") -> dict[str, Any]:
    """Describe a GET that needs no link. What is not there gets a page, for people come here too."""
    slug = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
    error = {"application/json": {"schema": ref("Error")}}
    told = {
        "200": {"description": "as asked", "content": {"application/json": {"schema": schema}}},
        "400": {"description": "a zero byte in the address", "content": {"text/plain": {"schema": TEXT}}},
        "503": {"description": "the database is busy", "content": error},
        "507": {"description": "the disk is full", "content": error},
    }
    if missing:
        told["404"] = {"description": missing, "content": {"text/html": {"schema": TEXT}}}
    where = {"name": name, "in": "path", "required": True, "schema": slug}
    return {"get": {"summary": summary, "parameters": [where], "responses": told}}


def paths() -> dict[str, Any]:
    of_a_game = record(game=TEXT, variants=listed(ref("Variant")))
    return {
        "/books/{slug}/book.json": tagged(
            reads("everything about a rulebook", ref("Book"), "slug", "no such book")
        ),
        "/variants/{slug}/variant.json": reads("one variant", ref("Variant"), "slug", "no such variant"),
        "/variants/of/{game}.json": reads(
            "the variants a pad of this game offers; none for a game not known here", of_a_game, "game"
        ),
    }
