"""JSON addresses of a pad: begin one, enter, preview, read. The owner's are in scorepad.views.actions."""

from collections.abc import Callable
from typing import Any

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
)
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import engine
from ratelimit import limiter
from ratelimit.limiter import RateLimitError
from scorepad import (
    drafts,
    engine_versions,
    evenings,
    exports,
    imports,
    ledger,
    limits,
    new_pads,
    pads,
    previews,
)
from scorepad.access import links
from scorepad.access.links import PadAccess
from scorepad.chips import counts
from scorepad.ledger import Who
from scorepad.limits import limit
from scorepad.models import Evening, Pad
from scorepad.new_pads import creation_limit
from scorepad.views.decorators import opens, reads, refusal, writes

Body = dict[str, Any]


@opens(form="pads", bytes_most="ENTRIES_BODY_BYTES_MOST")
def make(request: HttpRequest, body: Body) -> HttpResponse:
    with creation_limit(request):
        return opened(new_pads.create(body))


@opens(form="import")
def bring_in(request: HttpRequest, body: Body) -> HttpResponse:
    with creation_limit(request):
        return opened(imports.bring_in(body))


def opened(new: new_pads.NewPad) -> JsonResponse:
    shown = new.as_dict()
    return JsonResponse(shown, status=201, headers={"Location": shown["pad"], "Cache-Control": "no-store"})


