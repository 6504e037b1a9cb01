"""Evenings: the games of one table in a row, as a page and as JSON."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratelimit import client_address
from ratelimit.limiter import RateLimitError
from scorepad import evenings
from scorepad.access import links, permissions
from scorepad.access.cookies import set_cookie
from scorepad.access.links import AnyLink
from scorepad.access.permissions import PadAccess
from scorepad.ledger import Who
from scorepad.models import Evening, Link, Pad
from scorepad.qr_codes import qr_code
from scorepad.views.decorators import private, rate_limited, refusal

Opened = dict[Pad, AnyLink]


@require_safe
@private
def evening_page(request: HttpRequest, code: str) -> HttpResponse:
    found = _evening(request, code)
    if found is None:
        return render(request, "404.html", status=404)
    evening, opened = found
    played = evenings.games(list(opened))
    finished = sum(one.result.status == "finished" for one in played)
    pending = sum(one.is_pending for one in played)
    people = evenings.standings(played)
    context = {
        "played": played,
        "finished": finished,
        "going_on": len(played) - finished - pending,
        "pending": pending,
        "standings": people,
        "points": evenings.points(played, people),
        "chart": evenings.wins_chart(people),
        "evening": evening,
        "has_chips": any(one.result.chips for one in played),
        **_sharing(request, opened),
    }
    response = render(request, "scorepad/evening.html", context)
    if pending:
        # The page loads itself again until all figures are there, with or without a script.
        response.headers["Refresh"] = str(evenings.RETRY_SECONDS)
    return response


def _sharing(request: HttpRequest, opened: Opened) -> dict[str, object]:
    """The link that shares the evening, and the clubs it can be added to by who owns a game of it."""
    if any(pad.is_here for pad in opened):
        # Only on this phone: nobody else can open it.
        return {"share": None, "own_pad": None, "clubs": []}
    path = evenings.share_link(opened)
    address = request.build_absolute_uri(path) if path else ""
    own = next((pad for pad, link in opened.items() if link.target == pad and link.role == links.KEEP), None)
    clubs = [access.club for access in permissions.remembered_clubs(request) if access.may(links.KEEP)]
    return {
        "share": {"address": address, "qr": qr_code(address)} if address else None,
        "own_pad": own,
        "clubs": clubs if own else [],
    }


@require_safe
def evening_json(request: HttpRequest, code: str) -> HttpResponse:
    try:
        found = _evening(request, code)
    except RateLimitError as fault:
        return rate_limited(fault)
    if found is None:
        return refusal(404, "no-evening", "No evening is open here. Open one of its pads first.")
    told = evenings.as_dict(found[0], list(found[1]))
    later = {"Retry-After": str(evenings.RETRY_SECONDS)} if told["pending"] else {}
    return JsonResponse(told, headers={"Cache-Control": "private, no-cache", **later})


@require_safe
def evening_pad(request: HttpRequest, code: str, pad: str) -> HttpResponse:
    """On to one of its games, in the role that this phone has there or in a game before it."""
    found = _evening(request, code)
    opened = {one.code: link for one, link in found[1].items()} if found else {}
    if pad not in opened:
        raise Http404("No game of this evening is open here. Ask the table for its link.")
    response = HttpResponseRedirect(f"/pads/{pad}/", headers={"Cache-Control": "no-store"})
    if permissions.access_of(request, pad) is None:
        set_cookie(request, response, opened[pad])
    return response


def _evening(request: HttpRequest, code: str) -> tuple[Evening, Opened] | None:
    """The evening, with those of its pads that this request may open; None for a stranger."""
    evening = Evening.objects.filter(code=code).first()
    held = _held(request, evening)
    opened = evenings.open_pads(evening, held) if evening is not None and held else {}
    return (evening, opened) if evening is not None and opened else None


def _held(request: HttpRequest, evening: Evening | None) -> list[PadAccess]:
    """The access to pads of this evening that the request shows: by its token, or by its cookies."""
    bearer = permissions.bearer_of(request.headers.get("Authorization"))
    if bearer is None:
        if evening is None:
            return []
        held = [one for one in permissions.remembered_pads(request) if one.pad.evening_id == evening.pk]
        return [*permissions.watched_by_club(request, evening), *held]
    of_evening = (
        Link.objects.filter(pad__evening=evening, revoked_at=None) if evening else Link.objects.none()
    )
    found = list(of_evening.select_related("pad").filter(token_hash=links.hashed(bearer)))
    if not found:
        permissions.count_guess(client_address.of_request(request), bearer)
    return [PadAccess(link.pad, link, Who(), by_cookie=False) for link in found]
