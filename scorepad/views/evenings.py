"""Evenings: the games of one table in a row, as a page and as JSON."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratelimit import client_address, limiter
from ratelimit.limiter import RateLimitError
from scorepad import evenings, limits
from scorepad.access import cookies, links, permissions
from scorepad.models import Evening
from scorepad.views.decorators import private, rate_limited, refusal


@require_safe
@private
def evening_page(request: HttpRequest, code: str) -> HttpResponse:
    found = _evening(request, code)
    if found is None:
        return render(request, "404.html", status=404)
    played = evenings.games(found)
    finished = sum(one.result.status == "finished" for one in played)
    pending = sum(one.is_pending for one in played)
    context = {
        "played": played,
        "finished": finished,
        "going_on": len(played) - finished - pending,
        "pending": pending,
        "standings": evenings.standings(played),
        "evening": found,
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
    told = evenings.as_dict(found)
    later = {"Retry-After": str(evenings.RETRY_SECONDS)} if told["pending"] else {}
    return JsonResponse(told, headers={"Cache-Control": "private, no-cache", **later})


def _evening(request: HttpRequest, code: str) -> Evening | None:
    """The evening, for a request with a link to one of its pads; None for a stranger."""
    bearer = permissions.bearer_of(request.headers.get("Authorization"))
    if bearer is not None:
        here = client_address.of_request(request)
        limiter.check_quickly(limits.token_guesses(), here)
        found = Evening.objects.filter(
            code=code, pads__links__token_hash=links.hashed(bearer), pads__links__revoked_at=None
        ).first()
        if found is None:
            permissions.count_guess(here, bearer)
        return found
    ids = [link_id for _, link_id in cookies.remembered_links(request)]
    return Evening.objects.filter(code=code, pads__links__pk__in=ids, pads__links__revoked_at=None).first()