@writes(links.PLAY, form="entries")
def entries(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    sent = body.get("entries")
    if not isinstance(sent, list):
        return refusal(400, "bad-request", 'Send {"entries": [...]}: a list of entries.')
    if len(sent) > limit("ENTRIES_PER_POST_MOST"):
        return refusal(413, "too-large", f"Send at most {limit('ENTRIES_PER_POST_MOST')} entries at once.")
    named = [with_id(request, place, entry) for place, entry in enumerate(sent)]
    head, outcomes = ledger.append(holder.pad, named, who_sends(holder, body.get("who")))
    return JsonResponse({"head": head, "results": [outcome.as_dict() for outcome in outcomes]})


def with_id(request: HttpRequest, place: int, entry: Any) -> Any:
    """An entry without an id is named after its request. A proxy that asks another process, for the first one
    died over it, asks by the same name: then what was stored already is known."""
    name = getattr(request, "request_id", "")
    return {"id": f"{name}-{place}", **entry} if name and isinstance(entry, dict) else entry


@writes(links.WATCH, form="preview")
def foresee(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    return JsonResponse(previews.preview(holder.pad, body.get("entry", body)))


def who_sends(holder: PadAccess, named: Any) -> Who:
    """Whose entry it is: the seat or device the cookie knows, or what the call says."""
    if not isinstance(named, str) or not named.strip():
        return holder.who
    if named in holder.pad.players:
        return Who(holder.pad.players.index(named))
    return Who(
        device="".join(sign for sign in named.strip() if sign.isprintable())[: links.DEVICE_LENGTH_MOST]
    )


@reads
def sheet_json(request: HttpRequest, holder: PadAccess) -> HttpResponseBase:
    return _unless_known(request, holder.pad, lambda: JsonResponse(ledger.sheet(holder.pad)))


@reads
def result_json(request: HttpRequest, holder: PadAccess) -> HttpResponseBase:
    if "at" in request.GET:
        return _result_at(holder.pad, request.GET["at"])
    return _unless_known(request, holder.pad, lambda: _result(holder.pad))


def result_of(pad: Pad) -> dict[str, Any]:
    """The engine's result with the head it is true for, and what the pad has to say beside it."""
    now = ledger.position(pad)
    return {
        **now.result().as_dict(),
        "head": len(now.entries),
        "revision": pad.revision,
        "stopped": pads.stopped(pad),
        "engine": engine.__version__,
        "changed": engine_versions.report(pad),
    }


def _result(pad: Pad) -> JsonResponse:
    try:
        return JsonResponse(result_of(pad))
    except engine.Refused as fault:
        says = {**fault.as_dict(), "head": ledger.head(pad), "changed": engine_versions.report(pad)}
        return JsonResponse(says, status=409)


def _result_at(pad: Pad, words: str) -> JsonResponse:
    """The result as it was after the first entries, for the slider of the history."""
    if not (words.isascii() and words.isdigit() and len(words) < 9):
        return refusal(400, "bad-request", '"at" is the number of an entry.')
    sheet = ledger.sheet(pad, most=int(words))
    return JsonResponse({**engine.score(sheet).as_dict(), "head": len(sheet["entries"])})


def etag(pad: Pad, head: int) -> str:
    return f'"{head}.{pad.revision}.{engine.__version__}"'


def _unless_known(request: HttpRequest, pad: Pad, answer: Callable[[], HttpResponse]) -> HttpResponseBase:
    """304 when the phone has this already. The tag is read before the answer: at worst it is older."""
    tag = etag(pad, ledger.head(pad))
    known = get_conditional_response(request, etag=tag)
    if known is not None:
        return known
    response = answer()
    if response.status_code == 200:
        response.headers["ETag"] = tag
    return response


@reads
def pad_json(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    return _file(JsonResponse(exports.pad_json(holder.pad)), holder.pad, "json")


@reads
def sheet_csv(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    text = exports.sheet_csv(holder.pad)
    return _file(HttpResponse(text, content_type="text/csv; charset=utf-8"), holder.pad, "csv")


def _file(response: HttpResponse, pad: Pad, ending: str) -> HttpResponse:
    response.headers["Content-Disposition"] = f'inline; filename="{pad.game}-{pad.made_at:%Y-%m-%d}.{ending}"'
    return response


@reads
def play_json(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    return JsonResponse({"link": exports.bg_stats_link(holder.pad)})


@reads
def log_json(request: HttpRequest, holder: PadAccess) -> HttpResponseBase:
    pad = holder.pad
    return _unless_known(
        request, pad, lambda: JsonResponse({"head": ledger.head(pad), "log": exports.history(pad)})
    )


@reads
def draft_json(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    return JsonResponse({"draft": drafts.shown(holder.pad)})


@writes(links.PLAY, form="draft")
def draft_fill(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    who = who_sends(holder, body.get("who"))
    return JsonResponse({"draft": drafts.fill(holder.pad, body.get("type"), body.get("put", []), who)})


@writes(links.PLAY, form="draft-drop")
def draft_drop(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    drafts.drop(holder.pad)
    return JsonResponse({"draft": None})


@writes(links.PLAY, form="draft-complete")
def draft_complete(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    head, outcome = drafts.complete(holder.pad, body.get("draft"), who_sends(holder, body.get("who")))
    return JsonResponse({"head": head, "results": [outcome.as_dict()]})


@writes(links.PLAY, form="checks")
def count_check(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    return JsonResponse(counts.check(holder.pad, body.get("counted"), who_sends(holder, body.get("who"))))


@writes(links.WATCH, form="seat")
def seat(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """Choose a seat for this phone, or a name for it; the cookie remembers."""
    who = who_sends(holder, body.get("who"))
    response = JsonResponse({"seat": who.seat, "device": who.device, "role": holder.role})
    if holder.by_cookie:
        links.remember(request, response, holder.pad, holder.link_id, who)
    return response


@require_safe
def evening_json(request: HttpRequest, code: str) -> HttpResponse:
    try:
        found = evening_of(request, code)
    except RateLimitError as fault:
        return refusal(429, "too-often", fault.says, **{"Retry-After": str(fault.seconds)})
    if found is None:
        return refusal(404, "no-evening", "No evening is open here. Open one of its pads first.")
    return JsonResponse(evenings.as_dict(found), headers={"Cache-Control": "private, no-cache"})


def evening_of(request: HttpRequest, code: str) -> Evening | None:
    """The evening, for whoever holds a link to one of its pads."""
    bearer = links.bearer_of(request.headers.get("Authorization"))
    if bearer is not None:
        here = links.request_address(request)
        limiter.check_quickly(limits.token_guesses(), here)
        found = Evening.objects.filter(
            code=code, pads__links__token_hash=links.hashed(bearer), pads__links__revoked_at=None
        ).first()
        if found is None:
            links.count_guess(here, bearer)
        return found
    ids = [link_id for _, link_id in links.known(request)]
    return Evening.objects.filter(code=code, pads__links__pk__in=ids, pads__links__revoked_at=None).first()
