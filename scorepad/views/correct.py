"""Correct any old entry: the same keys as when it was made, and what else would change first."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

import engine
from scorepad import ledger, previews, taps
from scorepad.access import links
from scorepad.access.links import PadAccess
from scorepad.forms import with_tens
from scorepad.layouts import PadState, in_words, kind_of, questions
from scorepad.ledger import validators
from scorepad.presentation import pad as showing_page
from scorepad.presentation.last_entry import value_said
from scorepad.presentation.panels import DrawnPanel
from scorepad.views.private import private, replayed


@require_http_methods(["GET", "HEAD", "POST"])
@private
@replayed
def correct(request: HttpRequest, code: str, entry_id: str) -> HttpResponse:
    """GET shows the entry with its keys; a tap shows what would change; `store` stores it."""
    holder = links.required(request, code, links.PLAY)
    now = taps.moment_of(holder.pad, None)
    place = now.position.places.get(entry_id)
    if place is None:
        raise Http404("This entry is not in the log.")
    made = _finished(now, was(now, place))
    refused = None
    if request.method == "POST":
        try:
            if request.POST.get("made"):
                made = _checked(now, engine.read(request.POST["made"].encode()))
            made = _checked(now, _tapped(request, now, made))
            if "store" in request.POST:
                return _stored(request, holder, entry_id)
        except engine.Refused as error:
            refused = error
        except questions.PartError as error:
            refused = engine.Refused("bad-draft", str(error))
    return _page(request, holder, now, place, entry_id, made, refused)


def before(position: engine.Position, place: int) -> engine.Position:
    """Where the game stood when this entry was made, as corrections have left what came earlier."""
    table = position.table
    entries = [entry for entry in position.standing[:place] if entry is not None]
    sheet: dict[str, Any] = {
        "tally": 1,
        "game": position.game.key,
        "options": dict(table.options),
        "players": list(table.players),
        "dealer": table.players[table.dealer],
        "entries": [{key: value for key, value in entry.items() if key != "id"} for entry in entries],
    }
    return engine.replay(sheet)


def was(now: PadState, place: int) -> dict[str, Any]:
    """The entry as it stands, or as it stood before it was struck out."""
    target = now.position.entries[place].get("id")
    said = now.position.entries[place]
    for entry in now.position.entries:
        if entry["type"] == "amend" and entry["of"] == target:
            said = entry["entry"]
    return {key: value for key, value in said.items() if key != "id"}


def _finished(now: PadState, entry: dict[str, Any]) -> dict[str, Any]:
    """A whole entry with all its lists finished, to be rewritten part by part."""
    fields = now.entry_types[entry["type"]].fields
    return {**entry, questions.DONE: [leaf for field in fields for leaf in _done(field, entry)]}


def _checked(now: PadState, made: Any) -> dict[str, Any]:
    """The entry as it is being rewritten. It travels with the form, so it may come back as anything."""
    kind = made.get("type") if isinstance(made, dict) else None
    if not isinstance(kind, str) or kind not in now.entry_types:
        raise engine.Refused("bad-entry", "This correction cannot be read. Begin it again.")
    validators.check_storable(made)
    fields = {field.key: field for field in now.entry_types[kind].fields}
    for key, value in made.items():
        if key in fields:
            for share in _shares(fields[key], value, now.players):
                engine.check_part(fields[key], share, now.players)
        elif key == questions.DONE:
            if not isinstance(value, list) or not all(isinstance(place, str) for place in value):
                raise engine.Refused("bad-entry", "This correction cannot be read. Begin it again.")
        elif key != "type":
            raise engine.Refused("bad-entry", f'A "{kind}" has no "{key[:40]}". Begin the correction again.')
    return {**made}


def _shares(field: engine.Field, value: Any, players: Sequence[str]) -> list[Any]:
    """What of this answer can be checked already: each player's share, or the whole; an empty one is open."""
    if field.kind != "each":
        return [] if value == {} else [value]
    if not isinstance(value, dict) or not value.keys() <= set(players):
        raise engine.Refused("bad-entry", f'"{field.key}" must have a value for each player. Begin it again.')
    return [share for share in value.values() if share != {}]


def _done(field: engine.Field, old: dict[str, Any]) -> list[str]:
    if field.kind != "each":
        return taps._places(field, None)
    return [place for name in old.get(field.key, {}) for place in taps._places(field, name)]


