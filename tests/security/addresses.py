"""Every address there is, from the resolver, and the table that says who may use it and how.

A new address fails the tests of this folder until it has a row here: its route, an example, and the least
role for each method it answers to. Methods that a row does not name must be answered with 405.
"""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from django.urls import get_resolver

from engine import packed_sheet

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ANYONE = "anyone"
WATCH, PLAY, KEEP = "watch", "play", "keep"
CONTRIBUTOR, CURATOR, KEEPER = "contributor", "curator", "keeper"

OF_A_PAD = (WATCH, PLAY, KEEP)
OF_THE_ARCHIVE = (CONTRIBUTOR, CURATOR, KEEPER)


@dataclass(frozen=True)
class Row:
    """An example of the address, and who may do what there."""

    example: str
    get: str | None = ANYONE
    post: str | None = None
    body: Any = None
    """What a POST sends: as JSON on the pads' addresses, as a form elsewhere."""
    form: dict[str, Any] | None = field(default=None)
    """For pages of a pad that take only forms."""

    asks: bool = False
    """A POST here is only a question and changes nothing, so that it needs no token."""
    refuses: int = 405
    """How other methods are refused."""

    @property
    def methods(self) -> dict[str, str]:
        asked = {"GET": self.get, "HEAD": self.get, "POST": self.post}
        return {method: least for method, least in asked.items() if least is not None}


def routes() -> list[str]:
    """The route of every address, as the resolver has it."""
    return [route for route, _ in named_routes()]


def named_routes(patterns: Any = None, before: str = "") -> list[tuple[str, str]]:
    """The same, each with its name."""
    found: list[tuple[str, str]] = []
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        is_group = hasattr(pattern, "url_patterns")
        found += named_routes(pattern.url_patterns, route) if is_group else [(route, pattern.name or "")]
    return found


PAD = "pads/<slug:code>/"
GAME_CODE = base64.b32encode(
    packed_sheet.pack({"tally": 1, "game": "rummy-1916", "players": ["Ann", "Bert"]})
).decode()
ENTRY = {"type": "victory", "player": "Ann", "color": "red"}

