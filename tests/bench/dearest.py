"""The dearest legal form of every address: the longest log, the largest page, the worst search, an odd image.

A new address fails tests/bench/test_budget.py until it has its line here. `SAME` is its example of the
address matrix: on the long pad, of the long evening or in a book that is the dearest already.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import packed_sheet
from engine.declared import digest_of
from scorepad import game_codes
from tests.engine.declarations import EXAMPLES
from tests.security.addresses import (
    A_BOOK,
    A_IIIF,
    AN_IMAGE,
    BOOK,
    CLUB,
    IIIF,
    IMAGE,
    PAD,
    SCAN,
    SCANS,
)
from tests.security.attacks.faults import one_colour
from tests.security.attacks.sheets import PLAYERS, dear_sheet, refused_correction, voided_sheet

PAGE_BYTES = 300_000
NOTE_LETTERS = 20_000
SETTINGS_BYTES = 8_000


@dataclass(frozen=True)
class Form:
    """Where it differs from the example: the address, what is sent to it, a file that is uploaded as this
    field."""

    path: str = ""
    sent: Callable[[], Any] | None = None
    file: Callable[[], bytes] | None = None
    field: str = "files"


SAME = Form()
COMMON = ("the", "of", "a", "to", "in", "and", "is", "or", "be", "are", "as", "it", "for", "with")
WORST_SEARCH = "+".join(COMMON * 7)


def corrections() -> dict[str, Any]:
    return {"entries": [refused_correction(number) for number in range(10)]}


def long_page() -> dict[str, Any]:
    lines = (f"{{a{n} → b{n} | note-{n}}} *word{n}* **thing{n}** ex¬" for n in range(PAGE_BYTES // 50))
    return {"line": "\n".join(lines), "parent": "1", "reason": "A long page."}


def dear_declaration() -> dict[str, Any]:
    """A game whose golden sheets have as many entries as they may have."""
    text = (EXAMPLES / "pit" / "game.toml").read_text().replace('book = "pit"', 'book = "victory-rummy-1942"')
    corner = {"type": "corner_called", "player": "Ann", "grain": "wheat", "bull": True, "bear_left": "Bert"}
    sheet = {"tally": 1, "game": "pit", "players": ["Ann", "Bert", "Cleo"], "options": {"target": 5000}}
    row = {
        "name": "Ten corners",
        "sheet": {**sheet, "entries": [corner] * 10},
        "result": {"status": "playing"},
    }
    return {
        "declaration": re.sub(r"cites = \[.*?\]", 'cites = ["enter-score"]', text),
        "sheets": json.dumps([row] * 50),
        "parent": "1",
        "seen": digest_of(""),
    }


def dear_piece() -> dict[str, Any]:
    """A piece of that game, which is written and read once more."""
    return {"to": "player", "points": "corner[grain] + " * 10 + "1", "cites": "enter-score"}


def nested_markdown() -> dict[str, Any]:
    return {"body": ("> " * 50 + "*a **b [c](d) _" * 20 + "\n")[: NOTE_LETTERS // 2] * 2}


def long_note() -> dict[str, Any]:
    return {"title": "A note", "certainty": "high", "reason": "Long.", "parent": "1", **nested_markdown()}


def voided() -> dict[str, Any]:
    return voided_sheet(1_900, 100)


def moved() -> dict[str, Any]:
    """A long pad of a phone that is taken up here."""
    return {"phone_pad": "a" * 64, "pad": {"pad": 1, "sheet": voided()}}


def long_code() -> list[str]:
    """The codes of a log as long as they can hold."""
    return game_codes.parts(packed_sheet.pack(dear_sheet(380)))


def guests() -> dict[str, Any]:
    return {"players": [f"Other {number}" for number in range(1, len(PLAYERS) + 1)]}


OF_PADS: dict[str, Form] = {
    PAD + "tap/": Form(sent=lambda: {"enter": corrections()["entries"][0]}),
    PAD + "correct/<path:entry_id>/": Form("/pads/{code}/correct/e0/"),
    PAD + "history/": Form("/pads/{code}/history/?at=1990"),
    PAD + "result.json": Form("/pads/{code}/result.json?at=1989"),
    PAD + "entries/": Form(sent=corrections),
    PAD + "compare/": Form(sent=lambda: {"seen": "1900", "entries": json.dumps(corrections()["entries"])}),
    PAD + "own/": Form(sent=lambda: {"seen": "1999", "name": "n" * 64, "entries": "[]"}),
    PAD + "preview/": Form(sent=lambda: {"entry": refused_correction(1)}),
    PAD + "draft/": Form(
        sent=lambda: {"type": "hand", "put": [{"field": "winner", "value": PLAYERS[0]}] * 50}
    ),
    PAD + "checks/": Form(sent=lambda: {"counted": dict.fromkeys(PLAYERS, 1)}),
    PAD + "seat/": Form(sent=lambda: {"who": PLAYERS[0]}),
    PAD + "names/": Form(sent=guests),
    PAD + "settings/": Form(sent=lambda: {"settings": {"lamp": "x" * SETTINGS_BYTES}}),
    PAD + "links/": Form(sent=lambda: {"rotate": "all"}),
    PAD + "again/": Form("/pads/{spare}/again/", sent=guests),
    PAD + "delete/": Form("/pads/{spare}/delete/"),
    PAD: SAME,
    PAD + "fragment/": SAME,
    PAD + "why/<int:number>/": SAME,
    PAD + "help/": SAME,
    PAD + "table/": SAME,
    PAD + "board/": SAME,
    PAD + "result-<slug:shape>.png": Form("/pads/{code}/result-square.png"),
    PAD + "after/": SAME,
    PAD + "print/": SAME,
    PAD + "code/": SAME,
    PAD + "next/": SAME,
    PAD + "sheet.json": SAME,
    PAD + "pad.json": SAME,
    PAD + "log.json": SAME,
    PAD + "play.json": SAME,
    PAD + "about.json": SAME,
    PAD + "copy.json": SAME,
    PAD + "links.json": SAME,
    PAD + "draft.json": SAME,
    PAD + "sheet.csv": SAME,
    PAD + "draft/drop/": SAME,
    PAD + "draft/complete/": SAME,
    PAD + "join/": SAME,
    PAD + "stay/": SAME,
    PAD + "stop/": SAME,
    PAD + "reopen/": SAME,
    PAD + "rematch/": SAME,
    PAD + "keep/": SAME,
    "evenings/<slug:code>/": SAME,
    "evenings/<slug:code>/evening.json": SAME,
    PAD + "readings/": SAME,
    PAD + "club/": SAME,
    PAD + "leave/": SAME,
    "evenings/<slug:code>/<slug:pad>/": SAME,
}

# The club has the long pad: its figures replay the longest log there can be.
OF_CLUBS: dict[str, Form] = {
    CLUB: SAME,
    CLUB + "games/": SAME,
    CLUB + "settings/": SAME,
    CLUB + "club.json": SAME,
    CLUB + "games.csv": SAME,
    CLUB + "name/": SAME,
    CLUB + "people/": SAME,
    CLUB + "remove/": SAME,
    CLUB + "links/": SAME,
    CLUB + "stay/": SAME,
    CLUB + "keep/": SAME,
    CLUB + "delete/": SAME,
}

OF_BEGINNINGS: dict[str, Form] = {
    "pads/": Form(sent=lambda: {"game": "thumbs-up", "players": PLAYERS, "options": {"sets": 2}}),
    "pads/import/": Form(sent=voided),
    "pads/move/": Form(sent=moved),
    "pads/here/": SAME,
    "pads/here-<slug:rest>/": SAME,
    "phone/": SAME,
    "phone/guide/": SAME,
    "phone/shell/": SAME,
    "phone/kit/": SAME,
    "phone-check/": SAME,
    "pads/join/": SAME,
    "join/": SAME,
    "pads/new/": SAME,
    r"^[qQ]/(?P<text>[A-Za-z0-9.]*)/?$": Form(sent=lambda: {"codes": "\n".join(long_code())}),
    "pads/samples/": SAME,
    "sw.js": SAME,
    "manifest.webmanifest": SAME,
    r"^pads/(?P<code>[-\w]+)/(?P<token>[-\w]{20,100})$": SAME,
    PAD + "forget/": SAME,
    CLUB + "forget/": SAME,
    "pads/known/": SAME,
    r"^clubs/(?P<code>[-\w]+)/(?P<token>[-\w]{20,100})$": SAME,
}

OF_THE_ARCHIVE: dict[str, Form] = {
    "curation/markdown/": Form(sent=nested_markdown),
    BOOK + "<int:number>/mend/": Form(sent=long_page),
    BOOK + "<int:number>/mend/preview/": Form(sent=long_page),
    BOOK + "<int:number>/scan/": Form(
        file=lambda: one_colour(7_900, 7_900), field="file", sent=lambda: {"reason": "A large one."}
    ),
    BOOK + "notes/new/": Form(sent=long_note),
    BOOK + "notes/<slug:id>/": Form(sent=long_note),
    BOOK + "revisions/<int:old>-<int:new>/": Form(A_BOOK + "revisions/1-1/"),
    SCANS + "upload/": Form(file=lambda: one_colour(7_900, 7_900)),
    "search/": Form(f"/search/?q={WORST_SEARCH}&after=2.1.0.30"),
    "iiif/search/<int:version>/<slug:slug>": Form(f"/iiif/search/2/victory-rummy-1942?q={WORST_SEARCH}"),
    IMAGE + "/<str:region>/<str:size>/<str:rotation>/<str:quality>.<str:format>": Form(
        AN_IMAGE + "/3,3,1590,2390/1589,/0/default.jpg"
    ),
    "oai": Form("/oai?verb=ListRecords&metadataPrefix=oai_dc"),
    "": SAME,
    "about/": SAME,
    "about/edition/": SAME,
    "privacy/": SAME,
    "openapi.json": SAME,
    "health": SAME,
    "ready": SAME,
    "metrics": SAME,
    "people/": SAME,
    "people/sign-in/": SAME,
    "people/sign-out/": SAME,
    "people/invitation/<str:token>": SAME,
    "people/me/": SAME,
    "people/me/password/": SAME,
    "people/me/code/": SAME,
    "people/me/sessions/": SAME,
    "people/<int:number>/": SAME,
    "people/invitations/<int:number>/": SAME,
    "curation/": SAME,
    "curation/proposals/<int:number>/": SAME,
    "curation/proposals/<int:number>/picture.jpg": SAME,
    "curation/proposals/<int:number>/scan/": SAME,
    "curation/messages/": SAME,
    "curation/messages/<int:number>/": SAME,
    "curation/messages/<int:number>/photograph.jpg": SAME,
    BOOK + "tell/": Form(A_BOOK + "tell/?note=bonus-order", sent=lambda: {"words": "word " * 799}),
    "messages/<str:token>/": SAME,
    BOOK + "state/": SAME,
    BOOK + "revisions/": SAME,
    BOOK + "revisions/<int:number>/": SAME,
    BOOK + "revisions/<int:number>/restore/": SAME,
    BOOK + "revisions/<int:number>/<str:name>": SAME,
    BOOK + "leaves/": SAME,
    BOOK + "leaves/replace/": Form("/books/victory-rummy-1942/leaves/replace/?find=e&put=x"),
    BOOK + "notes/": SAME,
    "curation/books/new/": SAME,
    BOOK + "leaves/order/": SAME,
    BOOK + "catalogue/": SAME,
    BOOK + "game/text/": Form(sent=lambda: dear_declaration() | {"act": "keep"}),
    # With the draft that was just kept.
    BOOK + "game/": SAME,
    BOOK + "game/piece/<slug:name>/": Form(A_BOOK + "game/piece/entry-0-award-0/", sent=dear_piece),
    BOOK + "game/trial/": Form(sent=lambda: {"name": PLAYERS, "act": "begin"}),
    BOOK + "parallel/<slug:other>/": SAME,
    BOOK + "brief/": SAME,
    BOOK + "brief/<slug:game>/": SAME,
    BOOK + "variants/": SAME,
    BOOK + "variants/new/": SAME,
    BOOK + "variants/<slug:name>/": SAME,
    SCANS: SAME,
    SCANS + "iiif/": SAME,
    SCANS + "stack/": SAME,
    SCANS + "jobs/<int:number>/": SAME,
    SCAN: SAME,
    SCAN + "read/": SAME,
    SCAN + "move/": SAME,
    SCAN + "before.jpg": SAME,
    SCAN + "after.jpg": SAME,
    SCAN + "words/": SAME,
    SCAN + "places/": SAME,
    SCAN + "words/<int:line>-<int:offset>/": SAME,
    BOOK: SAME,
    BOOK + "text.txt": SAME,
    BOOK + "book.json": SAME,
    BOOK + "tei.xml": SAME,
    BOOK + "cite.<slug:format>": SAME,
    BOOK + "<int:number>/": SAME,
    BOOK + "passages/<slug:anchor>/": SAME,
    BOOK + "notes/<slug:id>/cite.<slug:format>": SAME,
    BOOK + "revisions/<int:number>/cite.<slug:format>": SAME,
    BOOK + "passages/<slug:anchor>/card.jpg": SAME,
    BOOK + "passages/<slug:anchor>/cite.<slug:format>": SAME,
    "variants/": SAME,
    "variants/compare/<slug:game>/": SAME,
    "variants/<slug:slug>/": SAME,
    "variants/<slug:slug>/variant.json": SAME,
    "variants/of/<slug:game>.json": SAME,
    "questions/<slug:game>/": SAME,
    "brief/": SAME,
    "brief/<slug:game>/": SAME,
    "sources/": SAME,
    BOOK + "facing.pdf": SAME,
    BOOK + "reading.pdf": SAME,
    BOOK + "book.epub": SAME,
    "oembed": Form("/oembed?url=http://{host}/books/victory-rummy-1942/passages/score-capture/"),
    "iiif/2/collection.json": SAME,
    "iiif/2/<slug:slug>/manifest.json": SAME,
    "iiif/2/<slug:slug>/canvas/<int:number>/lines.json": SAME,
    "iiif/2/<slug:slug>/canvas/<int:number>/notes.json": SAME,
    "parallel/": SAME,
    "parallel/<slug:first>/<slug:second>/": Form("/parallel/rap-rummy-1926/victory-rummy-1942/"),
    "parallel/<slug:first>/<slug:second>/cite.<slug:format>": SAME,
    BOOK + "sample-pad/": SAME,
    "sitemap.xml": SAME,
    r"^sitemap-(?P<number>[0-9]{1,6})\.xml$": SAME,
    "robots.txt": SAME,
    IMAGE: SAME,
    IMAGE + "/": SAME,
    IMAGE + "/info.json": SAME,
    IMAGE + "/<path:rest>": SAME,
    "iiif/3/collection.json": SAME,
    IIIF + "manifest.json": SAME,
    IIIF + "notes.json": SAME,
    IIIF + "canvas/<int:number>": SAME,
    # The page with most words.
    IIIF + "canvas/<int:number>/alto.xml": Form(A_IIIF + "canvas/4/alto.xml"),
    IIIF + "canvas/<int:number>/lines.json": Form(A_IIIF + "canvas/4/lines.json"),
    IIIF + "canvas/<int:number>/notes.json": Form(A_IIIF + "canvas/4/notes.json"),
    "changes.atom": SAME,
    "iiif/changes/activity.json": SAME,
    "iiif/changes/page-<int:number>.json": SAME,
    "people/sign-in/step/": SAME,
    "people/sign-in/passkey/": SAME,
    "people/passkey-question/": SAME,
    "people/may-publish/": SAME,
    "people/me/recovery-codes/": SAME,
    "people/me/passkeys/": SAME,
    "people/me/passkeys/question/": SAME,
    "people/me/passkeys/<int:number>/": SAME,
    "questions/<slug:game>/simulated/": SAME,
    "questions/<slug:game>/<slug:option>/<slug:value>/<int:place>/": SAME,
}

DEAREST: dict[str, Form] = {**OF_PADS, **OF_CLUBS, **OF_BEGINNINGS, **OF_THE_ARCHIVE}
