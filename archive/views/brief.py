"""Rules in brief: all games that have them, and those of one game with the passages they rest on."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

import engine
from archive.models import Book, BriefLine, Passage
from archive.reader.notes import play_address
from archive.views.variants import game_or_404


@require_safe
def briefs(request: HttpRequest) -> HttpResponse:
    slugs = {game.book for game in engine.GAMES.values()}
    books = {book.slug: book for book in Book.objects.public().catalogued().filter(slug__in=slugs)}
    lines = BriefLine.objects.filter(book__state=Book.PUBLIC)
    known = set(lines.values_list("game", flat=True).distinct())
    games = [
        (game, books[game.book]) for game in engine.GAMES.values() if game.key in known and game.book in books
    ]
    return render(request, "archive/briefs.html", {"games": games})


@require_safe
def brief(request: HttpRequest, game: str) -> HttpResponse:
    played = game_or_404(game)
    lines = list(BriefLine.objects.filter(game=game, book__slug=played.book))
    if not lines:
        raise Http404
    passages = Passage.objects.cited([cite for line in lines for cite in line.cites])
    shown = [(line, [passages[cite] for cite in line.cites if cite in passages]) for line in lines]
    book = get_object_or_404(Book.objects.catalogued(), slug=played.book)
    context = {
        "game": played,
        "book": book,
        "title": lines[0].title,
        "lines": shown,
        "play": play_address(game),
    }
    return render(request, "archive/brief.html", context)