# For whoever holds a link: the least role. {code} is the pad's, {evening} its evening's, {token} a keeper's.
PADS = {
    PAD: Row("/pads/{code}/", WATCH),
    PAD + "fragment/": Row("/pads/{code}/fragment/", WATCH),
    PAD + "tap/": Row(
        "/pads/{code}/tap/", None, PLAY, form={"enter": '{"type": "capture", "player": "Ann"}'}
    ),
    PAD + "compare/": Row(
        "/pads/{code}/compare/",
        None,
        PLAY,
        form={"seen": "0", "entries": json.dumps([{"id": "a3", **ENTRY}])},
    ),
    PAD + "own/": Row(
        "/pads/{code}/own/",
        None,
        PLAY,
        form={"seen": "0", "name": "n" * 64, "entries": json.dumps([{"id": "a3", **ENTRY}])},
    ),
    PAD + "why/<int:number>/": Row("/pads/{code}/why/0/", WATCH),
    PAD + "help/": Row("/pads/{code}/help/", WATCH),
    PAD + "correct/<path:entry_id>/": Row("/pads/{code}/correct/a1/", PLAY, PLAY, form={}),
    PAD + "table/": Row("/pads/{code}/table/", WATCH),
    PAD + "board/": Row("/pads/{code}/board/", WATCH),
    PAD + "result-<slug:shape>.png": Row("/pads/{code}/result-wide.png", WATCH),
    PAD + "history/": Row("/pads/{code}/history/", WATCH),
    PAD + "after/": Row("/pads/{code}/after/", WATCH),
    PAD + "readings/": Row("/pads/{code}/readings/", WATCH),
    PAD + "print/": Row("/pads/{code}/print/", WATCH),
    PAD + "code/": Row("/pads/{code}/code/", WATCH),
    PAD + "next/": Row("/pads/{code}/next/", WATCH),
    PAD + "sheet.json": Row("/pads/{code}/sheet.json", WATCH),
    PAD + "result.json": Row("/pads/{code}/result.json", WATCH),
    PAD + "pad.json": Row("/pads/{code}/pad.json", WATCH),
    PAD + "log.json": Row("/pads/{code}/log.json", WATCH),
    PAD + "play.json": Row("/pads/{code}/play.json", WATCH),
    PAD + "about.json": Row("/pads/{code}/about.json", WATCH),
    PAD + "copy.json": Row("/pads/{code}/copy.json", WATCH),
    PAD + "links.json": Row("/pads/{code}/links.json", WATCH),
    PAD + "draft.json": Row("/pads/{code}/draft.json", WATCH),
    PAD + "sheet.csv": Row("/pads/{code}/sheet.csv", WATCH),
    PAD + "entries/": Row("/pads/{code}/entries/", None, PLAY, {"entries": [{"id": "a2", **ENTRY}]}),
    PAD + "preview/": Row("/pads/{code}/preview/", None, WATCH, {"entry": ENTRY}),
    PAD + "draft/": Row("/pads/{code}/draft/", None, PLAY, {"type": "capture", "put": []}),
    PAD + "draft/drop/": Row("/pads/{code}/draft/drop/", None, PLAY, {}),
    PAD + "draft/complete/": Row("/pads/{code}/draft/complete/", None, PLAY, {"draft": "none"}),
    PAD + "checks/": Row("/pads/{code}/checks/", None, PLAY, {"counted": {"Ann": 0, "Bert": 0, "Cleo": 0}}),
    PAD + "seat/": Row("/pads/{code}/seat/", None, WATCH, {"who": "Ann"}),
    PAD + "names/": Row("/pads/{code}/names/", None, KEEP, {"players": ["Anna", "Bert", "Cleo"]}),
    PAD + "settings/": Row("/pads/{code}/settings/", None, KEEP, {"settings": {"lamp": 1}}),
    PAD + "links/": Row("/pads/{code}/links/", None, KEEP, {"rotate": "watch"}),
    PAD + "join/": Row("/pads/{code}/join/", None, WATCH, {}),
    PAD + "stay/": Row("/pads/{code}/stay/", None, PLAY, {}),
    PAD + "stop/": Row("/pads/{code}/stop/", None, KEEP, {}),
    PAD + "reopen/": Row("/pads/{code}/reopen/", None, KEEP, {}),
    PAD + "rematch/": Row("/pads/{code}/rematch/", None, PLAY, {}),
    PAD + "again/": Row("/pads/{code}/again/", None, KEEP, {"players": ["Ann", "Bert"]}),
    PAD + "keep/": Row("/pads/{code}/keep/", None, PLAY, {}),
    PAD + "delete/": Row("/pads/{code}/delete/", None, KEEP, {}),
    PAD + "club/": Row("/pads/{code}/club/", None, KEEP, {}),
    PAD + "leave/": Row("/pads/{code}/leave/", None, KEEP, {"club": "none"}),
    "evenings/<slug:code>/": Row("/evenings/{evening}/", WATCH),
    "evenings/<slug:code>/<slug:pad>/": Row("/evenings/{evening}/{code}/", WATCH),
    "evenings/<slug:code>/evening.json": Row("/evenings/{evening}/evening.json", WATCH),
}

CLUB = "clubs/<slug:code>/"

# For whoever holds a link to a club: a club has no players. {club} is its code. What deletes it comes last.
CLUBS = {
    CLUB: Row("/clubs/{club}/", WATCH),
    CLUB + "games/": Row("/clubs/{club}/games/", WATCH),
    CLUB + "settings/": Row("/clubs/{club}/settings/", WATCH),
    CLUB + "club.json": Row("/clubs/{club}/club.json", WATCH),
    CLUB + "games.csv": Row("/clubs/{club}/games.csv", WATCH),
    CLUB + "name/": Row("/clubs/{club}/name/", None, KEEP, {"name": "Fridays"}),
    CLUB + "people/": Row("/clubs/{club}/people/", None, KEEP, {"join": "Ann", "to": "Bert"}),
    CLUB + "remove/": Row("/clubs/{club}/remove/", None, KEEP, {"pad": "none"}),
    CLUB + "links/": Row("/clubs/{club}/links/", None, KEEP, {"revoke": "keep"}),
    CLUB + "stay/": Row("/clubs/{club}/stay/", None, KEEP, {}),
    CLUB + "keep/": Row("/clubs/{club}/keep/", None, WATCH, {}),
    CLUB + "delete/": Row("/clubs/{club}/delete/", None, KEEP, {}),
}

