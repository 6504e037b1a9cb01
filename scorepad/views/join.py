"""Joining a pad: by a link, by a short code, or from the game before."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import engine
from ratelimit import client_address
from ratelimit.limiter import RateLimitError
from scorepad import pads
from scorepad.access import join_codes, links, permissions
from scorepad.access.cookies import cookie_name, delete_cookie, set_cookie
from scorepad.access.permissions import PadAccess
from scorepad.forms import JoinForm
from scorepad.views.decorators import Data, json_view, pad_read, refusal


@require_http_methods(["GET", "HEAD", "POST"])
def join_page(request: HttpRequest) -> HttpResponse:
    """Type the short code; get the pad."""
    if request.method != "POST":
        return render(request, "scorepad/join.html", {"code": request.GET.get("code", "")})
    form = JoinForm(request.POST)
    typed = form.cleaned_data["code"] if form.is_valid() else ""
    try:
        pad, _, link, _ = join_codes.exchange(typed, client_address.of_request(request))
    except RateLimitError as fault:
        response = _join_again(request, fault.says, 429)
        response.headers["Retry-After"] = str(fault.seconds)
        return response
    except engine.Refused as refused:
        return _join_again(request, refused.message, 422)
    arrived = HttpResponseRedirect(f"/pads/{pad.code}/?who=1")
    set_cookie(request, arrived, link)
    return arrived


def _join_again(request: HttpRequest, fault: str, status: int) -> HttpResponse:
    context = {"code": request.POST.get("code", ""), "fault": fault}
    return render(request, "scorepad/join.html", context, status=status)


@json_view(page=join_page)
def join(request: HttpRequest, data: Data) -> HttpResponse:
    """A link for a short code."""
    pad, role, _, token = join_codes.exchange(data.get("code"), client_address.of_request(request))
    told = {"pad": f"/pads/{pad.code}/", "role": role, "link": links.address(pad, token)}
    return JsonResponse(told, headers={"Cache-Control": "no-store"})


@require_safe
def enter(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """Exchange a link for the cookie and a clean address. A lesser link does not take a better one away.

    An evening is shared by the viewer's link of its first game: with `?evening` it arrives there.
    A phone that comes for the first time is asked who it is.
    """
    here = client_address.of_request(request)
    access = permissions.by_token(here, code, token)
    if access is None:
        raise Http404("This link does not open a pad any more. Ask the table for its new link.")
    before = permissions.by_cookie(code, request.COOKIES.get(cookie_name(code)))
    evening = access.pad.evening if "evening" in request.GET else None
    asks = "?who=1" if before is None else ""
    arrives = f"/evenings/{evening.code}/" if evening else f"/pads/{code}/{asks}"
    response = HttpResponseRedirect(arrives, headers={"Cache-Control": "no-store"})
    # The address holds the token: no page opened from here may learn it.
    response.headers["Referrer-Policy"] = "no-referrer"
    if before is None:
        set_cookie(request, response, access.link)
    elif not before.may(access.role):
        set_cookie(request, response, access.link, before.who)
    return response


@require_POST
def forget(request: HttpRequest, code: str) -> HttpResponse:
    """Forget a pad on this phone: its cookie goes, and the service worker drops the page in store. The pad
    and its links stay as they are."""
    response = HttpResponseRedirect("/", headers={"Cache-Control": "no-store"})
    delete_cookie(response, code)
    return response


@pad_read
def next_pad(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """On to the next game of the evening, in the same role."""
    pad = pads.next_pad(access.pad)
    if pad is not None:
        response = HttpResponseRedirect(f"/pads/{pad.code}/", headers={"Cache-Control": "no-store"})
        there = permissions.by_cookie(pad.code, request.COOKIES.get(cookie_name(pad.code)))
        if there is not None and there.may(access.role):
            return response
        # Who watches by a club goes on while the next game is in it too, and gets no link that would stay.
        if access.by_club and permissions.access_of(request, pad.code) is not None:
            return response
        link = None if access.by_club else links.inherited_link(pad, access.link)
        if link is not None:
            same_seat = access.who.seat is not None and pad.players == access.pad.players
            set_cookie(request, response, link, access.who if same_seat else None)
            return response
    return refusal(404, "no-next", "No next game is open from here. Ask the table for its link.")
