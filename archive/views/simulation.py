"""Pages of the reading lab: how a game was simulated, and one evening where two readings part."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from archive.views.variants import game_or_404
from lab.example import example
from lab.findings import Results, results
from lab.panel import panels
from lab.report import readings, report


@require_safe
def method(request: HttpRequest, game: str) -> HttpResponse:
    """Everything one must know to distrust the figures of a game."""
    played, found = game_or_404(game), _results_or_404(game)
    tables = [(panel.name, readings(panel)) for panel in _panels(game).values()]
    context = {"game": played, "report": report(found), "readings": tables}
    return render(request, "lab/method.html", context)


@require_safe
def evening(request: HttpRequest, game: str, option: str, value: str, place: int) -> HttpResponse:
    """One of the evenings that the results name; no other is played."""
    played = game_or_404(game)
    found = _results_or_404(game).of(option, value)
    if found is None or not 1 <= place <= len(found.examples):
        raise Http404("There is no such simulated evening.")
    asked = next(one for one in played.options if one.key == option)
    context = {
        "game": played,
        "option": asked,
        "usual_words": _words(asked, asked.default),
        "other_words": _words(asked, value),
        "panel": _panels(game)[found.key],
        "example": example(game, found.key, found.examples[place - 1]),
        "place": place,
        "number": len(found.examples),
        "next": place % len(found.examples) + 1,
    }
    return render(request, "lab/evening.html", context)


def _results_or_404(game: str) -> Results:
    found = results(settings.FIXTURES / "lab", game)
    if found is None:
        raise Http404("This game is not simulated.")
    return found


def _panels(game: str) -> dict[str, Any]:
    return panels(settings.FIXTURES / "lab", game)


def _words(option: engine.Option, value: object) -> str:
    """A reading in the engine's words; a number with its question."""
    return option.readings.get(str(value), f"{option.question} {value}")
