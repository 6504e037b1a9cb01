"""Pages of a game's past: history with a slider, summary, the sheet to print, examples to replay."""

from dataclasses import replace
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_safe

import engine
from lab.rescored import replays
from scorepad import (
    engine_versions,
    exports,
    game_codes,
    imports,
    ledger,
    replay_budget,
    samples,
    snapshots,
)
from scorepad.access import links, permissions
from scorepad.access.permissions import PadAccess
from scorepad.forms import place_in
from scorepad.layouts import PadState, layout_of
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.new_pads import creation_limit
from scorepad.presentation import log_rows, summary
from scorepad.presentation.house_rules import house_rules
from scorepad.presentation.pad import cite_addresses, context_of_state
from scorepad.presentation.race_chart import draw_race
from scorepad.qr_codes import game_code, qr_code
from scorepad.views.codes import game_address
from scorepad.views.decorators import private, replayed
from scorepad.views.start import created_page


@require_safe
@private
@replayed
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Every entry and correction, who and when; and the sheet as it was after any entry."""
    access = permissions.required(request, code)
    pad = access.pad
    log = ledger.log(pad)
    with replay_budget.spend(len(log)):
        return _history(request, access, log)


def _history(request: HttpRequest, access: PadAccess, log: list[ledger.LogEntry]) -> HttpResponse:
    pad = access.pad
    if request.headers.get("X-Fragment") == "log":
        return _log(request, access, log)
    at = place_in(request.GET.get("at", ""), len(log))
    most = len(log) if at is None else ledger.end_of_step(pad, at)
    now = snapshots.state_without_draft(pad)
    then, fault = _state_after(pad, most)
    is_fragment = "X-Fragment" in request.headers
    context = {
        "pad": pad,
        "access": access,
        "title": now.position.game.title,
        **({"steps": []} if is_fragment else _page_of_steps(request, pad, now, log)),
        "shown": context_of_state(pad, then, None, log[most - 1 : most] if most and not fault else []),
        "fault": fault,
        "at": most,
        "head": len(log),
        "changed": engine_versions.report(pad),
    }
    name = "scorepad/_history_state.html" if is_fragment else "scorepad/history.html"
    return render(request, name, context)


def _page_of_steps(
    request: HttpRequest, pad: Pad, now: PadState, log: list[ledger.LogEntry]
) -> dict[str, Any]:
    """The entries up to the one that is asked for, as many as a page has, the newest first; and which there
    are on either side."""
    until = place_in(request.GET.get("until", ""), len(log)) or len(log)
    first = max(0, until - limit("ENTRIES_PER_HISTORY_PAGE_MOST"))
    return {
        "steps": _steps(pad, now, log, log[first:until])[::-1],
        "before": first,
        "has_later": until < len(log),
    }


def _log(request: HttpRequest, access: PadAccess, log: list[ledger.LogEntry]) -> HttpResponse:
    """The newest entries alone, for the pad on a screen that has room for them."""
    now = snapshots.state_without_draft(access.pad)
    steps = _steps(access.pad, now, log, log[-limit("ENTRIES_BESIDE_MOST") :])[::-1]
    return render(request, "scorepad/_log.html", {"pad": access.pad, "access": access, "steps": steps})


def _state_after(pad: Pad, most: int) -> tuple[PadState, engine.Refused | None]:
    """The state after so many entries. A sheet that came in whole may have been wrong there, and corrected
    later: then the state before the first entry, and what was wrong."""
    fault = None
    try:
        position = ledger.position_at(pad, most)
    except engine.Refused as refused:
        position, fault = engine.replay(ledger.sheet_head(pad)), refused
    return PadState(position, may_write=False, settings=pad.settings), fault


def _steps(
    pad: Pad, now: PadState, log: list[ledger.LogEntry], shown: list[ledger.LogEntry]
) -> list[dict[str, Any]]:
    """Everything of these entries that was stored at one time, with who and when: mostly a single entry."""
    places = {recorded.id: recorded.number for recorded in log}
    steps = []
    for _, group in groupby(shown, lambda recorded: recorded.step or recorded.number):
        first, *others = group
        rows = [log_rows.row(pad, now, recorded, places) for recorded in (first, *others)]
        step = {
            "number": first.number,
            "last": others[-1].number if others else None,
            "who": first.who.named(pad.players),
            "at": first.made_at,
            "when": ", ".join(dict.fromkeys(row["when"] for row in rows if row.get("when"))),
            "rows": rows,
        }
        steps.append(step)
    return steps


@require_safe
@private
@replayed
def went(request: HttpRequest, code: str) -> HttpResponse:
    """The course of the game: the race, the notable moments, who paid whom."""
    access = permissions.required(request, code)
    now = snapshots.state_without_draft(access.pad)
    with replay_budget.spend(len(now.position.entries)):
        return _went(request, access, now)


def _went(request: HttpRequest, access: PadAccess, now: PadState) -> HttpResponse:
    context = {
        "pad": access.pad,
        "access": access,
        "title": now.position.game.title,
        "result": now.result,
        "race": draw_race(now),
        "moments": summary.notable_moments(now),
        "payments": layout_of(now.game).payments(now),
        "standings": summary.standings(now),
        "evening": access.pad.evening,
        "bg_stats": exports.bg_stats_link(access.pad),
        "has_readings": replays(now.position.game, now.options) > 0,
    }
    return render(request, "scorepad/summary.html", context)


@require_safe
@private
@replayed
def printed(request: HttpRequest, code: str) -> HttpResponse:
    """The sheet for paper, in the dress of its time, with a QR of the watch link."""
    access = permissions.required(request, code)
    now = snapshots.state_without_draft(access.pad, may_write=False)
    # Nobody can watch a pad that is only on a phone.
    watch = "" if access.pad.is_here else access.addresses().get(links.WATCH)
    address = request.build_absolute_uri(watch) if watch else ""
    with replay_budget.spend(len(now.position.entries)):
        drawn = context_of_state(access.pad, now, None, [])
        context = {
            "pad": access.pad,
            "shown": replace(drawn, sheet=drawn.layout.printed_sheet(now)),
            "book": now.position.game.book,
            "qr": qr_code(address) if address else "",
            "code": _code(request, access.pad),
            "plays": house_rules(access.pad),
        }
        return render(request, "scorepad/print.html", context)


def _code(request: HttpRequest, pad: Pad) -> SafeString | str:
    """The whole game in a code, so that a camera types the paper back; nothing if it takes more than one."""
    try:
        (text,) = game_codes.texts(pad, most=1)
    except engine.Refused:
        return ""
    return game_code(game_address(request, text))


@require_http_methods(["GET", "HEAD", "POST"])
def sample_page(request: HttpRequest) -> HttpResponse:
    """The rulebooks' own examples, each openable as a pad: replay the sample of 1942."""
    if request.method == "POST":
        game, _, place = request.POST.get("sheet", "").partition("/")
        cases = samples.cases(game)
        nth = place_in(place, len(cases))
        if nth is None or "error" in cases[nth]:
            raise Http404("There is no such sheet.")
        with creation_limit(request):
            new = imports.import_pad(cases[nth]["sheet"])
        return created_page(request, new)
    told = [
        {
            "title": game.title,
            "samples": [
                (sample, cite_addresses([sample.cite])[0])
                for sample in samples.samples()
                if sample.game == game.key
            ],
        }
        for game in engine.GAMES.values()
    ]
    return render(request, "scorepad/samples.html", {"games": [game for game in told if game["samples"]]})
