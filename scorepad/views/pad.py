"""The pad itself: the page, its fragment for live updates, and a tap sent as a form."""

import hashlib
import json
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

import engine
from scorepad import drafts, engine_versions, ledger, pads, taps
from scorepad.access import links, permissions
from scorepad.access.permissions import PadAccess
from scorepad.forms import with_tens
from scorepad.models import Draft
from scorepad.presentation.house_rules import house_rules
from scorepad.presentation.pad import pad_context, refusal_of
from scorepad.views.decorators import private, replayed


@require_safe
@private
@replayed
def page(request: HttpRequest, code: str) -> HttpResponse:
    return _page(request, permissions.required(request, code))


@require_safe
def fragment(request: HttpRequest, code: str) -> HttpResponseBase:
    """The same sections as on the page, for phones that were told something happened."""
    holder = permissions.required(request, code)
    tag = _tag(holder)
    known = get_conditional_response(request, etag=tag)
    if known is not None:
        return known
    response = _fragment(request, holder)
    response.headers["ETag"] = tag
    return response


def _tag(holder: PadAccess) -> str:
    """Changes with the log, with what stands beside it, with the draft and with the role."""
    pad = holder.pad
    drafted = Draft.objects.filter(pad=pad).values_list("entry_id", "revision").first()
    what = [ledger.head(pad), pad.revision, drafted, holder.role, holder.who.seat, engine.__version__]
    return f'"{hashlib.sha256(json.dumps(what).encode()).hexdigest()[:20]}"'


@require_POST
@replayed
def tap(request: HttpRequest, code: str) -> HttpResponse:
    """A tap as a form: a whole entry, or a part of the one being made. The page's id makes it count once."""
    holder = permissions.required(request, code, links.PLAY)
    refused = _tapped(request, holder)
    if request.headers.get("Accept", "").startswith("text/vnd.pad"):
        return _fragment(request, holder, refused)
    if refused is not None:
        return _page(request, holder, refused)
    looking = {"by": request.POST.get("by", "")} if request.POST.get("by") else {}
    return HttpResponseRedirect(f"/pads/{code}/" + (f"?{urlencode(looking)}" if looking else ""))


def _tapped(request: HttpRequest, holder: PadAccess) -> engine.Refused | None:
    name = next((name for name in ("enter", "part", "units", "begin") if name in request.POST), "")
    try:
        sent = engine.read(request.POST.get(name, "").encode())
        if not isinstance(sent, dict):
            raise engine.Refused("bad-entry", "This tap says nothing. Load the pad again.")
        if name == "enter":
            return _entered(holder, {"id": request.POST.get("tap") or ledger.new_id(), **sent})
        if name == "begin":
            drafts.fill(holder.pad, sent.get("type"), [], holder.who)
            return None
        if name == "units":
            sent = with_tens(sent, request.POST.get("tens", "0"))
        return taps.tap(holder.pad, sent, holder.who, request.POST.get("by", "")).error
    except engine.Refused as refused:
        return refused


def _entered(holder: PadAccess, entry: dict[str, Any]) -> engine.Refused | None:
    _, [outcome] = ledger.append(holder.pad, [entry], holder.who)
    return outcome.error


def _looking(request: HttpRequest) -> dict[str, Any]:
    """What this phone turned to, which way it answers, and whether what is answered is asked again."""
    asked = request.POST if request.method == "POST" else request.GET
    return {"at": asked.get("at", "")[:200], "by": asked.get("by", "")[:40], "again": "again" in asked}


def _context(request: HttpRequest, holder: PadAccess, refused: engine.Refused | None) -> dict[str, Any]:
    looking = _looking(request)
    return {
        "pad": holder.pad,
        "holder": holder,
        "shown": pad_context(holder, **looking),
        "plays": house_rules(holder.pad),
        "changed": engine_versions.report(holder.pad),
        "ends": pads.ends_at(holder.pad),
        "tap_id": ledger.new_id(),
        "refusal": refusal_of(refused) if refused else None,
        **looking,
    }


def _page(request: HttpRequest, holder: PadAccess, refused: engine.Refused | None = None) -> HttpResponse:
    context = _context(request, holder, refused)
    return render(request, "scorepad/pad.html", context, status=422 if refused else 200)


def _fragment(request: HttpRequest, holder: PadAccess, refused: engine.Refused | None = None) -> HttpResponse:
    try:
        context = _context(request, holder, refused)
    except engine.Refused:
        return HttpResponse(status=409)
    response = render(request, "scorepad/_pad.html", context, status=422 if refused else 200)
    if refused is not None:
        response.headers["X-Refusal"] = json.dumps(refusal_of(refused))
    patch_cache_control(response, private=True, no_store=True)
    return response
