"""JSON addresses of a pad: enter, preview, draft, read. Actions that forms send too are in views/actions."""

from collections.abc import Callable
from typing import Any

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
)
from django.utils.cache import get_conditional_response

import engine
from scorepad import (
    drafts,
    engine_versions,
    exports,
    ledger,
    pad_copies,
    pads,
    previews,
    replay_budget,
    twins,
)
from scorepad.access import links
from scorepad.access.permissions import PadAccess
from scorepad.forms import place_in
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.views.decorators import Data, pad_read, pad_write, refusal


@pad_write(links.PLAY)
def entries(request: HttpRequest, access: PadAccess, data: Data) -> HttpResponse:
    sent = data.get("entries")
    if not isinstance(sent, list):
        return refusal(400, "bad-request", 'Send {"entries": [...]}: a list of entries.')
    fault = _many_fault(sent, data)
    if fault is not None:
        return fault
    named = [with_id(request, place, entry) for place, entry in enumerate(sent)]
    who = access.sender(data.get("who"))
    if data.get("together"):
        head, outcomes = ledger.append_together(access.pad, named, who)
    else:
        told = twins.told(access.pad, who, twins.NO_MARKS) if data.get("ask_twins") is True else ledger.Told()
        head, outcomes = ledger.append(access.pad, named, who, told)
    return JsonResponse({"head": head, "results": [outcome.as_dict() for outcome in outcomes]})


def _many_fault(sent: list[Any], data: Data) -> HttpResponse | None:
    """The refusal of entries that are too many, or whose "together" is neither true nor false."""
    if len(sent) > limit("ENTRIES_PER_POST_MOST"):
        return refusal(413, "too-large", f"Send at most {limit('ENTRIES_PER_POST_MOST')} entries at once.")
    if not isinstance(data.get("together", False), bool):
        return refusal(400, "bad-request", '"together" is true or false.')
    return None


def with_id(request: HttpRequest, place: int, entry: Any) -> Any:
    """The entry, with an id after its request if it has none. A proxy that repeats the request at another
    process, because the first one died over it, uses the same id: then what was stored is known."""
    name = getattr(request, "request_id", "")
    return {"id": f"{name}-{place}", **entry} if name and isinstance(entry, dict) else entry


@pad_write(links.WATCH)
def preview(request: HttpRequest, access: PadAccess, data: Data) -> HttpResponse:
    sent = data.get("entries")
    if not isinstance(sent, list):
        return JsonResponse(previews.preview(access.pad, data.get("entry", data)))
    fault = _many_fault(sent, data)
    if fault is not None:
        return fault
    if not sent or not data.get("together"):
        return refusal(400, "bad-request", 'Several entries are previewed with "together": true.')
    return JsonResponse(previews.preview_together(access.pad, sent))


@pad_read
def about_json(request: HttpRequest, access: PadAccess) -> HttpResponse:
    own = {"pad": f"/pads/{access.pad.code}/", "role": access.role, "seat": access.who.seat}
    return JsonResponse({**own, **pads.summary(access.pad)})


@pad_read
def copy_json(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """What a phone needs to go on scoring when its network is gone."""
    after = place_in(request.GET.get("after", ""), limit("ENTRIES_PER_PAD_MOST") + 1) or 0
    copied = pad_copies.copy(access, after, request.GET.get("seal", ""))
    return JsonResponse(copied, headers={"Cache-Control": "no-store"})


@pad_read
def links_json(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """The links that may be handed on: none above one's own role."""
    return JsonResponse(access.addresses(), headers={"Cache-Control": "no-store"})


@pad_read
def sheet_json(request: HttpRequest, access: PadAccess) -> HttpResponseBase:
    return _unless_current(request, access.pad, lambda: JsonResponse(ledger.sheet(access.pad)))


@pad_read
def result_json(request: HttpRequest, access: PadAccess) -> HttpResponseBase:
    if "at" in request.GET:
        return _result_at(access.pad, request.GET["at"])
    return _unless_current(request, access.pad, lambda: _result(access.pad))


def _result_json(pad: Pad) -> dict[str, Any]:
    """The engine's result with the head it is true for, the revision of the pad and its engine."""
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
        return JsonResponse(_result_json(pad))
    except engine.Refused as fault:
        says = {**fault.as_dict(), "head": ledger.head(pad), "changed": engine_versions.report(pad)}
        return JsonResponse(says, status=409)


def _result_at(pad: Pad, words: str) -> JsonResponse:
    """The result as it was after the first entries, for the slider of the history."""
    if not (words.isascii() and words.isdigit() and len(words) < 9):
        return refusal(400, "bad-request", '"at" is the number of an entry.')
    now = ledger.position_at(pad, int(words))
    return JsonResponse({**now.result().as_dict(), "head": len(now.entries)})


def _etag(pad: Pad, head: int) -> str:
    return f'"{head}.{pad.revision}.{engine.__version__}"'


def _unless_current(request: HttpRequest, pad: Pad, answer: Callable[[], HttpResponse]) -> HttpResponseBase:
    """304 when the phone has this already. The tag is read before the answer: at worst it is older."""
    head = ledger.head(pad)
    tag = _etag(pad, head)
    known = get_conditional_response(request, etag=tag)
    if known is not None:
        return known
    with replay_budget.spend(head):
        response = answer()
    if response.status_code == 200:
        response.headers["ETag"] = tag
    return response


@pad_read
def pad_json(request: HttpRequest, access: PadAccess) -> HttpResponse:
    with replay_budget.spend(ledger.head(access.pad)):
        return _file(JsonResponse(exports.pad_json(access.pad)), access.pad, "json")


@pad_read
def sheet_csv(request: HttpRequest, access: PadAccess) -> HttpResponse:
    with replay_budget.spend(ledger.head(access.pad)):
        text = exports.sheet_csv(access.pad)
    return _file(HttpResponse(text, content_type="text/csv; charset=utf-8"), access.pad, "csv")


def _file(response: HttpResponse, pad: Pad, ending: str) -> HttpResponse:
    response.headers["Content-Disposition"] = f'inline; filename="{pad.game}-{pad.made_at:%Y-%m-%d}.{ending}"'
    return response


@pad_read
def play_json(request: HttpRequest, access: PadAccess) -> HttpResponse:
    return JsonResponse({"link": exports.bg_stats_link(access.pad)})


@pad_read
def log_json(request: HttpRequest, access: PadAccess) -> HttpResponseBase:
    pad = access.pad
    return _unless_current(
        request, pad, lambda: JsonResponse({"head": ledger.head(pad), "log": exports.history(pad)})
    )


@pad_read
def draft_json(request: HttpRequest, access: PadAccess) -> HttpResponse:
    return JsonResponse({"draft": drafts.told(drafts.current(access.pad))})


@pad_write(links.PLAY)
def draft_fill(request: HttpRequest, access: PadAccess, data: Data) -> HttpResponse:
    who = access.sender(data.get("who"))
    draft = drafts.fill(access.pad, data.get("type"), data.get("put", []), who)
    return JsonResponse({"draft": drafts.told(draft)})


@pad_write(links.PLAY)
def draft_drop(request: HttpRequest, access: PadAccess, data: Data) -> HttpResponse:
    drafts.drop(access.pad)
    return JsonResponse({"draft": None})


@pad_write(links.PLAY)
def draft_complete(request: HttpRequest, access: PadAccess, data: Data) -> HttpResponse:
    head, outcome = drafts.complete(access.pad, data.get("draft"), access.sender(data.get("who")))
    return JsonResponse({"head": head, "results": [outcome.as_dict()]})