# Where a pad begins: nobody needs anything, and what is sent makes something new.
BEGINNING = {
    "pads/": Row("/pads/", ANYONE, ANYONE, {"game": "victory-rummy", "players": ["Ann", "Bert"]}),
    "pads/import/": Row(
        "/pads/import/", ANYONE, ANYONE, {"tally": 1, "game": "rummy-1916", "players": ["Ann", "Bert"]}
    ),
    "pads/move/": Row(
        "/pads/move/",
        None,
        ANYONE,
        {
            "phone_pad": "a" * 64,
            "pad": {"pad": 1, "sheet": {"tally": 1, "game": "rummy-1916", "players": ["Ann", "Bert"]}},
        },
    ),
    "pads/here/": Row("/pads/here/"),
    "pads/here-<slug:rest>/": Row("/pads/here-new/"),
    "phone/": Row("/phone/"),
    "phone/kit/": Row("/phone/kit/"),
    "phone/shell/": Row("/phone/shell/"),
    "phone/guide/": Row("/phone/guide/"),
    "phone-check/": Row("/phone-check/"),
    "pads/join/": Row("/pads/join/", ANYONE, ANYONE, {"code": "AAAAAA"}),
    "join/": Row("/join/", ANYONE, ANYONE, form={"code": "AAAAAA"}),
    # Whoever asks forgets what he has: a stranger nothing.
    PAD + "forget/": Row("/pads/{code}/forget/", None, ANYONE, form={}),
    CLUB + "forget/": Row("/clubs/{club}/forget/", None, ANYONE, form={}),
    "pads/known/": Row("/pads/known/"),
    "pads/new/": Row("/pads/new/?game=victory-rummy", ANYONE, ANYONE, form={"game": "victory-rummy"}),
    r"^[qQ]/(?P<text>[A-Za-z0-9.]*)/?$": Row("/q/", ANYONE, ANYONE, form={"codes": GAME_CODE}),
    "pads/samples/": Row("/pads/samples/", ANYONE, ANYONE, form={"sheet": "victory-rummy/0"}),
    "sw.js": Row("/sw.js"),
    "manifest.webmanifest": Row("/manifest.webmanifest"),
    r"^pads/(?P<code>[-\w]+)/(?P<token>[-\w]{20,100})$": Row("/pads/{code}/{token}"),
    r"^clubs/(?P<code>[-\w]+)/(?P<token>[-\w]{20,100})$": Row("/clubs/{club}/{club_token}"),
}

BOOK = "books/<slug:slug>/"
A_BOOK = "/books/victory-rummy-1942/"
SCANS = BOOK + "scans/"
SCAN = SCANS + "<int:number>/"
A_SCAN = A_BOOK + "scans/{scan}/"
IMAGE = "iiif/image/3/<str:identifier>"
AN_IMAGE = "/iiif/image/3/{image}"
IIIF = "iiif/3/<slug:slug>/"
A_IIIF = "/iiif/3/victory-rummy-1942/"

