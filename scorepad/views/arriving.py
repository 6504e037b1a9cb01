"""How a phone comes to a pad: by a link, by a short code, or from the game before."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.views.decorators.http import require_safe

from ratelimit import limiter
from scorepad import limits
from scorepad.access import join_codes, links
from scorepad.access.links import PadAccess
from scorepad.views.decorators import opens, reads, refusal


@opens(form="join", bytes_most="ENTRIES_BODY_BYTES_MOST")
def join(request: HttpRequest, body: dict[str, Any]) -> HttpResponse:
    """A link for a short code."""
    pad, role, _, token = join_codes.trade(body.get("code"), links.request_address(request))
    shown = {"pad": f"/pads/{pad.code}/", "role": role, "link": links.address(pad, token)}
    return JsonResponse(shown, headers={"Cache-Control": "no-store"})


@require_safe
def enter(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """Trade a link for the cookie and a clean address. A lesser link does not take a better one away."""
    limiter.check(limits.token_guesses(), links.request_address(request))
    shown = links.shown(links.request_address(request), code, token)
    if shown is None:
        raise Http404("This link does not open a pad any more. Ask the table for its new link.")
    response = HttpResponseRedirect(f"/pads/{code}/", headers={"Cache-Control": "no-store"})
    # The address holds the token: no page opened from here may learn it.
    response.headers["Referrer-Policy"] = "no-referrer"
    before = links.find(code, None, request.COOKIES.get(links.cookie_name(code)))
    if before is None:
        links.remember(request, response, shown.pad, shown.link_id)
    elif not before.may(shown.role):
        links.remember(request, response, shown.pad, shown.link_id, before.who)
    return response


@reads
def next_pad(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    """On to the next game of the evening, in the same role."""
    pad = join_codes.following(holder.pad)
    if pad is not None:
        response = HttpResponseRedirect(f"/pads/{pad.code}/", headers={"Cache-Control": "no-store"})
        there = links.find(pad.code, None, request.COOKIES.get(links.cookie_name(pad.code)))
        if there is not None and there.may(holder.role):
            return response
        link = join_codes.next_link(pad, holder.role)
        if link is not None:
            same_seat = holder.who.seat is not None and pad.players == holder.pad.players
            links.remember(request, response, pad, link.pk, holder.who if same_seat else None)
            return response
    return refusal(404, "no-next", "No next game is open from here. Ask the table for its link.")
