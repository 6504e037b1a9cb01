"""Page of a book's declared game as text: its two files, read back in sentences, its sheets scored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import game_drafts
from archive.curation.book_files import passage_names
from archive.curation.errors import MergeConflictError
from archive.curation.forms.game_files import Reading, files_from, read_game
from archive.curation.game_drafts import OpenGame, open_game
from archive.curation.views.declared_game import submit_game
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal
from archive.curation.views.game_piece import text_of
from archive.edition.declared_game import GAME, SHEETS
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def game_text(request: HttpRequest, slug: str) -> HttpResponse:
    """The game as text, or an outline to begin one."""
    game = open_game(request, slug)
    if request.method == "POST":
        return _save(request, game)
    return _page(request, game, game.files, read_game(slug, game.book_files))


def _save(request: HttpRequest, game: OpenGame) -> HttpResponse:
    files = files_from(request.POST.dict(), game.files)
    reading = read_game(game.opened.slug, game.opened.files | files)
    if request.POST.get("act") == "preview":
        return _page(request, game, files, reading)
    try:
        if request.POST.get("seen") != game.seen:
            said = {"faults": [game_drafts.MEANWHILE], "seen": game.seen}
            return _page(request, game, files, reading, 409, **said)
        if request.POST.get("act") == "keep":
            game_drafts.keep(person_of(request), game, files)
            address = f"{reverse('edit-game', args=[game.opened.slug])}{game.query}"
            return redirect(f"{address}{'&' if game.query else '?'}kept=1")
        if not reading.may_be_published:
            return _page(request, game, files, reading, 422)
        answer = submit_game(request, game, reading, files)
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        if isinstance(fault, MergeConflictError):
            files |= {name: text for name, text in fault.merged.items() if name in files}
            reading = read_game(game.opened.slug, game.opened.files | files)
        return _page(request, game, files, reading, status, **said)
    game_drafts.drop(game)
    return answer


def _page(
    request: HttpRequest,
    game: OpenGame,
    files: Mapping[str, str],
    reading: Reading,
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    opened = game.opened
    context = editor_context(request, opened) | {
        "declaration": files[GAME] if request.method == "POST" else text_of(request, game),
        "sheets": files[SHEETS],
        "query": game.query,
        "draft": game.draft,
        "seen": request.POST.get("seen", game.seen),
        "is_tried": request.method == "POST",
        "reading": reading,
        "anchors": passage_names(opened.files),
    }
    return render(request, "curation/game_text.html", context | said, status=status)
