"""Page of one piece of a declared game: a small form, with the rulebook's sentences to tick beside it."""

from __future__ import annotations

import tomllib
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import game_drafts, game_sheets
from archive.curation.book_files import passage_names
from archive.curation.forms.game_forms import form_class
from archive.curation.forms.game_piece import PieceForm
from archive.curation.forms.game_scoring import ScoringForm
from archive.curation.game_drafts import OpenGame, open_game
from archive.curation.game_outline import (
    asked_names,
    cited,
    own_faults,
    plain_fault,
    questions,
    sentences,
    shared_number,
    skeleton,
)
from archive.curation.game_places import Place, place_name, place_of
from archive.curation.game_text import (
    moved_up,
    own_keys,
    piece_at,
    with_new_piece,
    with_piece,
    without_piece,
)
from archive.edition.declared_game import GAME, SHEETS
from archive.edition.folder import read_files
from archive.publication.errors import EditError
from engine.declared import DeclarationError, digest_of, read_draft
from engine.declared.entry_tables import CHECKS_MOST
from engine.declared.errors import Path
from people.permissions import person_of, requires

MAX_CITES = CHECKS_MOST


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def game_piece(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    game = open_game(request, slug)
    text = text_of(request, game)
    if game.takes_it_out:
        return redirect(f"{reverse('edit-game', args=[slug])}{game.query}")
    try:
        growing = read_draft(text, passage_names(game.book_files))
    except DeclarationError:
        return redirect(f"{reverse('edit-game-text', args=[slug])}{game.query}")
    place = place_of(name, growing.data)
    form_of = form_class(place.kind, place.table, request.GET.get("kind", "")) if place else None
    if place is None or form_of is None:
        raise Http404("There is no such piece of this game.")
    around = piece_at(growing.data, place.path[:-2]) if len(place.path) > 2 else None
    sent = request.POST if request.method == "POST" else None
    form = form_of(sent, place.table, growing.data, around)
    if sent is None:
        named = request.GET.getlist("sentence")[:MAX_CITES]
        ticked = cited(place.table) if place.table is not None else tuple(named)
        return _page(request, game, place, form, ticked)
    return _answer(request, game, text, place, form)


def text_of(request: HttpRequest, game: OpenGame) -> str:
    """The declaration as it stands here, or its first lines; none where a draft takes it out."""
    opened = game.opened
    if game.files[GAME] or game.takes_it_out:
        return game.files[GAME]
    return skeleton(opened.slug, opened.book.short_title, person_of(request).name)


def _answer(request: HttpRequest, game: OpenGame, text: str, place: Place, form: PieceForm) -> HttpResponse:
    known = passage_names(game.book_files)
    cites = [anchor for anchor in request.POST.getlist("cites") if anchor in known][:MAX_CITES]
    if request.POST.get("seen") != digest_of(text):
        if _is_kept(request, text, place, form, cites):
            return _kept(request, game, place)
        form.add_error(None, game_drafts.MEANWHILE)
        return _page(request, game, place, form, tuple(cites), 409)
    try:
        act = request.POST.get("act")
        if act == "delete" and place.path and place.table is not None:
            return _keep(request, game, without_piece(text, place.path), place)
        if act == "up" and place.may_move_up:
            return _keep(request, game, moved_up(text, place.path), place)
        if form.is_valid():
            path = place.path
            if path == ("table", "new"):
                path = ("table", form.name("key", "", "values"))
            own = form.citing(cites)
            changed = (with_piece if place.table is not None else with_new_piece)(text, path, own)
            if _has_no_faults(form, changed, path, known):
                return _keep(request, game, changed, Place(path, own))
    except EditError as fault:
        form.add_error(None, str(fault))
    return _page(request, game, place, form, tuple(cites), 422)


def _is_kept(request: HttpRequest, text: str, place: Place, form: PieceForm, cites: list[str]) -> bool:
    """Whether the same was sent a moment ago, by a button pressed twice."""
    if "act" in request.POST:
        return False
    if place.table is not None:
        return form.is_valid() and own_keys(place.table, place.kind) == form.citing(cites)
    last = place.path[-1]
    if not isinstance(last, int) or not last:
        return False
    path: Path = (*place.path[:-1], last - 1)
    try:
        before = without_piece(text, path)
    except EditError:
        return False
    if request.POST.get("seen") != digest_of(before):
        return False
    data = tomllib.loads(before)
    again = type(form)(request.POST, None, data, piece_at(data, path[:-2]) if len(path) > 2 else None)
    return again.is_valid() and again.citing(cites) == piece_at(tomllib.loads(text), path)


def _has_no_faults(form: PieceForm, changed: str, path: Any, known: list[str]) -> bool:
    """Let the engine read the game with this piece, and show what it says of it at the fields."""
    try:
        growing = read_draft(changed, known)
    except DeclarationError as refused:
        form.add_error(None, refused.sentence)
        return False
    for fault in own_faults(growing, path, nested=isinstance(form, ScoringForm)):
        steps = [step for step in fault.path[len(path) :] if isinstance(step, str)]
        key = fault.missing or (steps[-1] if steps else "")
        shown = form.asks.get(key, key)
        if key == "cites":
            form.add_error(None, "Tick the sentence of the rulebook that says so.")
        else:
            form.add_error(shown if shown in form.fields else None, plain_fault(fault))
    return form.is_valid()


def _also(request: HttpRequest) -> str:
    """What the link to another piece takes along: the proposal, and the sentence that is being read."""
    kept = {key: request.GET[key] for key in ("proposal", "sentence") if key in request.GET}
    return f"&{urlencode(kept)}" if kept else ""


def _keep(request: HttpRequest, game: OpenGame, text: str, place: Place) -> HttpResponse:
    sheets = game.files[SHEETS]
    key = tomllib.loads(text).get("key")
    if sheets and not place.path and isinstance(key, str):
        sheets = game_sheets.of_game(sheets, key)
    game_drafts.keep(person_of(request), game, {GAME: text, SHEETS: sheets})
    return _kept(request, game, place)


def _kept(request: HttpRequest, game: OpenGame, place: Place) -> HttpResponse:
    address = reverse("edit-game", args=[game.opened.slug])
    at = place_name(place.path[:2])
    asked = {"proposal": request.GET.get("proposal"), "sentence": request.GET.get("sentence")}
    if asked["sentence"] and place.kind in ("field", "share", "table"):
        # These are only needed to say what the sentence scores: that comes next.
        at = "sentence"
    else:
        del asked["sentence"]
    query = urlencode({key: value for key, value in asked.items() if value})
    return HttpResponseRedirect(f"{address}{'?' if query else ''}{query}#{at}")


def _page(
    request: HttpRequest,
    game: OpenGame,
    place: Place,
    form: PieceForm,
    ticked: tuple[str, ...],
    status: int = 200,
) -> HttpResponse:
    found = sentences(form.whole, read_files(game.opened.slug, game.book_files), ticked)
    names = asked_names(form.whole, form.around, place.kind == "award")
    context = {
        "book": game.opened.book,
        "opened": game.opened,
        "query": game.query,
        "form": form,
        "place": place,
        "asked": request.GET.urlencode(),
        "also": _also(request),
        "names": [*names] if place.kind in ("award", "check") else [],
        "shared": shared_number(form.around),
        "questions": questions(form.around, place.path[:2]) if place.kind == "award" else (),
        "seen": digest_of(text_of(request, game)),
        # What is ticked comes first: on a phone it is what one looks for.
        "sentences": sorted(found, key=lambda one: not one.is_ticked) if form.cited else [],
        "faults": form.non_field_errors(),
        "around": form.around.get("question", ""),
    }
    return render(request, "curation/game_piece.html", context, status=status)
