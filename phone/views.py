"""Pages on the phone beside the pads: the list of pads here, a cited passage, and what needs the network."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

import engine
from phone.given_content import CONTENT
from scorepad import archive_lookup, declarations, moves
from scorepad.access.permissions import PadAccess
from scorepad.views.decorators import pad_read

LIST_HEADER = "X-Pads-Here"
"""The browser's store lists its pads in this header, also those that another version of the kit keeps."""


@require_safe
def pads(request: HttpRequest) -> HttpResponse:
    """The pads on this phone, latest first, and the games a new one can be begun of."""
    kept: list[dict[str, Any]] = json.loads(request.headers.get(LIST_HEADER, "[]"))
    shown = [{**pad, "made": parse_datetime(pad["made"])} for pad in kept]
    context = {"pads": shown, "games": _games(), "version": CONTENT["version"]}
    return render(request, "phone/pads.html", context)


def _games() -> list[tuple[str, engine.Game]]:
    """The games that can be begun here, each with its name in an address."""
    offered = sorted(declarations.offered(), key=lambda game: game.title.casefold())
    return [(declarations.key_of(game.key), game) for game in (*engine.GAMES.values(), *offered)]


@require_safe
def passage(request: HttpRequest, slug: str, anchor: str) -> HttpResponse:
    """A cited passage: the fragment inside a pad, or a page with nothing but it."""
    html = archive_lookup.passage_html(slug, anchor)
    if not html:
        return needs_network(request)
    if "fragment" in request.GET or getattr(request, "htmx", False):
        return HttpResponse(html)
    return render(request, "phone/passage.html", {"passage": mark_safe(html)})  # noqa: S308 - the archive's


@pad_read
def move_file(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """The pad as the page sends it to the site."""
    return JsonResponse(moves.move_file(access.pad))


@require_safe
def needs_network(request: HttpRequest, **named: object) -> HttpResponse:
    return render(request, "phone/needs_network.html", status=503)


@require_safe
def no_picture(request: HttpRequest, code: str, shape: str) -> HttpResponse:
    says = "The picture is drawn by the site. Move this pad there first."
    return HttpResponse(says, content_type="text/plain; charset=utf-8", status=503)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "phone/not_found.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    says = "Something went wrong on this phone. Nothing that was entered is lost; load the page again."
    return HttpResponse(says, content_type="text/plain; charset=utf-8", status=500)