# {person} is the contributor's number, {invitation} an open invitation's token and {invited} its number,
# {message} the number of a reader's message and {message_token} the token of its private link.
ARCHIVE = {
    "": Row("/"),
    "about/": Row("/about/"),
    "about/edition/": Row("/about/edition/"),
    "privacy/": Row("/privacy/"),
    "openapi.json": Row("/openapi.json"),
    "health": Row("/health"),
    "ready": Row("/ready"),
    "metrics": Row("/metrics"),
    "people/": Row("/people/", KEEPER, KEEPER, {"role": "curator", "guest": "Ada"}),
    "people/sign-in/": Row("/people/sign-in/", ANYONE, ANYONE, {"name": "x", "password": "y"}),
    "people/sign-in/step/": Row("/people/sign-in/step/", ANYONE, ANYONE, {"code": "123456"}),
    "people/sign-in/passkey/": Row("/people/sign-in/passkey/", None, ANYONE, {"credential": "{}"}),
    "people/passkey-question/": Row("/people/passkey-question/", None, ANYONE, {"purpose": "sign-in"}),
    "people/sign-out/": Row("/people/sign-out/", None, ANYONE, {}),
    "people/invitation/<str:token>": Row("/people/invitation/{invitation}", ANYONE, ANYONE, {"name": "x"}),
    "people/may-publish/": Row("/people/may-publish/", None, CURATOR, {}, asks=True),
    "people/me/": Row("/people/me/", CONTRIBUTOR),
    "people/me/password/": Row("/people/me/password/", None, CONTRIBUTOR, {}),
    "people/me/code/": Row("/people/me/code/", None, CONTRIBUTOR, {}),
    "people/me/recovery-codes/": Row("/people/me/recovery-codes/", None, CONTRIBUTOR, {}),
    "people/me/passkeys/": Row("/people/me/passkeys/", None, CONTRIBUTOR, {}),
    "people/me/passkeys/question/": Row("/people/me/passkeys/question/", None, CONTRIBUTOR, {}),
    "people/me/passkeys/<int:number>/": Row("/people/me/passkeys/1/", None, CONTRIBUTOR, {}),
    "people/me/sessions/": Row("/people/me/sessions/", None, CONTRIBUTOR, {}),
    "people/<int:number>/": Row("/people/{person}/", None, KEEPER, {"act": "wake"}),
    "people/invitations/<int:number>/": Row("/people/invitations/{invited}/", None, KEEPER, {}),
    "curation/": Row("/curation/", CONTRIBUTOR),
    "curation/proposals/<int:number>/": Row(
        "/curation/proposals/{proposal}/", CONTRIBUTOR, CURATOR, {"act": "refuse", "words": "No."}
    ),
    "curation/proposals/<int:number>/picture.jpg": Row(
        "/curation/proposals/{proposed_scan}/picture.jpg", CONTRIBUTOR
    ),
    "curation/proposals/<int:number>/scan/": Row(
        "/curation/proposals/{proposed_scan}/scan/", None, CURATOR, {}
    ),
    "curation/markdown/": Row("/curation/markdown/", None, CONTRIBUTOR, {"body": "words"}),
    "curation/messages/": Row("/curation/messages/", CURATOR),
    "curation/messages/<int:number>/": Row(
        "/curation/messages/{message}/", CURATOR, CURATOR, {"act": "answer", "answer": "Thank you."}
    ),
    "curation/messages/<int:number>/photograph.jpg": Row(
        "/curation/messages/{message}/photograph.jpg", CURATOR
    ),
    BOOK + "tell/": Row(A_BOOK + "tell/?passage=enter-score", ANYONE, ANYONE, {"words": "A word is wrong."}),
    "messages/<str:token>/": Row("/messages/{message_token}/", ANYONE, ANYONE, {"act": "forget"}),
    BOOK + "state/": Row(A_BOOK + "state/", CURATOR, CURATOR, {}),
    BOOK + "revisions/": Row(A_BOOK + "revisions/"),
    BOOK + "revisions/<int:number>/": Row(A_BOOK + "revisions/1/"),
    BOOK + "revisions/<int:number>/restore/": Row(A_BOOK + "revisions/1/restore/", CURATOR, CURATOR, {}),
    BOOK + "revisions/<int:old>-<int:new>/": Row(A_BOOK + "revisions/1-1/"),
    BOOK + "revisions/<int:number>/<str:name>": Row(A_BOOK + "revisions/1/text.txt"),
    BOOK + "leaves/replace/": Row(
        A_BOOK + "leaves/replace/", CONTRIBUTOR, CONTRIBUTOR, {"find": "deal", "put": "draw"}
    ),
    BOOK + "leaves/": Row(A_BOOK + "leaves/", CONTRIBUTOR),
    BOOK + "<int:number>/mend/": Row(A_BOOK + "1/mend/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "<int:number>/mend/preview/": Row(A_BOOK + "1/mend/preview/", None, CONTRIBUTOR, {}),
    BOOK + "<int:number>/scan/": Row(A_BOOK + "1/scan/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "notes/": Row(A_BOOK + "notes/", CONTRIBUTOR),
    BOOK + "notes/new/": Row(A_BOOK + "notes/new/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "notes/<slug:id>/": Row(A_BOOK + "notes/{note}/", CONTRIBUTOR, CONTRIBUTOR, {}),
    "curation/books/new/": Row("/curation/books/new/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "leaves/order/": Row(A_BOOK + "leaves/order/", CURATOR, CURATOR, {}),
    BOOK + "catalogue/": Row(A_BOOK + "catalogue/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "game/": Row(A_BOOK + "game/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "game/text/": Row(A_BOOK + "game/text/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "game/piece/<slug:name>/": Row(A_BOOK + "game/piece/head/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "game/trial/": Row(A_BOOK + "game/trial/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "brief/": Row(A_BOOK + "brief/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "brief/<slug:game>/": Row(A_BOOK + "brief/victory-rummy/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "parallel/<slug:other>/": Row(A_BOOK + "parallel/thumbs-up-1941/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "variants/": Row(A_BOOK + "variants/", CONTRIBUTOR),
    BOOK + "variants/new/": Row(A_BOOK + "variants/new/", CONTRIBUTOR, CONTRIBUTOR, {}),
    BOOK + "variants/<slug:name>/": Row(A_BOOK + "variants/{variant_name}/", CONTRIBUTOR, CONTRIBUTOR, {}),
    SCANS: Row(A_BOOK + "scans/", CURATOR),
    SCANS + "upload/": Row(A_BOOK + "scans/upload/", None, CURATOR, {}),
    SCANS + "iiif/": Row(A_BOOK + "scans/iiif/", CURATOR, CURATOR, {}),
    SCANS + "stack/": Row(A_BOOK + "scans/stack/", None, CURATOR, {}),
    SCANS + "jobs/<int:number>/": Row(A_BOOK + "scans/jobs/{job}/", CURATOR, CURATOR, {}),
    SCAN: Row(A_SCAN, CURATOR, CURATOR, {"act": "save"}),
    SCAN + "read/": Row(A_SCAN + "read/", None, CURATOR, {}),
    SCAN + "move/": Row(A_SCAN + "move/", None, CURATOR, {"by": "up"}),
    SCAN + "before.jpg": Row(A_SCAN + "before.jpg", CURATOR),
    SCAN + "after.jpg": Row(A_SCAN + "after.jpg", CURATOR),
    SCAN + "words/": Row(A_SCAN + "words/", CURATOR),
    SCAN + "places/": Row(A_SCAN + "places/", CURATOR, CURATOR, {}),
    SCAN + "words/<int:line>-<int:offset>/": Row(A_SCAN + "words/1-0/", CURATOR, CURATOR, {}),
    BOOK: Row(A_BOOK),
    BOOK + "text.txt": Row(A_BOOK + "text.txt"),
    BOOK + "book.json": Row(A_BOOK + "book.json"),
    BOOK + "tei.xml": Row(A_BOOK + "tei.xml"),
    BOOK + "cite.<slug:format>": Row(A_BOOK + "cite.bib"),
    BOOK + "<int:number>/": Row(A_BOOK + "1/"),
    BOOK + "passages/<slug:anchor>/": Row(A_BOOK + "passages/enter-score/"),
    BOOK + "notes/<slug:id>/cite.<slug:format>": Row(A_BOOK + "notes/bonus-order/cite.txt"),
    BOOK + "revisions/<int:number>/cite.<slug:format>": Row(A_BOOK + "revisions/1/cite.txt"),
    BOOK + "passages/<slug:anchor>/card.jpg": Row(A_BOOK + "passages/enter-score/card.jpg"),
    BOOK + "passages/<slug:anchor>/cite.<slug:format>": Row(A_BOOK + "passages/enter-score/cite.bib"),
    "variants/": Row("/variants/"),
    "variants/compare/<slug:game>/": Row("/variants/compare/victory-rummy/"),
    "variants/<slug:slug>/": Row("/variants/{variant}/"),
    "variants/<slug:slug>/variant.json": Row("/variants/{variant}/variant.json"),
    "variants/of/<slug:game>.json": Row("/variants/of/victory-rummy.json"),
    "questions/<slug:game>/": Row("/questions/victory-rummy/"),
    "questions/<slug:game>/simulated/": Row("/questions/victory-rummy/simulated/"),
    "questions/<slug:game>/<slug:option>/<slug:value>/<int:place>/": Row(
        "/questions/victory-rummy/bonus_order/exact/1/"
    ),
    "brief/": Row("/brief/"),
    "sources/": Row("/sources/"),
    BOOK + "facing.pdf": Row("/books/victory-rummy-1942/facing.pdf"),
    BOOK + "reading.pdf": Row("/books/victory-rummy-1942/reading.pdf"),
    BOOK + "book.epub": Row("/books/victory-rummy-1942/book.epub"),
    "oembed": Row("/oembed?url=http://testserver/books/victory-rummy-1942/passages/score-capture/"),
    "iiif/2/collection.json": Row("/iiif/2/collection.json"),
    "iiif/2/<slug:slug>/manifest.json": Row("/iiif/2/victory-rummy-1942/manifest.json"),
    "iiif/2/<slug:slug>/canvas/<int:number>/lines.json": Row(
        "/iiif/2/victory-rummy-1942/canvas/4/lines.json"
    ),
    "iiif/2/<slug:slug>/canvas/<int:number>/notes.json": Row(
        "/iiif/2/victory-rummy-1942/canvas/4/notes.json"
    ),
    "parallel/": Row("/parallel/"),
    "parallel/<slug:first>/<slug:second>/": Row("/parallel/victory-rummy-1942/thumbs-up-1941/"),
    "parallel/<slug:first>/<slug:second>/cite.<slug:format>": Row(
        "/parallel/victory-rummy-1942/thumbs-up-1941/cite.txt"
    ),
    BOOK + "sample-pad/": Row("/books/victory-rummy-1942/sample-pad/"),
    "brief/<slug:game>/": Row("/brief/victory-rummy/"),
    "search/": Row("/search/?q=capture"),
    "sitemap.xml": Row("/sitemap.xml"),
    r"^sitemap-(?P<number>[0-9]{1,6})\.xml$": Row("/sitemap-1.xml"),
    "robots.txt": Row("/robots.txt"),
    IMAGE: Row(AN_IMAGE),
    IMAGE + "/": Row(AN_IMAGE + "/"),
    IMAGE + "/info.json": Row(AN_IMAGE + "/info.json"),
    IMAGE + "/<str:region>/<str:size>/<str:rotation>/<str:quality>.<str:format>": Row(
        AN_IMAGE + "/full/90,/0/default.jpg"
    ),
    IMAGE + "/<path:rest>": Row(AN_IMAGE + "/odd/words", refuses=400),
    "iiif/3/collection.json": Row("/iiif/3/collection.json"),
    IIIF + "manifest.json": Row(A_IIIF + "manifest.json"),
    IIIF + "notes.json": Row(A_IIIF + "notes.json"),
    IIIF + "canvas/<int:number>": Row(A_IIIF + "canvas/1"),
    IIIF + "canvas/<int:number>/alto.xml": Row(A_IIIF + "canvas/1/alto.xml"),
    IIIF + "canvas/<int:number>/lines.json": Row(A_IIIF + "canvas/1/lines.json"),
    IIIF + "canvas/<int:number>/notes.json": Row(A_IIIF + "canvas/1/notes.json"),
    "iiif/search/<int:version>/<slug:slug>": Row("/iiif/search/2/victory-rummy-1942?q=capture"),
    "changes.atom": Row("/changes.atom"),
    "iiif/changes/activity.json": Row("/iiif/changes/activity.json"),
    "iiif/changes/page-<int:number>.json": Row("/iiif/changes/page-1.json"),
    "oai": Row("/oai?verb=Identify", ANYONE, ANYONE, {"verb": "Identify"}, asks=True),
}

EVERY = {**PADS, **CLUBS, **BEGINNING, **ARCHIVE}
