"""After a game: its history with a slider, how it went, the sheet to print, golden sheets to replay."""

import json
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

import engine
from scorepad import engine_versions, exports, imports, ledger, taps
from scorepad.access import links
from scorepad.forms import place_in
from scorepad.layouts import PadState, in_words, kind_of
from scorepad.models import Pad
from scorepad.new_pads import creation_limit
from scorepad.presentation import notable, summary
from scorepad.presentation import pad as showing_page
from scorepad.presentation.house_rules import played
from scorepad.qr_codes import qr_code
from scorepad.views.private import private, replayed


@require_safe
@private
@replayed
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Every entry and correction, who and when; and the sheet as it was at any moment."""
    holder = links.required(request, code)
    pad = holder.pad
    log = ledger.log(pad)
    at = place_in(request.GET.get("at", ""), len(log))
    most = len(log) if at is None else at
    now = taps.moment_of(pad, None)
    then = PadState(engine.replay(ledger.sheet(pad, most=most)), may_write=False)
    context = {
        "pad": pad,
        "holder": holder,
        "title": now.position.game.title,
        "rows": _rows(pad, now, log)[::-1],
        "shown": showing_page.of_moment(pad, then, None, log[most - 1 : most] if most else []),
        "at": most,
        "head": len(log),
        "changed": engine_versions.report(pad),
    }
    name = "scorepad/_history_state.html" if "X-Fragment" in request.headers else "scorepad/history.html"
    return render(request, name, context)


def _rows(pad: Pad, now: PadState, log: list[ledger.LogEntry]) -> list[dict[str, Any]]:
    places = {recorded.id: recorded.number for recorded in log}
    return [_row(pad, now, recorded, places) for recorded in log]


def _row(pad: Pad, now: PadState, recorded: ledger.LogEntry, places: dict[str, int]) -> dict[str, Any]:
    entry, kind = recorded.entry, kind_of(pad.game)
    row: dict[str, Any] = {
        "number": recorded.number,
        "who": recorded.who.named(pad.players),
        "at": recorded.made_at,
        "target": "",
        "is_void": False,
    }
    if entry["type"] == "void":
        return {**row, "words": f"Entry {places[entry['of']]} struck out", "is_correction": True}
    if entry["type"] == "amend":
        words = f"Entry {places[entry['of']]} corrected: {in_words(now, entry['entry'])}"
        return {**row, "words": words, "is_correction": True}
    place = recorded.number - 1
    words = in_words(now, entry)
    changed = _without_id(now.standing.get(place, entry))
    if changed != _without_id(entry):
        row["became"] = in_words(now, changed)
    lines = [f"{line.player} {line.points:+d}".replace("-", "−") for _, line in now.lines_of.get(place, [])]
    return {
        **row,
        "words": words,
        "target": recorded.id,
        "is_void": place not in now.standing or "became" in row,
        "lines": ", ".join(lines),
        "when": kind.when(now, place) if hasattr(kind, "when") else "",
    }


def _without_id(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "id"}


@require_safe
@private
@replayed
def went(request: HttpRequest, code: str) -> HttpResponse:
    """How the game went: the race, the notable moments, who paid whom."""
    holder = links.required(request, code)
    now = taps.moment_of(holder.pad, None)
    context = {
        "pad": holder.pad,
        "holder": holder,
        "title": now.position.game.title,
        "result": now.result,
        "race": summary.race(now),
        "moments": notable.moments(now),
        "payments": _payments(now),
        "standings": _standings(now),
        "evening": holder.pad.evening,
        "bg_stats": exports.bg_stats_link(holder.pad),
    }
    return render(request, "scorepad/summary.html", context)


def _payments(now: PadState) -> list[tuple[str, str, int]]:
    kind = kind_of(now.position.game.key)
    found: list[tuple[str, str, int]] = kind.payments(now) if hasattr(kind, "payments") else []
    return found


def _standings(now: PadState) -> list[tuple[str, int, bool]]:
    fewest = now.position.game.key.startswith("rummy-")
    totals = sorted(now.result.totals.items(), key=lambda pair: pair[1] if fewest else -pair[1])
    return [(name, total, name in now.result.winners) for name, total in totals]


@require_safe
@private
@replayed
def printed(request: HttpRequest, code: str) -> HttpResponse:
    """The sheet for paper, in the dress of its time, with a QR of the watch link."""
    holder = links.required(request, code)
    now = taps.moment_of(holder.pad, None, may_write=False)
    watch = links.addresses(holder.pad, links.WATCH).get(links.WATCH)
    address = request.build_absolute_uri(watch) if watch else ""
    context = {
        "pad": holder.pad,
        "shown": showing_page.of_moment(holder.pad, now, None, []),
        "book": now.position.game.book,
        "qr": qr_code(address) if address else "",
        "plays": played(holder.pad),
    }
    return render(request, "scorepad/print.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def samples(request: HttpRequest) -> HttpResponse:
    """The golden sheets, each openable as a pad: replay the 1942 sample."""
    if request.method == "POST":
        game, _, place = request.POST.get("sheet", "").partition("/")
        cases = dict(_cases()).get(game, [])
        nth = place_in(place, len(cases))
        if nth is None or "error" in cases[nth]:
            raise Http404("There is no such sheet.")
        with creation_limit(request):
            opened = imports.bring_in(cases[nth]["sheet"])
        response = HttpResponseRedirect(f"/pads/{opened.pad.code}/")
        links.remember(request, response, opened.pad, opened.keep_link_id)
        return response
    shelves = [
        {
            "title": engine.GAMES[game].title,
            "cases": [
                {"value": f"{game}/{place}", "name": case["name"]}
                for place, case in enumerate(cases)
                if "error" not in case
            ],
        }
        for game, cases in _cases()
    ]
    return render(request, "scorepad/samples.html", {"shelves": shelves})


def _cases() -> list[tuple[str, list[dict[str, Any]]]]:
    found = []
    for game in engine.GAMES:
        path = settings.FIXTURES / "sheets" / f"{game}.json"
        if path.exists():
            found.append((game, json.loads(path.read_text(encoding="utf-8"))))
    return found
