"""Page of a book's declared game: what it says so far, beside the rulebook, and what can be added to it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import game_drafts, game_sheets
from archive.curation.book_files import passage_names
from archive.curation.errors import MergeConflictError
from archive.curation.forms.fields import page_number
from archive.curation.forms.game_files import Reading, read_game
from archive.curation.game_drafts import OpenGame, open_game
from archive.curation.game_outline import outline, sentences, with_silent
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.curation.views.game_piece import text_of
from archive.edition.declared_game import GAME, SHEETS
from archive.edition.folder import read_files
from archive.publication.errors import EditError
from engine.declared import DeclarationError, read_draft
from engine.declared.golden import SHEETS_LEAST
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def declared_game(request: HttpRequest, slug: str) -> HttpResponse:
    """The game as this person left it, as the book has it, or its first lines."""
    game = open_game(request, slug)
    if request.method != "POST" or request.POST.get("act") == "preview":
        return _page(request, game)
    act, _, mark = request.POST.get("act", "").partition(":")
    try:
        if act == "discard":
            game_drafts.drop(game)
        elif act in ("silent", "scores"):
            return _keep_silent(request, game, mark, act == "silent")
        elif act == "drop-sheet":
            _keep_sheets(request, game, game_sheets.without_sheet(game.files[SHEETS], mark))
        elif act == "confirm-sheet":
            declaration = read_game(slug, game.book_files).declaration
            if declaration is not None:
                _keep_sheets(request, game, game_sheets.confirmed(game.files[SHEETS], mark, declaration))
        else:
            return _submit(request, game)
    except EditError as fault:
        return _page(request, game, 422, **fault.context)
    return redirect(f"{reverse('edit-game', args=[slug])}{game.query}#examples")


def _keep_silent(request: HttpRequest, game: OpenGame, anchor: str, silent: bool) -> HttpResponse:
    """Say of a sentence that it scores nothing, or that it does after all; twice is as good as once."""
    text, edition = text_of(request, game), read_files(game.opened.slug, game.book_files)
    try:
        data = read_draft(text).data
    except DeclarationError as fault:
        raise EditError(fault.sentence) from None
    chosen = next((one for one in sentences(data, edition) if anchor in one.names), None)
    if chosen is not None and chosen.is_silent != silent:
        game_drafts.keep(person_of(request), game, {GAME: with_silent(text, chosen)})
    return redirect(f"{reverse('edit-game', args=[game.opened.slug])}{game.query}#rulebook")


def _keep_sheets(request: HttpRequest, game: OpenGame, sheets: str) -> None:
    game_drafts.keep(person_of(request), game, {GAME: text_of(request, game), SHEETS: sheets})


def _submit(request: HttpRequest, game: OpenGame) -> HttpResponse:
    """Publish or propose the game as it stands; then it is a draft no more. After a clash the draft rests on
    its revision still: only the page that showed the clash may publish over the newer one."""
    reading = read_game(game.opened.slug, game.book_files)
    if not reading.may_be_published:
        return _page(request, game, 422, is_tried=True)
    try:
        answer = submit_game(request, game, reading, game.files)
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        if isinstance(fault, MergeConflictError):
            ours = {name: text for name, text in fault.merged.items() if name in game.files}
            game_drafts.keep(person_of(request), game, ours)
            game = open_game(request, game.opened.slug)
        return _page(request, game, status, **said)
    game_drafts.drop(game)
    return answer


def submit_game(
    request: HttpRequest, game: OpenGame, reading: Reading, files: dict[str, str]
) -> HttpResponse:
    address = reverse("edit-game", args=[game.opened.slug])
    title = reading.declaration.title if reading.declaration else "taken out"
    place = f"Declared game, {title}"[:200]
    return submit(request, game.opened, files, place, address, f"{address}?saved={{}}")


def _page(request: HttpRequest, game: OpenGame, status: int = 200, **said: Any) -> HttpResponse:
    files = {GAME: text_of(request, game)}
    reading = read_game(game.opened.slug, game.book_files | files)
    edition = read_files(game.opened.slug, game.book_files)
    try:
        growing = read_draft(files[GAME], passage_names(game.book_files)) if files[GAME] else None
    except DeclarationError:
        growing = None
    shown = outline(growing, edition) if growing else None
    chosen = request.GET.get("sentence", "")
    context = editor_context(request, game.opened) | {
        "draft": game.draft,
        "is_asked_to_discard": request.GET.get("sure") == "discard",
        "query": game.query,
        "and": "&" if game.query else "?",
        "is_new": not game.files[GAME] and not game.takes_it_out,
        "takes_it_out": game.takes_it_out,
        "outline": shown,
        "reading": reading,
        "chosen": next((one for one in shown.sentences if chosen in one.names), None) if shown else None,
        "sheets_least": SHEETS_LEAST,
        "saved": page_number(request, "saved"),
        "kept": "kept" in request.GET,
    }
    return render(request, "curation/declared_game.html", context | said, status=status)
