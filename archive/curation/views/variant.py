"""Variants: how a table really plays, written down, tried on the books' examples, published, retired."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

import engine
from archive.curation import proposals
from archive.curation.forms import fields as words
from archive.curation.forms import variant as varying
from archive.curation.forms.examples import otherwise
from archive.curation.opening import Opened, open_book
from archive.curation.views.errors import NOT_TAKEN, answer_to
from archive.edition import Variant
from archive.edition.transcript import read_text
from archive.models.history import Proposal
from archive.reader.markdown import to_html
from people.permissions import person_of, requires

REASON_MOST = 500


@require_safe
@requires("propose")
def variants(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    found = varying.variants_in(opened.files)
    games = [engine.GAMES[key] for key in opened.book.games if key in engine.GAMES]
    shelves = [(game, [variant for variant in found if variant.game == game.key]) for game in games]
    context = {"book": opened.book, "shelves": shelves, "saved": request.GET.get("saved", "")}
    return render(request, "curation/variants.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def variant(request: HttpRequest, slug: str, name: str = "") -> HttpResponse:
    """A new variant, one forked from another, or one that there is."""
    opened = open_book(request, slug)
    known = {one.slug: one for one in varying.variants_in(opened.files)}
    if not any(key in engine.GAMES for key in opened.book.games):
        raise Http404("This book belongs to no game. Its catalogue can say to which.")
    if name and name not in known:
        raise Http404("This book has no such variant.")
    found = known.get(name)
    if request.method == "POST":
        return _take(request, opened, found)
    forked = known.get(request.GET.get("from", ""))
    shown = found or forked
    fields = varying.fields_of(shown) if shown else {}
    if forked and not found:
        fields |= {"slug": "", "title": "", "who": "", "since": ""}
    return _page(request, opened, found, {"game": request.GET.get("game", "")} | fields, forked=forked)


def _take(request: HttpRequest, opened: Opened, found: Variant | None) -> HttpResponse:
    person, fields = person_of(request), request.POST.dict()
    reason = words.line(request.POST.get("reason", ""))[:REASON_MOST]
    old, act = found.slug if found else "", request.POST.get("act", "")
    if act == "preview":
        return _try(request, opened, found, fields)
    try:
        if act in ("retire", "revive") and found:
            retired = timezone.localdate().isoformat() if act == "retire" else ""
            changed, title, name = varying.with_retired(opened.files, old, retired), found.title, old
        else:
            written = varying.variant_from(fields, opened.slug, old)
            changed = varying.with_variant(opened.files, written, old)
            title, name = written.title, written.slug
        address = reverse("edit-variant", args=[opened.slug, name])
        done = proposals.submit(person, opened, changed, reason, f"Variant “{title}”"[:200], address)
    except (varying.VariantError, *NOT_TAKEN) as fault:
        status, said = answer_to(fault)
        return _page(request, opened, found, fields, status, **said)
    if isinstance(done, Proposal):
        return redirect("proposal", done.pk)
    return redirect(f"{reverse('edit-variants', args=[opened.slug])}?saved={done.revision.number}")


def _try(request: HttpRequest, opened: Opened, found: Variant | None, fields: dict[str, str]) -> HttpResponse:
    """Only the options are tried; name, reasons and passages may still be missing."""
    try:
        varying.options_from(fields, varying.game_from(fields))
    except varying.VariantError as bad:
        return _page(request, opened, found, fields, 422, tried=True, untriable=str(bad))
    return _page(request, opened, found, fields, tried=True)


def _page(
    request: HttpRequest,
    opened: Opened,
    found: Variant | None,
    fields: dict[str, str],
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    games = [engine.GAMES[key] for key in opened.book.games if key in engine.GAMES]
    game = next((game for game in games if game.key == fields.get("game")), games[0])
    # An empty form has no options of its own yet, so nothing is said of what they change.
    has_options = found is not None or context.get("forked") is not None or request.method == "POST"
    context |= {
        "book": opened.book,
        "opened": opened,
        "parent": context.get("parent", opened.parent),
        "variant": found,
        "fields": fields | {"game": game.key},
        "game": game,
        "games": games,
        "asked": [_asked(option, fields) for option in game.options],
        "anchors": [passage.anchor for passage in read_text(opened.files["text.txt"]).passages],
        "html": to_html(fields.get("reasons", "")[:20_000]),
        "examples": _examples(fields, game) if has_options else {},
        "publishes": person_of(request).may("publish"),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/variant.html", context, status=status)


def _asked(option: engine.Option, fields: dict[str, str]) -> dict[str, Any]:
    written = fields.get(f"option-{option.key}", "") or str(option.default)
    values = [
        {"value": value, "words": option.readings.get(value, ""), "is_default": value == str(option.default)}
        for value in map(str, option.values or ())
    ]
    return {"option": option, "values": values, "written": written}


def _examples(fields: dict[str, str], game: engine.Game) -> dict[str, Any]:
    try:
        changed, count = otherwise(game.key, varying.options_from(fields, game))
    except varying.VariantError:
        return {}
    return {"changed": changed, "count": count}
