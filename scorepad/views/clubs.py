"""Clubs: their figures as a page, as JSON and as a spreadsheet, the list of their games, their settings."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

import engine
from ratelimit import client_address
from scorepad import ledger, pads
from scorepad.access import cookies, handover, links, permissions
from scorepad.access.permissions import ClubAccess
from scorepad.clubs import club_exports, club_games, club_names, club_pads
from scorepad.clubs.club_games import Season
from scorepad.clubs.remembered_statistics import statistics_of
from scorepad.clubs.statistics import Statistics
from scorepad.evenings import RETRY_SECONDS
from scorepad.limits import limit
from scorepad.models import Club, Pad
from scorepad.presentation.bar_chart import draw_bars
from scorepad.presentation.pad import refusal_of
from scorepad.views.decorators import club_read, private
from scorepad.views.table import link_cards

EVENINGS_PER_PAGE = 12
GAMES_PER_PAGE = 25
PERSONS_IN_CHART = 12
PAIRS_SHOWN = 15
ROLE_WORDS = {
    links.KEEP: ("Owner's link", "May also add pads, join names, hand out new links and delete the club."),
    links.WATCH: ("Viewer's link", "Sees the club and may watch its pads. For everyone who plays."),
}


@require_safe
def enter(request: HttpRequest, code: str, token: str) -> HttpResponse:
    """Exchange a link for the cookie and a clean address, as at a pad."""
    access = permissions.club_by_token(client_address.of_request(request), code, token)
    if access is None:
        raise Http404("This link does not open a club any more. Ask its members for the new link.")
    response = HttpResponseRedirect(f"/clubs/{code}/", headers={"Cache-Control": "no-store"})
    response.headers["Referrer-Policy"] = "no-referrer"
    mine = [one for one in permissions.remembered_clubs(request) if one.club.pk == access.club.pk]
    if not mine or not mine[0].may(access.role):
        cookies.set_cookie(request, response, access.link)
    return response


@require_safe
@private
def club_page(request: HttpRequest, code: str) -> HttpResponse:
    access = permissions.required_club(request, code)
    season, fault = _season(request)
    found = statistics_of(access.club, season)
    evenings = Paginator(found.evenings, EVENINGS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **_head(request, access),
        "season": season,
        "fault": fault,
        "found": found,
        "chart": _chart(found),
        "pairs": found.pairs[:PAIRS_SHOWN],
        "evenings": evenings,
        "kinds": club_games.kinds(access.club),
    }
    return _with_refresh(render(request, "scorepad/club.html", context, status=422 if fault else 200), found)


def _head(request: HttpRequest, access: ClubAccess) -> dict[str, Any]:
    """What every page of a club shows: its name, who asks to become an owner, pads that will go."""
    ending = club_pads.ending(access.club)
    claim = cookies.claim_of(request, access.club.code, cookies.CLUB)
    return {
        "club": access.club,
        "access": access,
        "handover": handover.request_of(access.club, claim),
        "ending": [{"pad": pad, "ends": pads.ends_at(pad)} for pad in ending[:EVENINGS_PER_PAGE]],
        "ending_count": len(ending),
    }


def _season(request: HttpRequest) -> tuple[Season, engine.Refused | None]:
    """The season asked for; all games, and what was wrong, where it is none."""
    try:
        return club_games.read_season(request.GET), None
    except engine.Refused as refused:
        return Season(), refused


def _chart(found: Statistics) -> object:
    people = [person for person in found.persons if person.finished][:PERSONS_IN_CHART]
    bars = [
        (person.name, person.share, f"{person.share} % ({person.won} of {person.finished})")
        for person in people
    ]
    ends = ", ".join(f"{name} {words}" for name, _, words in bars)
    return draw_bars(bars, f"Share of games won: {ends}.") if any(one.won for one in people) else None


def _with_refresh(response: HttpResponse, found: Statistics) -> HttpResponse:
    """The page loads itself again until all figures are there, with or without a script."""
    if found.pending:
        response.headers["Refresh"] = str(RETRY_SECONDS)
    return response


@require_safe
@private
def games_page(request: HttpRequest, code: str) -> HttpResponse:
    """The games that a figure counts: of a person, of a kind, in a season."""
    access = permissions.required_club(request, code)
    season, fault = _season(request)
    games = club_games.games(access.club, season)
    person = request.GET.get("person", "")
    if person:
        games = club_games.of_person(games, person, won="won" in request.GET)
    page = Paginator(games[::-1], GAMES_PER_PAGE).get_page(request.GET.get("page"))
    asked = request.GET.copy()
    asked.pop("page", None)
    context = {
        **_head(request, access),
        "games": page,
        "person": person,
        "won": "won" in request.GET,
        "season": season,
        "title": club_games.title_of(season.game),
        "fault": fault,
        "query": asked.urlencode(),
    }
    return render(request, "scorepad/club_games.html", context, status=422 if fault else 200)


@club_read
def club_json(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    season = club_games.read_season(request.GET)
    found = statistics_of(access.club, season)
    later = {"Retry-After": str(RETRY_SECONDS)} if found.pending else {}
    return JsonResponse(club_exports.as_dict(access.club, season, found), headers=later)


@club_read
def games_csv(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    games = club_games.games(access.club, club_games.read_season(request.GET))
    response = HttpResponse(club_exports.games_csv(games), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="club-{access.club.code}.csv"'
    if any(game.is_pending for game in games):
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


@require_safe
def settings_page(request: HttpRequest, code: str) -> HttpResponse:
    return club_settings(request, permissions.required_club(request, code))


def club_settings(
    request: HttpRequest, access: ClubAccess, refused: engine.Refused | None = None
) -> HttpResponse:
    """The page of links, names and pads, with the refusal of one of its forms."""
    club = access.club
    rows = Pad.objects.filter(club_pads__club=club).select_related("evening").order_by("-made_at", "-pk")
    page = Paginator(rows, GAMES_PER_PAGE).get_page(request.GET.get("page"))
    addresses = links.addresses(club, access.role, access.is_new_owner)
    context = {
        **_head(request, access),
        "cards": link_cards(request, addresses, ROLE_WORDS),
        "names": _names(club),
        "joined": sorted(club_names.identities(club).items()),
        "pads": page,
        "rows": [{"pad": pad, "title": ledger.game_of(pad).title} for pad in page],
        "new_owner_until": links.new_owner_until(access.link) if access.is_new_owner else None,
        "handover_days": limit("CLUB_HANDOVER_DAYS"),
        "idle_days": limit("PAD_IDLE_DAYS"),
        "refusal": refusal_of(refused) if refused else None,
    }
    response = render(request, "scorepad/club_settings.html", context, status=422 if refused else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


def _names(club: Club) -> list[str]:
    """Every spelling in the club's pads, in order."""
    seen: dict[str, str] = {}
    for players in Pad.objects.filter(club_pads__club=club).values_list("players", flat=True):
        for name in players:
            seen.setdefault(name.casefold(), name)
    return [seen[key] for key in sorted(seen)][: limit("NAMES_JOINED_PER_CLUB_MOST")]


@require_POST
def forget(request: HttpRequest, code: str) -> HttpResponse:
    """Forget a club on this phone. The club and its links stay as they are."""
    response = HttpResponseRedirect("/", headers={"Cache-Control": "no-store"})
    cookies.delete_cookie(response, code, cookies.CLUB)
    return response
