"""A pad of the site on a phone that has lost the network: as it was last seen, and what was tapped since.

Nothing of it stays here. The browser keeps both: the copy of the pad, and the taps until the site has judged
them. From these the pad is made anew, and goes on tap by tap as long as they go on.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction

import engine
from phone import application, pad_records
from scorepad import declarations, drafts, ledger, snapshots, taps, twins
from scorepad.access import cookies, links
from scorepad.layouts import questions
from scorepad.ledger import Who
from scorepad.models import CountCheck, Draft, Entry, Pad
from scorepad.presentation.pad import refusal_of

TABLES = {"entries": Entry, "draft": Draft, "checks": CountCheck}


class _Played:
    """The copy the pad was made from, and the taps it has gone on by."""

    copy: str = ""
    pad: Pad
    who: Who
    cookies: tuple[str, str]
    """To enter, and to read: corrections need the network."""
    done: list[str]


def play(told: str) -> str:
    """The pad after these taps, as a page would get it; what was refused; and what a page asks beside it."""
    asked = json.loads(told)
    sent = asked["taps"]
    ids = [tap["id"] for tap in sent]
    if asked["copy"] != _Played.copy or ids[: len(_Played.done)] != _Played.done:
        _begin(asked["copy"])
    refused, places = {}, {}
    for tap in sent[len(_Played.done) :]:
        places[tap["id"]] = _pieces(tap)
        error = _apply(tap)
        if error is None:
            _Played.done.append(tap["id"])
        else:
            refused[tap["id"]] = refusal_of(error)
    return json.dumps({"refused": refused, "places": places, **_drawn(asked)})


def _begin(copy: str) -> None:
    """Put the pad into the database as the phone last saw it, with a link of the same role."""
    known = json.loads(copy)
    code = known["pad"]["code"]
    with transaction.atomic():
        pad_records.forget(code)
        if known["declaration"]:
            declarations.keep_text(known["declaration"])
        pad = Pad.objects.create(**pad_records.values(Pad, known["pad"]))
        for name, model in TABLES.items():
            rows = [model(pad=pad, **pad_records.values(model, row)) for row in known[name]]
            model._default_manager.bulk_create(rows)
        entering, reading = (links.new_link(pad, role)[0] for role in (known["role"], links.WATCH))
    _Played.copy, _Played.pad, _Played.done = copy, pad, []
    _Played.who = Who(**known["who"], watches=known["watches"])
    _Played.cookies = cookies.signed(entering, _Played.who), cookies.signed(reading, _Played.who)


def _apply(tap: Mapping[str, Any]) -> engine.Refused | None:
    """Enter one tap as the site would: the refusal, if there is one."""
    pad, who, body = _Played.pad, _Played.who, tap["body"]
    pad.refresh_from_db()
    marks = twins.read_marks(json.dumps({tap["id"]: {"age": tap["age"], "another": tap["another"]}}))
    try:
        if tap["kind"] == "begin":
            drafts.begin(pad, body.get("type"), who, tap["id"])
            return None
        if tap["kind"] == "part":
            return taps.tap(pad, {**body, "id": tap["id"]}, who, "", marks).error
        return taps.enter(pad, [body], who, marks).error
    except engine.Refused as refused:
        return refused


def _pieces(tap: Mapping[str, Any]) -> int | None:
    """The number of pieces in the list that a tap adds to: with it, sent twice it counts once."""
    if "add" not in tap["body"]:
        return None
    state = snapshots.read(_Played.pad).state()
    there, pieces = questions.lookup(state.partial, tuple(tap["body"].get("at", ())))
    return len(pieces) if there and isinstance(pieces, list) else 0


def _drawn(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The page or fragment asked for, which lines the table does not have, and the entries that are new."""
    pad = _Played.pad
    pad.refresh_from_db()
    seen = len(json.loads(_Played.copy)["entries"])
    own = _Played.cookies["/fragment/" not in asked["path"]]
    cookie = f"{cookies.cookie_name(pad.code)}={own}; {cookies.hinted_name()}=1"
    answer = application.answer("GET", asked["path"], {**asked["headers"], "cookie": cookie})
    draft = drafts.find(pad)
    return {
        "status": answer.status,
        "headers": answer.headers,
        "body": answer.body.decode(),
        "ahead": [place for place, line in enumerate(ledger.position(pad).lines) if line.entry >= seen],
        "entries": [one.entry for one in ledger.log(pad, after=seen)],
        "draft": draft.entry_id if draft else "",
    }
