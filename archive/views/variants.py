"""Variants: their pages, their comparison, and the same as JSON for programs."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

import engine
from archive import lookup
from archive.models import Book, Note, Passage, Variant
from archive.reader.notes import DEFAULT_WORDS, play_address
from lab.panel import Panel, panels


@dataclass(frozen=True)
class VariantChoice:
    """An option as one variant sets it; `differs` from the engine's default."""

    option: engine.Option
    value: object
    title: str
    default_title: str
    words: str
    differs: bool
    passages: tuple[Passage, ...] = ()
    panel: Panel | None = None
    """The difference this choice makes by itself, where it was simulated."""

    @property
    def default_words(self) -> str:
        return DEFAULT_WORDS[self.option.authority]


def game_or_404(key: str) -> engine.Game:
    if key not in engine.GAMES:
        raise Http404
    return engine.GAMES[key]


Titles = dict[tuple[str, str], str]
"""The titles our notes give to readings, by option and value."""


def _titles(game: engine.Game) -> Titles:
    notes = Note.objects.filter(option__startswith=f"{game.key}/", book__state=Book.PUBLIC)
    return {
        (note.option.partition("/")[2], str(reading["value"])): reading["title"]
        for note in notes.only("option", "readings")
        for reading in note.readings
    }


def _title(option: engine.Option, value: object, titles: Titles) -> str:
    """A reading by its name; one that no note names has its key in plain words, a number is itself."""
    named = titles.get((option.key, str(value)), "")
    return named or str(value).replace("-", " ").capitalize()


def _choices(
    game: engine.Game, variant: Variant, titles: Titles, passages: dict[str, Passage] | None = None
) -> list[VariantChoice]:
    choices = []
    found = panels(settings.FIXTURES / "lab", game.key)
    for option in game.options:
        value = variant.options.get(option.key, option.default)
        read = (
            tuple(dict.fromkeys(passages[cite] for cite in option.cites if cite in passages))
            if passages
            else ()
        )
        named, usual = (_title(option, one, titles) for one in (value, option.default))
        differs = value != option.default
        panel = found.get(f"{option.key}={value}")
        words = _words(option, value)
        choices.append(VariantChoice(option, value, named, usual, words, differs, read, panel))
    return choices


def _words(option: engine.Option, value: object) -> str:
    """The meaning of a value, in the engine's own words; a number speaks for itself."""
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
    passages = Passage.objects.cited(
        [*shown.cites, *(cite for option in game.options for cite in option.cites)], within=shown.book
    )
    choices = _choices(game, shown, _titles(game), passages)
    context = {
        "variant": shown,
        "book": shown.book,
        "game": game,
        "choices": choices,
        "simulated": sum(choice.panel is not None for choice in choices),
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
def variant_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(lookup.variant_as_dict(get_object_or_404(Variant, slug=slug)))


@require_safe
def variants_json(request: HttpRequest, game: str) -> HttpResponse:
    """All variants of a game, as printed first."""
    return JsonResponse({"game": game, "variants": lookup.variants_of_game(game)})
