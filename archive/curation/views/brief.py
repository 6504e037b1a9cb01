"""The rules in brief of a game: lines with their passages, in their order, shown as they will be."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

import engine
from archive.curation import merge, proposals
from archive.curation.edits import MergeConflictError
from archive.curation.forms import brief as briefing
from archive.curation.forms import fields
from archive.curation.forms.brief import BRIEF, BriefError, Row
from archive.curation.note_repair import passage_names
from archive.curation.opening import Opened, open_book
from archive.curation.views.errors import NOT_TAKEN, answer_to
from archive.edition import EditionError
from archive.models.history import Proposal
from people.permissions import person_of, requires

REASON_MOST = 500


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def brief(request: HttpRequest, slug: str, game: str = "") -> HttpResponse:
    """Of the games that the engine scores by this book; without a name, of the first."""
    opened = open_book(request, slug)
    games = [key for key in opened.book.games if key in engine.GAMES and engine.GAMES[key].book == slug]
    if game and game not in games:
        raise Http404("The rules in brief of this game stand with another book.")
    if not games:
        return render(request, "curation/brief_none.html", {"book": opened.book})
    played = engine.GAMES[game or games[0]]
    if request.method == "POST":
        return _take(request, opened, played)
    found = next((one for one in briefing.briefs_in(opened.files) if one.game == played.key), None)
    rows = briefing.rows_of(found) if found else []
    return _page(request, opened, played, found.title if found else played.title, rows)


def _take(request: HttpRequest, opened: Opened, game: engine.Game) -> HttpResponse:
    rows = briefing.rows_from(request.POST.getlist("text"), request.POST.getlist("cites"))
    title = fields.line(request.POST.get("title", ""))
    verb, _, place = request.POST.get("act", "").partition(":")
    if verb in ("up", "down") and place.isdecimal() and len(place) < 4:
        moved = briefing.moved(rows, int(place), -1 if verb == "up" else 1)
        return _page(request, opened, game, title, moved)
    reason = fields.line(request.POST.get("reason", ""))[:REASON_MOST]
    address = reverse("edit-brief", args=[opened.slug, game.key])
    try:
        written = briefing.brief_from(game.key, title, rows, opened.slug, passage_names(opened.files))
        if verb == "preview":
            return _page(request, opened, game, title, rows)
        changed = briefing.with_brief(opened.files, written)
        place = f"Rules in brief, {game.title}"
        done = proposals.submit(person_of(request), opened, changed, reason, place, address)
    except BriefError as bad:
        return _page(request, opened, game, title, rows, 422, wrong=bad.faults)
    except NOT_TAKEN as fault:
        status, said = answer_to(fault)
        if isinstance(fault, MergeConflictError):
            rows = _joined(fault, game) or rows
        return _page(request, opened, game, title, rows, status, **said)
    if isinstance(done, Proposal):
        return redirect("proposal", done.pk)
    return redirect(f"{address}?saved={done.revision.number}")


def _joined(clash: MergeConflictError, game: engine.Game) -> list[Row]:
    """My lines with what others changed elsewhere; none if the two together cannot be read."""
    try:
        files = {BRIEF: merge.text_of(clash.chunks.get(BRIEF, []))}
        found = [one for one in briefing.briefs_in(files) if one.game == game.key]
    except EditionError:
        return []
    return briefing.rows_of(found[0]) if found else []


def _page(
    request: HttpRequest,
    opened: Opened,
    game: engine.Game,
    title: str,
    rows: list[Row],
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    wrong, saved = context.get("wrong", {}), request.GET.get("saved", "")
    known = passage_names(opened.files)
    context |= {
        "book": opened.book,
        "opened": opened,
        "parent": context.get("parent", opened.parent),
        "game": game,
        "games": [
            engine.GAMES[key]
            for key in opened.book.games
            if key in engine.GAMES and engine.GAMES[key].book == opened.slug
        ],
        "title": title,
        "title_fault": wrong.get("title"),
        "lines_fault": wrong.get("lines"),
        "rows": [
            {"text": text, "cites": cites, "fault": wrong.get(number)}
            for number, (text, cites) in enumerate(rows)
        ],
        "shown": [(text, [name for name in briefing.names_of(c) if name in known]) for text, c in rows],
        "anchors": known,
        "saved": saved if saved.isdecimal() and len(saved) < 10 else "",
        "publishes": person_of(request).may("publish"),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/brief.html", context, status=status)
