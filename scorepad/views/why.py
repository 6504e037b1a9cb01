"""The reason of a number: its sentence, how it came about, on what authority, and a way to correct it."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from engine import Line, Option
from scorepad import archive_lookup, ledger, snapshots
from scorepad.access import permissions
from scorepad.layouts import PadState, layout_of
from scorepad.presentation.correction import OldEntry, one_tap_panel
from scorepad.presentation.pad import cite_addresses
from scorepad.views.decorators import private, replayed


@dataclass(frozen=True)
class OptionReading:
    """An option that reads one of the sentences a number rests on, and how this table reads it."""

    authority: str
    words: str
    question: str
    reading: str


@require_safe
@private
@replayed
def why(request: HttpRequest, code: str, number: int) -> HttpResponse:
    access = permissions.required(request, code)
    state = snapshots.state_without_draft(access.pad)
    if number >= len(state.result.lines):
        raise Http404("This number is not on the sheet any more.")
    reason = _reason(state, number)
    page = _page_of(access.pad.code, reason["first"])
    context = {"pad": access.pad, "access": access, "page": page, **reason}
    if access.has_keys and reason["entry_id"]:
        old = OldEntry(access.pad, state, reason["line"].entry, reason["entry_id"])
        context |= {"panel": one_tap_panel(old, reason["part"]), "correcting": True}
    if "X-Fragment" in request.headers:
        return render(request, "scorepad/_why.html", context)
    # A page of its own has the sentence in it, for phones without JavaScript.
    context["tap_id"] = ledger.new_id()
    context["sentence"] = archive_lookup.passage_html(context["first"]["book"], context["first"]["anchor"])
    return render(request, "scorepad/why.html", context)


def _reason(state: PadState, number: int) -> dict[str, Any]:
    line = state.result.lines[number]
    layout = layout_of(state.game)
    entry = state.standing[line.entry]
    own = [at for at, other in enumerate(state.result.lines) if other.player == line.player]
    place = own.index(number)
    cites = cite_addresses(line.cites)
    return {
        "line": line,
        "sign": layout.signs.get(line.symbol, ""),
        "points": f"−{-line.points}" if line.points < 0 else str(line.points),
        "said": layout.sentence(state, entry),
        "when": layout.round_name(state, line.entry),
        "trail": layout.steps(state, line),
        "first": cites[0],
        "others": cites[1:],
        "graded": option_readings(state, line),
        "part": layout.part_of(state, entry, line.player),
        "entry_id": state.position.entries[line.entry].get("id", ""),
        "before": own[place - 1] if place else None,
        "after": own[place + 1] if place + 1 < len(own) else None,
        "title": state.position.game.title,
    }


def _page_of(code: str, cited: dict[str, str]) -> str:
    """The page on which the sentence is printed, lit there and with a way back; else the sentence's own."""
    page = archive_lookup.passage_page(cited["book"], cited["anchor"])
    return f"{page}&pad={code}#lit" if page else cited["address"]


def option_readings(state: PadState, line: Line) -> list[OptionReading]:
    """The options that read the same sentence the number cites first, in this table's reading."""
    found = []
    for option in state.position.game.options:
        if line.cites[0] in option.cites and option.authority != "text":
            found.append(_reading(option, state.options[option.key]))
    return found


def _reading(option: Option, value: Any) -> OptionReading:
    reading = option.readings.get(str(value), str(value))
    return OptionReading(option.authority, engine.AUTHORITIES[option.authority], option.question, reading)
