"""Correction page of an old entry: the same keys as when it was made, and what else would change first."""

import json
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

import engine
from scorepad import corrections, ledger, previews, snapshots
from scorepad.access import links, permissions
from scorepad.access.permissions import PadAccess
from scorepad.layouts import Layout, PadState, describe_entry, layout_of, questions
from scorepad.layouts.keys import Panel
from scorepad.presentation.last_entry import describe_value
from scorepad.presentation.pad import context_of_state, refusal_of
from scorepad.views.decorators import private, replayed


@dataclass(frozen=True)
class OldEntry:
    """The entry this page corrects: the pad's state now, its place in the log, and its newest version."""

    access: PadAccess
    state: PadState
    place: int
    entry_id: str

    @property
    def entry(self) -> dict[str, Any]:
        return corrections.newest_version(self.state.position.entries, self.entry_id)

    @property
    def is_void(self) -> bool:
        return self.place not in self.state.standing


@require_http_methods(["GET", "HEAD", "POST"])
@private
@replayed
def correct(request: HttpRequest, code: str, entry_id: str) -> HttpResponse:
    """GET shows the entry with its keys; a tap shows what would change; `store` stores it."""
    old = _old_entry(permissions.required(request, code, links.PLAY), entry_id)
    partial = corrections.reopen(old.state, old.entry)
    refused = None
    if request.method == "POST":
        try:
            if request.POST.get("made"):
                partial = corrections.check_partial(old.state, engine.read(request.POST["made"].encode()))
            after = corrections.apply_tap(old.state, partial, request.POST.dict())
            partial = corrections.check_partial(old.state, after)
            if "store" in request.POST:
                return _store(request, old)
        except engine.Refused as error:
            refused = error
        except questions.PartError as error:
            refused = engine.Refused("bad-draft", str(error))
    context = _context(request, old, partial, refused)
    name = "scorepad/_correct.html" if _wants_fragment(request) else "scorepad/correct.html"
    return render(request, name, context, status=422 if refused else 200)


def _old_entry(access: PadAccess, entry_id: str) -> OldEntry:
    state = snapshots.state_without_draft(access.pad)
    place = state.position.places.get(entry_id)
    if place is None:
        raise Http404("This entry is not in the log.")
    return OldEntry(access, state, place, entry_id)


def _wants_fragment(request: HttpRequest) -> bool:
    return "X-Fragment" in request.headers


def _store(request: HttpRequest, old: OldEntry) -> HttpResponse:
    sent = engine.read(request.POST["store"].encode())
    entry = {**sent, "id": request.POST.get("tap") or ledger.new_id()} if isinstance(sent, dict) else sent
    pad = old.access.pad
    _, [outcome] = ledger.append(pad, [entry], old.access.who)
    if outcome.error is not None:
        raise outcome.error
    address = f"/pads/{pad.code}/"
    # A script would follow a redirect itself, and get a page it has no use for.
    return (
        HttpResponse(status=201, headers={"Location": address})
        if _wants_fragment(request)
        else HttpResponseRedirect(address)
    )


def _context(
    request: HttpRequest, old: OldEntry, partial: dict[str, Any], refused: engine.Refused | None
) -> dict[str, Any]:
    pad, layout = old.access.pad, layout_of(old.access.pad.game)
    given = request.POST if request.method == "POST" else request.GET
    at, by = _first(given, "turn") or given.get("at", ""), _first(given, "by")
    state = PadState(
        old.state.position.before(old.place),
        partial,
        at=at,
        by=by,
        again=True,
        amending=old.entry_id,
        settings=pad.settings,
    )
    strike = bool(request.POST.get("strike"))
    changed = questions.complete_entry(partial) != old.entry
    is_whole = questions.first_open(layout.questions(state)) is None and old.state.is_well_formed(
        questions.complete_entry(partial)
    )
    correction = corrections.correction_entry(old.entry_id, partial, strike)
    is_ready = strike or (is_whole and (changed or old.is_void))
    foreseen = previews.preview(pad, correction) if is_ready else None
    drawn = context_of_state(pad, state, None, [])
    return {
        "pad": pad,
        "access": old.access,
        "shown": drawn,
        "panel": drawn.panel or _first_panel(layout, state),
        "title": old.state.position.game.title,
        "said": describe_entry(old.state, old.entry),
        "will": describe_entry(old.state, questions.complete_entry(partial)) if is_whole and changed else "",
        "is_void": old.is_void,
        "made": json.dumps(partial),
        "entry_id": old.entry_id,
        "store": json.dumps(correction),
        "foreseen": foreseen,
        "moved": _changed_totals(foreseen or {}),
        "when": layout.round_name(old.state, old.place),
        "tap_id": ledger.new_id(),
        "refusal": refusal_of(refused) if refused else None,
        "by": by,
        "at": at,
        "steps": _parts(layout, state),
        "correcting": True,
    }


def _first(given: QueryDict, name: str) -> str:
    """The button that was pressed stands before the form's own fields."""
    return (given.getlist(name) or [""])[0]


def _changed_totals(foreseen: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Every total that would be another: the name, what it is and what it would be."""
    were = foreseen.get("totals_were", {})
    now = foreseen.get("totals", {})
    return [(name, were[name], total) for name, total in now.items() if name in were and were[name] != total]


def _parts(layout: Layout, state: PadState) -> list[dict[str, Any]]:
    """The parts of the entry, each with its answer: any of them can be turned to and changed."""
    return [
        {
            "place": question.place,
            "words": f"{question.seat or question.path[0].capitalize()}: "
            f"{describe_value(question.answer, state.players)}",
            "is_now": state.at in (question.place, question.about),
        }
        for question in layout.panel_questions(state)
    ]


def _first_panel(layout: Layout, state: PadState) -> Panel | None:
    """Everything is answered: begin with the first question, so that any part can be changed."""
    asked = layout.panel_questions(state)
    return layout.panel(replace(state, at=asked[0].place, again=True)) if asked else None
