"""Open questions of a game: sentences of its book that can be read in more than one way."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

import engine
from archive.models import Book, Note, Passage
from archive.reader.notes import DEFAULT_WORDS, ShownNote, play_address, show_note
from archive.views.variants import game_or_404
from lab.panel import Panel, of_numbers, panels


@dataclass(frozen=True)
class OpenQuestion:
    """An option as an open question: the sentences it reads, the ways to read them, and our note on it."""

    option: engine.Option
    passages: tuple[Passage, ...]
    readings: tuple[tuple[str, str, str, bool, Panel | None], ...]
    note: ShownNote | None
    numbers: tuple[Panel, ...] = ()

    @property
    def default_words(self) -> str:
        return DEFAULT_WORDS[self.option.authority]

    @property
    def authority_words(self) -> str:
        return engine.AUTHORITIES[self.option.authority]


@require_safe
def questions(request: HttpRequest, game: str) -> HttpResponse:
    played = game_or_404(game)
    book = get_object_or_404(Book.objects.catalogued(), slug=played.book)
    notes = Note.objects.filter(book=book).open_questions().select_related("passage")
    by_option = {note.option: note for note in notes if note.option}
    passages = Passage.objects.cited([cite for option in played.options for cite in option.cites])
    asked = [_question(played, option, passages, by_option) for option in played.options]
    others = [show_note(note) for note in notes if not note.option]
    context = {"game": played, "book": book, "questions": asked, "others": others}
    context["is_simulated"] = bool(panels(settings.FIXTURES / "lab", game))
    return render(request, "archive/questions.html", context)


def _question(
    game: engine.Game, option: engine.Option, passages: dict[str, Passage], notes: dict[str, Note]
) -> OpenQuestion:
    note = notes.get(f"{game.key}/{option.key}")
    shown = show_note(note) if note else None
    found = panels(settings.FIXTURES / "lab", game.key)
    if note and shown and shown.readings:
        values = [f"{option.key}={reading['value']}" for reading in note.readings]
        ways = tuple(
            (way.title, way.text, way.play, way.is_default, found.get(key))
            for way, key in zip(shown.readings, values, strict=True)
        )
    else:
        ways = tuple(
            (
                str(value),
                words,
                play_address(game.key, **{option.key: value}),
                value == str(option.default),
                found.get(f"{option.key}={value}"),
            )
            for value, words in option.readings.items()
        )
    read = tuple(dict.fromkeys(passages[cite] for cite in option.cites if cite in passages))
    return OpenQuestion(option, read, ways, shown, tuple(of_numbers(found, option)))
