"""Pages on the phone beside the pads: the list of pads here, a cited passage, and what needs the network."""

import json
from typing import Any

from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.dateparse import parse_datetime
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

import engine
from engine.declared import DeclarationError, declaration_of
from phone import archive_content, letter_widths
from phone.given_content import CONTENT
from scorepad import archive_lookup, declarations, ledger, moves
from scorepad.access import permissions
from scorepad.access.permissions import PadAccess
from scorepad.result_pictures.result_card import SHAPES, result_card
from scorepad.result_pictures.result_svg import draw_svg
from scorepad.snapshots import Snapshot
from scorepad.views.decorators import pad_read, private, replayed

LIST_HEADER = "X-Pads-Here"
"""The browser lists in this header its pads, also those that another version of the kit keeps, and the shared
ones that it has copies of."""


@require_safe
def pads(request: HttpRequest) -> HttpResponse:
    """The pads on this phone, latest first, and the games a new one can be begun of."""
    kept: dict[str, list[dict[str, Any]]] = json.loads(request.headers.get(LIST_HEADER, "{}"))
    here, shared = ([_listed(pad) for pad in kept.get(name, [])] for name in ("here", "shared"))
    context = {
        "pads": here,
        "shared": shared,
        "games": _games(),
        "version": CONTENT["version"],
        "engine": engine.__version__,
    }
    return render(request, "phone/pads.html", context)


def _listed(pad: dict[str, Any]) -> dict[str, Any]:
    """A pad as the list shows it. Of a shared one the browser knows what its copy says."""
    title = pad.get("title") or _title(pad["game"], pad["declaration"])
    return {**pad, "title": title, "made": parse_datetime(pad["made"])}


def _title(name: str, declaration: str | None) -> str:
    if declaration is None:
        game = engine.GAMES.get(name)
        return game.title if game else name
    try:
        return declaration_of(declaration).game.title
    except DeclarationError:
        return declarations.key_of(name)  # The site has another version, which reads it otherwise.


def _games() -> list[tuple[str, engine.Game]]:
    """The games that can be begun here, each with its name in an address."""
    games = (*engine.GAMES.values(), *declarations.offered())
    return [(declarations.key_of(game.key), game) for game in games]


@require_safe
def passage(request: HttpRequest, slug: str, anchor: str) -> HttpResponse:
    """A cited passage: the fragment inside a pad, or a page with nothing but it."""
    html = archive_lookup.passage_html(slug, anchor)
    if not html:
        return needs_network(request)
    if "fragment" in request.GET or getattr(request, "htmx", False):
        return HttpResponse(html)
    pictures = archive_content.passage_clips(slug, anchor)
    pad = request.GET.get("pad", "")
    context = {"passage": mark_safe(html), "clips": mark_safe(pictures)}  # noqa: S308 - the archive's
    return render(request, "phone/passage.html", context | {"pad": pad if slug_re.match(pad) else ""})


@require_safe
def leaf(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A page of a rulebook: a phone has of it the sentence that was to be lit there, and its picture."""
    return passage(request, slug, request.GET.get("lit", ""))


@pad_read
def move_file(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """The pad as the page sends it to the site."""
    return JsonResponse(moves.move_file(access.pad))


@require_safe
def needs_network(request: HttpRequest, **named: object) -> HttpResponse:
    return render(request, "phone/needs_network.html", status=503)


@require_safe
@private
@replayed
def picture(request: HttpRequest, code: str, shape: str) -> HttpResponse:
    """The picture of the result as an SVG; the page makes a PNG of it, as the site sends one."""
    if shape not in SHAPES:
        raise Http404("A picture is wide or square.")
    pad = permissions.required(request, code).pad
    state = Snapshot(pad, None, ledger.replay(pad)).state()
    fonts = {face: static(told["file"]) for face, told in CONTENT["typefaces"].items()}
    drawn = draw_svg(result_card(state, letter_widths), shape, letter_widths, fonts)
    return HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "phone/not_found.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    says = "Something went wrong on this phone. Nothing that was entered is lost; load the page again."
    return HttpResponse(says, content_type="text/plain; charset=utf-8", status=500)
