"""The pad itself: the page, its fragment for live updates, and the address of taps."""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

import engine
from scorepad import engine_versions, ledger, pads, replay_budget, snapshots, taps, twins
from scorepad.access import cookies, handover, links, permissions
from scorepad.access.permissions import PadAccess
from scorepad.forms import with_sum, with_tens
from scorepad.limits import limit
from scorepad.presentation.house_rules import house_rules
from scorepad.presentation.pad import pad_context, refusal_of
from scorepad.snapshots import Snapshot
from scorepad.taps import Tapped
from scorepad.views.decorators import pad_script, private, replayed

KEY_NAMES = ("entries", "enter", "part", "units", "typed", "begin")
"""What a key can send: whole entries, a part of one, a number in two steps or typed, an entry to begin."""


@require_safe
@private
@replayed
def page(request: HttpRequest, code: str) -> HttpResponse:
    access = permissions.required(request, code)
    snapshot = snapshots.read(access.pad)
    with replay_budget.spend(snapshot.replay.head):
        response = _page(request, access, Tapped(snapshot=snapshot))
    if access.has_old_cookie:
        cookies.set_cookie(request, response, access.link, access.who)
    return response


@require_safe
def fragment(request: HttpRequest, code: str) -> HttpResponseBase:
    """The same sections as on the page, for phones that were told something happened."""
    access = permissions.required(request, code)
    snapshot = snapshots.read(access.pad)
    tag = _tag(access, snapshot, _handover(request, access), cookies.is_hinted(request))
    known = get_conditional_response(request, etag=tag)
    if known is not None:
        return known
    with replay_budget.spend(snapshot.replay.head):
        response = _fragment(request, access, Tapped(snapshot=snapshot))
    response.headers["ETag"] = tag
    return response


def _handover(request: HttpRequest, access: PadAccess) -> handover.Request | None:
    return handover.request_of(access.pad, cookies.claim_of(request, access.pad.code))


def _tag(access: PadAccess, snapshot: Snapshot, asked: handover.Request | None, is_hinted: bool) -> str:
    """A tag that changes with the log, the pad's own row, the draft, the phone, its role and a handover."""
    draft = snapshot.draft and [snapshot.draft["id"], snapshot.draft["revision"]]
    seen = [snapshot.replay.head, access.pad.revision, draft, access.role]
    seen += [access.who.seat, access.who.phone, access.who.watches, is_hinted]
    if asked is not None:
        seen += [str(asked), asked.is_ready]
    return f'"{hashlib.sha256(json.dumps([*seen, engine.__version__]).encode()).hexdigest()[:20]}"'


@csrf_exempt  # both ways check it
def tap(request: HttpRequest, code: str) -> HttpResponseBase:
    """Whole entries, or a part of the one being filled in. Ids make each count once, however often it comes.

    A script that asks for the fragment gets it; a form sent without one is led back to the page.
    """
    is_script = request.headers.get("Accept", "").startswith("text/vnd.pad")
    return _tap_by_script(request, code) if is_script else _tap_by_form(request, code=code)


@pad_script(links.PLAY)
def _tap_by_script(request: HttpRequest, access: PadAccess) -> HttpResponse:
    response = _fragment(request, access, _apply(request, access))
    _note_first_tap(request, response)
    return response


def _note_first_tap(request: HttpRequest, response: HttpResponse) -> None:
    if not cookies.is_hinted(request):
        cookies.set_hinted(request, response)


@csrf_protect
@require_POST
@replayed
def _tap_by_form(request: HttpRequest, code: str) -> HttpResponse:
    access = permissions.required(request, code, links.PLAY)
    tapped = _apply(request, access)
    if tapped.error is not None:
        return _page(request, access, tapped)
    looking = {"by": request.POST.get("by", "")} if request.POST.get("by") else {}
    response = HttpResponseRedirect(f"/pads/{code}/" + (f"?{urlencode(looking)}" if looking else ""))
    _note_first_tap(request, response)
    return response