def _tapped(request: HttpRequest, now: PadState, made: dict[str, Any]) -> dict[str, Any]:
    for name in ("enter", "part", "units"):
        if name not in request.POST:
            continue
        sent = engine.read(request.POST[name].encode())
        if not isinstance(sent, dict):
            raise engine.Refused("bad-entry", "This tap says nothing. Load the page again.")
        validators.check_storable(sent)
        if name == "enter":
            return _finished(now, _checked(now, sent))
        if name == "units":
            sent = with_tens(sent, request.POST.get("tens", "0"))
        entry_type = now.entry_types[made["type"]]
        taps.check_sent(made, sent, entry_type, now.players)
        return questions.apply(made, sent, entry_type, now.players)
    return made


def _correction(entry_id: str, request: HttpRequest, made: dict[str, Any]) -> dict[str, Any]:
    if request.POST.get("strike"):
        return {"type": "void", "of": entry_id}
    return {"type": "amend", "of": entry_id, "entry": questions.entry_of(made)}


def _stored(request: HttpRequest, holder: PadAccess, entry_id: str) -> HttpResponse:
    sent = engine.read(request.POST["store"].encode())
    entry = {**sent, "id": request.POST.get("tap") or ledger.new_id()} if isinstance(sent, dict) else sent
    _, [outcome] = ledger.append(holder.pad, [entry], holder.who)
    if outcome.error is not None:
        raise outcome.error
    return HttpResponseRedirect(f"/pads/{holder.pad.code}/")


def _page(
    request: HttpRequest,
    holder: PadAccess,
    now: PadState,
    place: int,
    entry_id: str,
    made: dict[str, Any],
    refused: engine.Refused | None,
) -> HttpResponse:
    pad, kind = holder.pad, kind_of(holder.pad.game)
    earlier = before(now.position, place)
    given = request.POST if request.method == "POST" else request.GET
    at, by = _first(given, "turn") or given.get("at", ""), _first(given, "by")
    moment = PadState(earlier, made, at=at, by=by, again=True, amending=entry_id)
    old = was(now, place)
    changed = questions.entry_of(made) != old
    correction = _correction(entry_id, request, made)
    whole = kind.LOOK == "victory-rummy" or questions.first_open(_questions(kind, moment)) is None
    foreseen = None
    if request.POST.get("strike") or (whole and (changed or place not in now.standing)):
        foreseen = previews.preview(pad, correction)
    drawn = showing_page.of_moment(pad, replace(moment, may_write=True), None, [])
    context = {
        "pad": pad,
        "holder": holder,
        "shown": drawn,
        "panel": drawn.panel or _first_panel(kind, moment),
        "title": now.position.game.title,
        "said": in_words(now, old),
        "will": in_words(now, questions.entry_of(made)) if whole and changed else "",
        "is_void": place not in now.standing,
        "made": json.dumps(made),
        "entry_id": entry_id,
        "store": json.dumps(correction),
        "foreseen": foreseen,
        "moved": _moved(foreseen or {}),
        "when": kind.when(now, place) if hasattr(kind, "when") else "",
        "tap_id": ledger.new_id(),
        "refusal": showing_page.refusal_of(refused) if refused else None,
        "by": moment.by,
        "at": at,
        "steps": _steps(kind, moment),
        "correcting": True,
    }
    return render(request, "scorepad/correct.html", context, status=422 if refused else 200)


def _first(given: QueryDict, name: str) -> str:
    """The button that was pressed stands before the form's own fields."""
    return (given.getlist(name) or [""])[0]


def _questions(kind: Any, moment: PadState) -> list[questions.Ask]:
    asked: list[questions.Ask] = kind.questions(moment)
    return asked


def _moved(foreseen: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Whose total would be another: the name, what it is and what it would be."""
    were = foreseen.get("totals_were", {})
    now = foreseen.get("totals", {})
    return [(name, were[name], total) for name, total in now.items() if name in were and were[name] != total]


def _steps(kind: Any, moment: PadState) -> list[dict[str, Any]]:
    """The parts of the entry, each with its answer: any of them can be turned to and changed."""
    if kind.LOOK == "victory-rummy":
        return []
    asked = [ask for ask in _questions(kind, moment) if ask.path[-1] != "drawing"]
    players = moment.position.table.players
    return [
        {
            "place": ask.place,
            "words": f"{ask.seat or ask.path[0].capitalize()}: {value_said(ask.answer, players)}",
            "is_now": moment.at in (ask.place, ask.about),
        }
        for ask in asked
    ]


def _first_panel(kind: Any, moment: PadState) -> Any:
    """Everything is answered: begin with the first question, so that any part can be changed."""
    asked = _questions(kind, moment)
    panel = kind.panel(replace(moment, at=asked[0].place, again=True)) if asked else None
    return DrawnPanel(panel) if panel else None
