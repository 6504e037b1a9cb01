"""Pages of variants: how a table really plays, written, tried on the books' examples, published, retired."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

import engine
from archive.curation.book_files import passages_in, variants_in
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import VariantError
from archive.curation.forms.variant import (
    fields_of,
    game_from,
    options_from,
    variant_from,
    with_retired,
    with_variant,
)
from archive.curation.proposals import proposals_at
from archive.curation.variant_examples import changed_examples
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.edition import Variant
from archive.reader.markdown import to_html
from lab.panel import of_numbers, panels
from people.permissions import person_of, requires

MAX_REASONS = 20_000


@require_safe
@requires("propose")
def variants(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    found, games = variants_in(opened.files), _games_of(opened)
    shelves = [(game, [variant for variant in found if variant.game == game.key]) for game in games]
    here = reverse("edit-variants", args=[opened.slug])
    context = {
        "book": opened.book,
        "shelves": shelves,
        "saved": request.GET.get("saved", ""),
        "proposals_here": proposals_at(opened.book, person_of(request), address__startswith=here),
    }
    return render(request, "curation/variants.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def variant(request: HttpRequest, slug: str, name: str = "") -> HttpResponse:
    """A new variant, one forked from another, or one that there is."""
    opened = open_book(request, slug)
    known = {one.slug: one for one in variants_in(opened.files)}
    if not _games_of(opened):
        raise Http404("This rulebook belongs to no game. Its catalogue can name one.")
    if name and name not in known:
        raise Http404("This rulebook has no such variant.")
    found = known.get(name)
    if request.method == "POST":
        return _save(request, opened, found)
    forked = known.get(request.GET.get("from", ""))
    shown = found or forked
    fields = fields_of(shown) if shown else {}
    if forked and not found:
        fields |= {"slug": "", "title": "", "who": "", "since": ""}
    return _page(request, opened, found, {"game": request.GET.get("game", "")} | fields, forked=forked)


def _games_of(opened: OpenBook) -> list[engine.Game]:
    return [engine.GAMES[key] for key in opened.book.games if key in engine.GAMES]


def _save(request: HttpRequest, opened: OpenBook, found: Variant | None) -> HttpResponse:
    fields, act = request.POST.dict(), request.POST.get("act", "")
    old = found.slug if found else ""
    if act == "preview":
        return _try(request, opened, found, fields)
    try:
        if act in ("retire", "revive") and found:
            retired = timezone.localdate().isoformat() if act == "retire" else ""
            changed, title, name = with_retired(opened.files, old, retired), found.title, old
        else:
            written = variant_from(fields, opened.slug, old)
            changed = with_variant(opened.files, written, old)
            title, name = written.title, written.slug
        address = reverse("edit-variant", args=[opened.slug, name])
        listed = f"{reverse('edit-variants', args=[opened.slug])}?saved={{}}"
        return submit(request, opened, changed, f"Variant “{title}”"[:200], address, listed)
    except (VariantError, *NOT_SAVED) as fault:
        status, said = refusal(fault)
        return _page(request, opened, found, fields, status, **said)


def _try(
    request: HttpRequest, opened: OpenBook, found: Variant | None, fields: dict[str, str]
) -> HttpResponse:
    """Only the options are tried; name, reasons and passages may still be missing."""
    try:
        options_from(fields, game_from(fields))
    except VariantError as bad:
        return _page(request, opened, found, fields, 422, tried=True, untriable=str(bad))
    return _page(request, opened, found, fields, tried=True)


def _page(
    request: HttpRequest,
    opened: OpenBook,
    found: Variant | None,
    fields: dict[str, str],
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    games, wrong = _games_of(opened), said.get("wrong", {})
    game = next((game for game in games if game.key == fields.get("game")), games[0])
    # An empty form has no options of its own yet, so nothing is said of what they change.
    has_options = found is not None or said.get("forked") is not None or request.method == "POST"
    context = editor_context(request, opened) | {
        "variant": found,
        "fields": fields | {"game": game.key},
        "game": game,
        "games": games,
        "asked": [_option_row(game, option, fields, wrong) for option in game.options],
        "anchors": passages_in(opened.files),
        "html": to_html(fields.get("reasons", "")[:MAX_REASONS]),
        "examples": _examples(fields, game) if has_options else {},
    }
    return render(request, "curation/variant.html", context | said, status=status)


def _option_row(
    game: engine.Game, option: engine.Option, fields: dict[str, str], wrong: dict[str, str]
) -> dict[str, Any]:
    name = f"option-{option.key}"
    written = fields.get(name, "") or str(option.default)
    simulated = panels(settings.FIXTURES / "lab", game.key)
    values = [
        {
            "value": value,
            "words": option.readings.get(value, ""),
            "is_default": value == str(option.default),
            "panel": simulated.get(f"{option.key}={value}"),
        }
        for value in map(str, option.values or ())
    ]
    numbers = of_numbers(simulated, option)
    row = {"option": option, "values": values, "written": written, "numbers": numbers}
    return row | {"name": name, "fault": wrong.get(name, "")}


def _examples(fields: dict[str, str], game: engine.Game) -> dict[str, Any]:
    try:
        changed, count = changed_examples(game.key, options_from(fields, game))
    except VariantError:
        return {}
    return {"changed": changed, "count": count}
