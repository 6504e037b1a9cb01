"""Page of the rules in brief of a game: lines with their passages, in their order, shown as they will be."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

import engine
from archive.curation.book_files import briefs_in, passage_names
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import BriefError, MergeConflictError
from archive.curation.forms.brief import BriefRow, brief_from, passages_of, rows_from, rows_of, with_brief
from archive.curation.forms.fields import move_from, moved, page_number
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.edition import EditionError
from archive.text_input import clean_line
from people.permissions import requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def brief(request: HttpRequest, slug: str, game: str = "") -> HttpResponse:
    """The rules of one game that the engine scores by this book; without a name, of the first."""
    opened = open_book(request, slug)
    games = _games_of(opened)
    if game and game not in games:
        raise Http404("The rules in brief of this game belong to another rulebook.")
    if not games:
        return render(request, "curation/brief_none.html", {"book": opened.book})
    played = games[game] if game else next(iter(games.values()))
    if request.method == "POST":
        return _save(request, opened, played)
    found = next((one for one in briefs_in(opened.files) if one.game == played.key), None)
    rows = rows_of(found) if found else []
    return _page(request, opened, played, found.title if found else played.title, rows)


def _games_of(opened: OpenBook) -> dict[str, engine.Game]:
    """The games that are scored by this book."""
    games = {key: engine.GAMES[key] for key in opened.book.games if key in engine.GAMES}
    return {key: game for key, game in games.items() if game.book == opened.slug}


def _save(request: HttpRequest, opened: OpenBook, game: engine.Game) -> HttpResponse:
    rows = rows_from(request.POST.getlist("text"), request.POST.getlist("cites"))
    title, act = clean_line(request.POST.get("title", "")), request.POST.get("act", "")
    if move := move_from(act):
        return _page(request, opened, game, title, moved(rows, *move))
    address = reverse("edit-brief", args=[opened.slug, game.key])
    try:
        written = brief_from(game.key, title, rows, opened.slug, passage_names(opened.files))
        if act.partition(":")[0] == "preview":
            return _page(request, opened, game, title, rows)
        changed = with_brief(opened.files, written)
        place = f"Rules in brief, {game.title}"
        return submit(request, opened, changed, place, address, f"{address}?saved={{}}")
    except BriefError as bad:
        return _page(request, opened, game, title, rows, 422, wrong=bad.faults)
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        if isinstance(fault, MergeConflictError):
            rows = _merged_rows(fault, game) or rows
        return _page(request, opened, game, title, rows, status, **said)


def _merged_rows(conflict: MergeConflictError, game: engine.Game) -> list[BriefRow]:
    """My lines with what others changed elsewhere; none if the two together cannot be read."""
    try:
        found = [one for one in briefs_in(conflict.merged) if one.game == game.key]
    except EditionError:
        return []
    return rows_of(found[0]) if found else []


def _page(
    request: HttpRequest,
    opened: OpenBook,
    game: engine.Game,
    title: str,
    rows: list[BriefRow],
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    wrong, known = said.get("wrong", {}), passage_names(opened.files)
    context = editor_context(request, opened) | {
        "game": game,
        "games": list(_games_of(opened).values()),
        "title": title,
        "title_fault": wrong.get("title"),
        "lines_fault": wrong.get("lines"),
        "rows": [
            {"text": text, "cites": cites, "fault": wrong.get(number)}
            for number, (text, cites) in enumerate(rows)
        ],
        "shown": [(text, [name for name in passages_of(cites) if name in known]) for text, cites in rows],
        "anchors": known,
        "saved": page_number(request, "saved"),
    }
    return render(request, "curation/brief.html", context | said, status=status)