def _apply(request: HttpRequest, access: PadAccess) -> Tapped:
    name = next((name for name in KEY_NAMES if name in request.POST), "")
    marks = twins.read_marks(request.POST.get("marks", ""))
    try:
        sent = engine.read(request.POST.get(name, "").encode())
        if name == "entries":
            return taps.enter(access.pad, _checked_entries(sent), access.who, marks)
        if not isinstance(sent, dict):
            raise engine.Refused("bad-entry", "This tap says nothing. Load the pad again.")
        if name == "enter":
            entry = {"id": request.POST.get("tap") or ledger.new_id(), **sent}
            if "another" in request.GET:
                marks = twins.Marks({}, frozenset([str(entry["id"])]))
            return taps.enter(access.pad, [entry], access.who, marks)
        tap_id = request.POST.get("tap", "")
        if name == "begin":
            return taps.begin(access.pad, sent.get("type"), access.who, tap_id, marks)
        if name == "units":
            sent = with_tens(sent, request.POST.get("tens", "0"))
        if name == "typed":
            sent = with_sum(sent, request.POST.get("sum", ""))
        sent = {**sent, "id": tap_id or ledger.new_id()}
        return taps.tap(access.pad, sent, access.who, request.POST.get("by", ""), marks)
    except engine.Refused as refused:
        return Tapped(refused)


def _checked_entries(sent: Any) -> list[Any]:
    if not isinstance(sent, list) or not sent:
        raise engine.Refused("bad-entry", "This tap says nothing. Load the pad again.")
    most = limit("ENTRIES_PER_POST_MOST")
    if len(sent) > most:
        raise engine.Refused("too-large", f"Send at most {most} entries at once.")
    return sent


def _looking(request: HttpRequest) -> dict[str, Any]:
    """The question this phone turned to, its way of answering, and if what is answered is asked again."""
    asked = request.POST if request.method == "POST" else request.GET
    return {"at": asked.get("at", "")[:200], "by": asked.get("by", "")[:40], "again": "again" in asked}


def _context(request: HttpRequest, access: PadAccess, tapped: Tapped) -> dict[str, Any]:
    looking = _looking(request)
    snapshot = tapped.snapshot or snapshots.read(access.pad)
    return {
        "pad": access.pad,
        "access": access,
        "shown": pad_context(access, snapshot, **looking),
        "plays": house_rules(access.pad),
        "changed": engine_versions.report(access.pad, snapshot.replay.head),
        "ends": pads.ends_at(access.pad),
        "handover": _handover(request, access),
        "asks_who": "who" in request.GET,
        # The first tap answers them.
        "has_hints": request.method != "POST" and not cookies.is_hinted(request),
        **_refused(request, tapped),
        **looking,
    }


def _refused(request: HttpRequest, tapped: Tapped) -> dict[str, Any]:
    """The refusal, and the id of the next tap: that of the same tap, if a question about it is open."""
    refusal = refusal_of(tapped.error) if tapped.error else None
    ask = refusal["ask"] if refusal else None
    asked_again = request.POST.get("tap") if ask else None
    instead = ask["instead"] if ask else {}
    return {
        "tap_id": asked_again or ledger.new_id(),
        "refusal": refusal,
        "entered": json.dumps(instead["body"]) if "body" in instead else request.POST.get("enter", ""),
        "entered_as": "part" if instead.get("kind") == "part" else "enter",
    }


def _page(request: HttpRequest, access: PadAccess, tapped: Tapped = Tapped()) -> HttpResponse:  # noqa: B008 - frozen
    context = _context(request, access, tapped)
    return render(request, "scorepad/pad.html", context, status=422 if tapped.error else 200)


def _fragment(request: HttpRequest, access: PadAccess, tapped: Tapped) -> HttpResponse:
    """The pad as it is now; a refusal in a header, with the id of the entry it is of."""
    try:
        context = _context(request, access, tapped)
    except engine.Refused:
        response = HttpResponse(status=409)
    else:
        response = render(request, "scorepad/_pad.html", context, status=422 if tapped.error else 200)
    if tapped.error is not None and (tapped.refused_id or response.status_code == 422):
        refusal = refusal_of(tapped.error)
        named = {"id": tapped.refused_id} if tapped.refused_id else {}
        response.headers["X-Refusal"] = json.dumps({**refusal, **named})
    patch_cache_control(response, private=True, no_store=True)
    return response
