"""Pages of games: variants and their comparison, open questions, rules in brief."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

import engine
from archive.models import Book, BriefLine, Note, Passage, Variant
from archive.reader.notes import DEFAULT_WORDS, ShownNote, play_address, show_note


@dataclass(frozen=True)
class Choice:
    """An option as one variant sets it; `differs` from the engine's default."""

    option: engine.Option
    value: object
    title: str
    default_title: str
    words: str
    differs: bool
    passages: tuple[Passage, ...] = ()

    @property
    def default_words(self) -> str:
        return DEFAULT_WORDS[self.option.authority]


@dataclass(frozen=True)
class Question:
    """An option as an open question: the sentences it reads, the ways to read them, and our note on it."""

    option: engine.Option
    passages: tuple[Passage, ...]
    readings: tuple[tuple[str, str, str, bool], ...]
    note: ShownNote | None

    @property
    def default_words(self) -> str:
        return DEFAULT_WORDS[self.option.authority]

    @property
    def authority_words(self) -> str:
        return engine.AUTHORITIES[self.option.authority]


def game_or_404(key: str) -> engine.Game:
    if key not in engine.GAMES:
        raise Http404
    return engine.GAMES[key]


def _cited(cites: Iterable[str]) -> dict[str, Passage]:
    return Passage.objects.all().cited(tuple(cites))


Titles = dict[tuple[str, str], str]
"""What our notes call a reading, by option and value."""


def _titles(game: engine.Game) -> Titles:
    notes = Note.objects.filter(option__startswith=f"{game.key}/").only("option", "readings")
    return {
        (note.option.partition("/")[2], str(reading["value"])): reading["title"]
        for note in notes
        for reading in note.readings
    }


def _title(option: engine.Option, value: object, titles: Titles) -> str:
    """A reading by its name; one that no note names has its key in plain words, a number is itself."""
    named = titles.get((option.key, str(value)), "")
    return named or str(value).replace("-", " ").capitalize()


def _choices(
    game: engine.Game, variant: Variant, titles: Titles, passages: dict[str, Passage] | None = None
) -> list[Choice]:
    choices = []
    for option in game.options:
        value = variant.options.get(option.key, option.default)
        read = (
            tuple(dict.fromkeys(passages[cite] for cite in option.cites if cite in passages))
            if passages
            else ()
        )
        named, usual = (_title(option, one, titles) for one in (value, option.default))
        differs = value != option.default
        choices.append(Choice(option, value, named, usual, _words(option, value), differs, read))
    return choices


def _words(option: engine.Option, value: object) -> str:
    """What a value means, in the engine's own words; a number speaks for itself."""
    return option.readings.get(str(value), "")


@require_safe
def variants(request: HttpRequest) -> HttpResponse:
    rows = list(Variant.objects.offered().select_related("book").defer("book__files", "reasons"))
    shelves = [(game, [row for row in rows if row.game == game.key]) for game in engine.GAMES.values()]
    return render(request, "archive/variants.html", {"shelves": [shelf for shelf in shelves if shelf[1]]})


@require_safe
def variant(request: HttpRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Variant.objects.select_related("book").defer("book__files"), slug=slug)
    game = game_or_404(shown.game)
    passages = _cited([*shown.cites, *(cite for option in game.options for cite in option.cites)])
    context = {
        "variant": shown,
        "book": shown.book,
        "game": game,
        "choices": _choices(game, shown, _titles(game), passages),
        "cited": list(dict.fromkeys(passages[cite] for cite in shown.cites if cite in passages)),
        "others": Variant.objects.of_game(game.key).exclude(pk=shown.pk).defer("reasons", "html"),
        "play": play_address(game.key, variant=shown.slug),
    }
    return render(request, "archive/variant.html", context)


@require_safe
def compare(request: HttpRequest, game: str) -> HttpResponse:
    played = game_or_404(game)
    shown = list(Variant.objects.of_game(game))
    titles = _titles(played)
    columns = [
        (variant, _choices(played, variant, titles), play_address(game, variant=variant.slug))
        for variant in shown
    ]
    rows = [
        (option, [choices[place] for _, choices, _ in columns]) for place, option in enumerate(played.options)
    ]
    pads = sorted({key for variant in shown for key in variant.pad})
    pad_rows = [(key, [variant.pad.get(key) for variant in shown]) for key in pads]
    context = {"game": played, "columns": columns, "rows": rows, "pad_rows": pad_rows}
    return render(request, "archive/compare.html", context)


@require_safe
def questions(request: HttpRequest, game: str) -> HttpResponse:
    played = game_or_404(game)
    book = get_object_or_404(Book.objects.catalogued(), slug=played.book)
    notes = Note.objects.filter(book=book).open_questions().select_related("passage")
    by_option = {note.option: note for note in notes if note.option}
    passages = _cited(cite for option in played.options for cite in option.cites)
    asked = [_question(played, option, passages, by_option) for option in played.options]
    others = [show_note(note) for note in notes if not note.option]
    context = {"game": played, "book": book, "questions": asked, "others": others}
    return render(request, "archive/questions.html", context)


def _question(
    game: engine.Game, option: engine.Option, passages: dict[str, Passage], notes: dict[str, Note]
) -> Question:
    note = notes.get(f"{game.key}/{option.key}")
    shown = show_note(note) if note else None
    if shown and shown.readings:
        ways = tuple((r.title, r.text, r.play, r.is_default) for r in shown.readings)
    else:
        ways = tuple(
            (str(value), words, play_address(game.key, **{option.key: value}), value == str(option.default))
            for value, words in option.readings.items()
        )
    read = tuple(dict.fromkeys(passages[cite] for cite in option.cites if cite in passages))
    return Question(option, read, ways, shown)


@require_safe
def briefs(request: HttpRequest) -> HttpResponse:
    slugs = {game.book for game in engine.GAMES.values()}
    books = {book.slug: book for book in Book.objects.catalogued().filter(slug__in=slugs)}
    known = set(BriefLine.objects.values_list("game", flat=True).distinct())
    games = [
        (game, books[game.book]) for game in engine.GAMES.values() if game.key in known and game.book in books
    ]
    return render(request, "archive/briefs.html", {"games": games})


@require_safe
def brief(request: HttpRequest, game: str) -> HttpResponse:
    played = game_or_404(game)
    lines = list(BriefLine.objects.filter(game=game))
    if not lines:
        raise Http404
    passages = _cited(cite for line in lines for cite in line.cites)
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
