"""Exports of a pad: pad.json, its history, a spreadsheet, a link for BG Stats. None holds a token."""

import csv
import hashlib
import io
import json
import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import engine
from engine.order_of_play import order_of_play
from scorepad import ledger
from scorepad.models import Pad

PAD_FORMAT = 1
BG_STATS_ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
BG_STATS_SOURCE = "Tallyroom"
_FORMULA_SIGNS = r"=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B"
_SEPARATORS = r",;:|\t\r\n"
FORMULA_START = re.compile(
    rf"(?:^|(?<=[{_SEPARATORS}]))(?=[\s\"'\uFEFF\u200B\u2060]*[{_FORMULA_SIGNS}])|^(?=[\t\r\n])"
)
"""Where a spreadsheet may see a formula: before its sign, in any width, at the start of a cell or after what
another program takes for the end of one; white space and quotation marks between are skipped."""


def pad_json(pad: Pad) -> dict[str, Any]:
    """The sheet wrapped with who and when, variant, chips and count checks: it comes back as the same pad."""
    log = ledger.log(pad)
    return {
        "pad": PAD_FORMAT,
        "sheet": {**ledger.sheet_head(pad), "entries": [recorded.entry for recorded in log]},
        "log": [
            {
                **_who(recorded.who),
                "made": stamp(recorded.made_at),
                "scored": recorded.scored,
                **_step(recorded),
            }
            for recorded in log
        ],
        "variant": pad.variant or None,
        "settings": pad.settings,
        "checks": [
            {
                "head": check.head,
                "counted": check.counted,
                **_who(ledger.Who(check.seat, check.device)),
                "made": stamp(check.made_at),
            }
            for check in pad.count_checks.all()
        ],
        "former_names": pad.former_names,
        "engine": pad.engine,
        "made": stamp(pad.made_at),
        "stopped": stamp(pad.stopped_at) if pad.stopped_at else None,
    }


def _who(who: ledger.Who) -> dict[str, Any]:
    return {"seat": who.seat, "device": who.device}


def _step(recorded: ledger.LogEntry) -> dict[str, int]:
    """The number of the first of those it was stored together with; most entries stand alone."""
    return {} if recorded.step is None else {"step": recorded.step}


def stamp(when: datetime) -> str:
    return when.astimezone(UTC).isoformat().replace("+00:00", "Z")


def history(pad: Pad) -> list[dict[str, Any]]:
    """Every entry and correction with who and when, and the lines it has brought as things stand now."""
    lines = lines_by_entry(ledger.position(pad))
    return [
        {
            "number": recorded.number,
            **_step(recorded),
            "id": recorded.id,
            "entry": recorded.entry,
            "who": recorded.who.named(pad.players) or None,
            "made": stamp(recorded.made_at),
            "lines": [line.as_dict() for line in lines.get(recorded.number - 1, [])],
        }
        for recorded in ledger.log(pad)
    ]


def lines_by_entry(now: engine.Position) -> dict[int, list[engine.Line]]:
    found: dict[int, list[engine.Line]] = {}
    for line in now.lines:
        found.setdefault(line.entry, []).append(line)
    return found


def sheet_csv(pad: Pad) -> str:
    """One row per line, in order of play, with running totals; an entry without a line has its own row."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    now = ledger.position(pad)
    names = list(pad.players)
    heads = ["entry", "time", "entered by", "type", "player", "points", "sign", "why", "passages"]
    rows.writerow([*heads, *(spreadsheet_text(name) for name in names)])
    by_entry = lines_by_entry(now)
    stake = _stake(now)
    totals = dict.fromkeys(names, stake)
    log = ledger.log(pad)
    # In order of play, or the running totals would not be those of the table.
    for place, _ in order_of_play(dict(enumerate(now.entries)), now.parents):
        recorded = log[place]
        first = [
            recorded.number,
            stamp(recorded.made_at),
            spreadsheet_text(recorded.who.named(names)),
            recorded.entry["type"],
        ]
        lines = by_entry.get(recorded.number - 1, [])
        for line in lines:
            totals[line.player] += line.points
            about = [
                spreadsheet_text(line.player),
                line.points,
                line.symbol,
                spreadsheet_text(line.why),
                " ".join(line.cites),
            ]
            rows.writerow([*first, *about, *totals.values()])
        if not lines:
            rows.writerow([*first, "", "", "", "", "", *totals.values()])
    return out.getvalue()


def _stake(now: engine.Position) -> int:
    return int(now.table.options[now.game.stake]) if now.game.stake else 0


def spreadsheet_text(words: str) -> str:
    """A spreadsheet must not take a name for a formula."""
    return FORMULA_START.sub("'", words)


def bg_stats_play(pad: Pad) -> dict[str, Any] | None:
    """The game as BG Stats reads it; None until it is finished."""
    now = ledger.position(pad)
    result = now.result()
    if result.ended is None:
        return None
    log = ledger.log(pad)
    ended_at = log[-1].made_at
    return {
        "sourceName": BG_STATS_SOURCE,
        # The pad's code stays here: a hash of it is enough to know the same game again.
        "sourcePlayId": hashlib.sha256(pad.code.encode()).hexdigest()[:24],
        "playDate": f"{ended_at:%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round((ended_at - log[0].made_at).total_seconds() / 60)),
        "game": {
            "name": now.game.title,
            "sourceGameId": now.game.key,
            "highestWins": not now.game.lowest_wins,
            "noPoints": not any(line.points for line in result.lines),
        },
        # Its Android application needs "winner" for everyone, though it calls the field optional.
        "players": [
            {
                "name": name,
                "sourcePlayerId": name.casefold(),
                "startPlayer": seat == pad.dealer,
                "score": str(total),
                "winner": name in result.winners,
            }
            for seat, (name, total) in enumerate(result.totals.items())
        ],
    }


def bg_stats_link(pad: Pad) -> str | None:
    """A finished game as a link that BG Stats opens: its push format is one JSON object in the address."""
    found = bg_stats_play(pad)
    return BG_STATS_ADDRESS + quote(json.dumps(found, separators=(",", ":")), safe="") if found else None
