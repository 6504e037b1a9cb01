"""Evenings: the games of one table in a row, as a page and as JSON."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratelimit import client_address
from ratelimit.limiter import RateLimitError
from scorepad import evenings
from scorepad.access import links, permissions
from scorepad.models import Evening, Link, Pad
from scorepad.views.decorators import private, rate_limited, refusal


@require_safe
@private
def evening_page(request: HttpRequest, code: str) -> HttpResponse:
    found = _evening(request, code)
    if found is None:
        return render(request, "404.html", status=404)
    evening, shown = found
    played = evenings.games(shown)
    finished = sum(one.result.status == "finished" for one in played)
    pending = sum(one.is_pending for one in played)
    context = {
        "played": played,
        "finished": finished,
        "going_on": len(played) - finished - pending,
        "pending": pending,
        "standings": evenings.standings(played),
        "evening": evening,
        "has_chips": any(one.result.chips for one in played),
    }
    response = render(request, "scorepad/evening.html", context)
    if pending:
        # The page loads itself again until all figures are there, with or without a script.
        response.headers["Refresh"] = str(evenings.RETRY_SECONDS)
    return response


@require_safe
def evening_json(request: HttpRequest, code: str) -> HttpResponse:
    try:
        found = _evening(request, code)
    except RateLimitError as fault:
        return rate_limited(fault)
    if found is None:
        return refusal(404, "no-evening", "No evening is open here. Open one of its pads first.")
    told = evenings.as_dict(*found)
    later = {"Retry-After": str(evenings.RETRY_SECONDS)} if told["pending"] else {}
    return JsonResponse(told, headers={"Cache-Control": "private, no-cache", **later})


def _evening(request: HttpRequest, code: str) -> tuple[Evening, list[Pad]] | None:
    """The evening, with those of its pads that this request may open; None for a stranger."""
    evening = Evening.objects.filter(code=code).first()
    held = _links(request, evening)
    shown = evenings.open_pads(evening, held) if evening is not None and held else []
    return (evening, shown) if evening is not None and shown else None


def _links(request: HttpRequest, evening: Evening | None) -> list[Link]:
    """The live links to pads of this evening that the request shows: by its token, or by its cookies."""
    bearer = permissions.bearer_of(request.headers.get("Authorization"))
    if bearer is None:
        held = [access.link for access in permissions.remembered_pads(request)]
        return [link for link in held if evening is not None and link.pad.evening_id == evening.pk]
    of_evening = (
        Link.objects.filter(pad__evening=evening, revoked_at=None) if evening else Link.objects.none()
    )
    found = list(of_evening.select_related("pad").filter(token_hash=links.hashed(bearer)))
    if not found:
        permissions.count_guess(client_address.of_request(request), bearer)
    return found
