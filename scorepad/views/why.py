"""Why a number stands there: the sentence, how it came about, on what authority, and a way to correct it."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from engine import Line, Option
from scorepad import archive_lookup, taps
from scorepad.access import links
from scorepad.layouts import PadState, in_words, kind_of, victory_rummy
from scorepad.presentation.pad import cite_addresses
from scorepad.views.private import private, replayed


@dataclass(frozen=True)
class Graded:
    """An option that reads one of the sentences a number rests on, and how this table reads it."""

    authority: str
    words: str
    question: str
    reading: str


@require_safe
@private
@replayed
def why(request: HttpRequest, code: str, number: int) -> HttpResponse:
    holder = links.required(request, code)
    moment = taps.moment_of(holder.pad, None)
    if number >= len(moment.result.lines):
        raise Http404("This number is not on the sheet any more.")
    context = {"pad": holder.pad, "holder": holder, **_shown(moment, number)}
    if "X-Fragment" in request.headers:
        return render(request, "scorepad/_why.html", context)
    # A page of its own has the sentence in it, for phones without JavaScript.
    context["sentence"] = archive_lookup.passage_html(context["first"]["book"], context["first"]["anchor"])
    return render(request, "scorepad/why.html", context)


def _shown(moment: PadState, number: int) -> dict[str, Any]:
    line = moment.result.lines[number]
    kind = kind_of(moment.position.game.key)
    entry = moment.standing[line.entry]
    own = [at for at, other in enumerate(moment.result.lines) if other.player == line.player]
    place = own.index(number)
    cites = cite_addresses(line.cites)
    return {
        "line": line,
        "sign": victory_rummy.SIGNS.get(line.symbol, "") if kind is victory_rummy else "",
        "points": f"−{-line.points}" if line.points < 0 else str(line.points),
        "said": in_words(moment, entry),
        "when": kind.when(moment, line.entry) if hasattr(kind, "when") else "",
        "trail": kind.trail(moment, line) if hasattr(kind, "trail") else [],
        "first": cites[0],
        "others": cites[1:],
        "graded": graded(moment, line),
        "entry_id": moment.position.entries[line.entry].get("id", ""),
        "before": own[place - 1] if place else None,
        "after": own[place + 1] if place + 1 < len(own) else None,
        "title": moment.position.game.title,
    }


def graded(moment: PadState, line: Line) -> list[Graded]:
    """The options that read the same sentence the number cites first, in this table's reading."""
    found = []
    for option in moment.position.game.options:
        if line.cites[0] in option.cites and option.authority != "text":
            found.append(_graded(option, moment.options[option.key]))
    return found


def _graded(option: Option, value: Any) -> Graded:
    reading = option.readings.get(str(value), str(value))
    return Graded(option.authority, engine.AUTHORITIES[option.authority], option.question, reading)
