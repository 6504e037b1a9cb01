"""Imports: a tally sheet or a pad.json becomes a pad with the same log and result. Missing ids are made."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

import engine
from engine.fields import quote
from engine.player_names import MAX_NAME_LENGTH
from scorepad import ledger, new_pads, pads, replay_budget
from scorepad.exports import PAD_FORMAT
from scorepad.ledger import seals, seat_names, validators
from scorepad.limits import limit
from scorepad.models import CountCheck, Entry, Pad

PAD_FIELDS = frozenset(
    ("pad", "sheet", "log", "variant", "settings", "checks", "former_names", "engine", "made", "stopped")
)

YEAR_RANGE = (1900, 2999)


Brought = tuple[Pad, list[Entry], list[CountCheck], engine.Game]
"""A pad, its log, its count checks and its game, read and judged and not stored yet."""


def import_pad(sent: Mapping[str, Any]) -> new_pads.NewPad:
    """A new pad from a tally sheet, or from a pad.json."""
    return store(read(sent))


def read(sent: Mapping[str, Any]) -> Brought:
    if "pad" not in sent:
        return _from_sheet(dict(sent), {})
    if type(sent["pad"]) is not int or sent["pad"] != PAD_FORMAT:
        raise _fault(f'"pad" must be the number {PAD_FORMAT}, the version of this format.')
    for key in sent:
        if key not in PAD_FIELDS:
            raise _fault(f"A pad file has no field {quote(key)}. Take it out.")
    if not isinstance(sent.get("sheet"), dict):
        raise _fault('"sheet" must be a tally sheet.')
    return _from_sheet(dict(sent["sheet"]), sent)


def _from_sheet(sheet: dict[str, Any], wrapping: Mapping[str, Any]) -> Brought:
    entries = sheet.get("entries")
    if isinstance(entries, list) and len(entries) > limit("ENTRIES_PER_PAD_MOST"):
        raise _fault(f"A pad holds {limit('ENTRIES_PER_PAD_MOST')} entries at most.")
    # All judging is done before the transaction: while it is open no other process can write.
    with replay_budget.spend(len(entries) if isinstance(entries, list) else 0):
        return _read(sheet, wrapping)


def store(brought: Brought) -> new_pads.NewPad:
    pad, rows, checks, game = brought
    with transaction.atomic():
        new = new_pads.store(pad, game)
        Entry.objects.bulk_create(rows, batch_size=500)
        CountCheck.objects.bulk_create(checks, batch_size=500)
    return new


def _read(sheet: dict[str, Any], wrapping: Mapping[str, Any]) -> Brought:
    # The sheet is judged whole: corrections may mend what a part of it would get wrong.
    now = engine.replay(sheet)
    entries = [_with_id(entry) for entry in now.entries]
    table = now.table
    pad = Pad(
        game=now.game.key,
        options=dict(table.options),
        players=list(table.players),
        dealer=table.dealer,
        former_names=_former_names(wrapping.get("former_names"), len(table.players)),
        variant=text(wrapping.get("variant") or "", 100),
        heading=new_pads.heading(sheet),
        settings=pads.checked_settings(wrapping.get("settings", {})),
        engine=text(wrapping.get("engine") or engine.__version__, 40),
        made_at=time(wrapping.get("made")) or timezone.now(),
        stopped_at=time(wrapping.get("stopped")),
    )
    log = _log(wrapping.get("log"), len(entries), len(table.players))
    rows = _rows(pad, now, entries, log)
    pad.last_seal = rows[-1].seal if rows else None
    pad.table_seal = seals.table_seal(pad) if rows else None
    return pad, rows, _checks(pad, wrapping.get("checks"), len(entries)), now.game


def _with_id(entry: dict[str, Any]) -> dict[str, Any]:
    validators.check_storable(entry)
    entry = _canonical_numbers(entry)
    if len(entry.get("id", "")) > limit("ENTRY_ID_LENGTH_MOST"):
        raise engine.Refused("bad-entry", f'An "id" has at most {limit("ENTRY_ID_LENGTH_MOST")} characters.')
    return entry if "id" in entry else {"id": ledger.new_id(), **entry}


def _canonical_numbers(value: Any) -> Any:
    """PostgreSQL spells 1e16 as 10000000000000000 and -0.0 as 0.0, and a seal is over the spelling."""
    if isinstance(value, dict):
        return {key: _canonical_numbers(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_canonical_numbers(part) for part in value]
    if isinstance(value, float):
        return int(value) if abs(value) >= 1e16 else value + 0.0
    return value


def _rows(
    pad: Pad, position: engine.Position, entries: Sequence[dict[str, Any]], log: Sequence[Mapping[str, Any]]
) -> list[Entry]:
    """The log as it is, each row with who, when and what it scored."""
    lookup = seat_names.seats_by_name(pad.players, {})
    digests = _digests(pad, position, entries, log)
    rows: list[Entry] = []
    before = seals.FIRST_SEAL
    for number, (entry, about, scored) in enumerate(zip(entries, log, digests, strict=True), start=1):
        body = {key: value for key, value in entry.items() if key != "id"}
        row = Entry(
            pad=pad,
            number=number,
            entry_id=entry["id"],
            body=seat_names.to_seats(position.game, body, lookup),
            seat=about["seat"],
            device=about["device"],
            made_at=about["made"],
            scored=scored,
            step=about["step"],
        )
        before = row.seal = seals.seal(before, row)
        rows.append(row)
    return rows


def _digests(
    pad: Pad, position: engine.Position, entries: Sequence[dict[str, Any]], log: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Digests of what each entry scored, as the file says; where it does not, of what it scores now."""
    # Of this engine nothing needs to be told: a file that says otherwise would look like an altered log.
    if pad.engine != engine.__version__ and all(about["scored"] for about in log):
        return [about["scored"] for about in log]
    start = {
        "tally": 1,
        "game": position.game.key,
        **({"declaration": position.game.declaration} if position.game.declaration else {}),
        "options": dict(position.table.options),
        "players": list(position.table.players),
        "dealer": position.table.players[position.table.dealer],
    }
    return seals.digests(start, entries, [about["step"] for about in log]) or [""] * len(entries)


def _log(log: Any, length: int, seats_most: int) -> list[dict[str, Any]]:
    if log is None:
        now = timezone.now()
        return [{"seat": None, "device": "", "made": now, "scored": "", "step": None} for _ in range(length)]
    if not isinstance(log, list) or len(log) != length:
        raise _fault('"log" must say who and when for every entry of the sheet.')
    told = [_about(row, seats_most) for row in log]
    steps = _steps([row.get("step") for row in log])
    return [{**about, "step": step} for about, step in zip(told, steps, strict=True)]


def _steps(steps: Sequence[Any]) -> list[int | None]:
    """Steps of entries stored together: the number of the first of them, which follow one another."""
    before: int | None = None
    for number, step in enumerate(steps, start=1):
        if step is not None and (type(step) is not int or step not in (before, number)):
            raise _fault('"step" must be null, or the number of the first of the entries stored together.')
        before = step
    # One that stands alone is no step of several.
    counts = Counter(steps)
    return [step if counts[step] > 1 else None for step in steps]


def _about(row: Any, seats_most: int) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise _fault('Each row of "log" and "checks" is an object.')
    seat = row.get("seat")
    if seat is not None and (type(seat) is not int or not 0 <= seat < seats_most):
        raise _fault(f'"seat" must be null or a number from 0 to {seats_most - 1}.')
    made = time(row.get("made")) or timezone.now()
    return {
        "seat": seat,
        "device": text(row.get("device") or "", 40),
        "made": made,
        "scored": text(row.get("scored") or "", 16),
    }


def _checks(pad: Pad, checks: Any, head: int) -> list[CountCheck]:
    if checks is None:
        return []
    if not isinstance(checks, list) or len(checks) > limit("COUNT_CHECKS_PER_PAD_MOST"):
        raise _fault('"checks" must be a list of count checks, not too long.')
    rows = []
    for check in checks:
        about = _about(check, len(pad.players))
        counted, at = check.get("counted"), check.get("head")
        if type(at) is not int or not 0 <= at <= head:
            raise _fault(f'"head" of a count check must be a number from 0 to {head}.')
        if not isinstance(counted, list) or len(counted) != len(pad.players):
            raise _fault('"counted" must hold one number per seat.')
        if any(type(count) is not int or abs(count) > 10**9 for count in counted):
            raise _fault('"counted" must hold whole numbers.')
        row = CountCheck(
            pad=pad,
            head=at,
            counted=counted,
            seat=about["seat"],
            device=about["device"],
            made_at=about["made"],
        )
        rows.append(row)
    return rows


def _former_names(names: Any, seats_most: int) -> dict[str, int]:
    if names is None:
        return {}
    if not isinstance(names, dict) or len(names) > limit("FORMER_NAMES_PER_PAD_MOST"):
        raise _fault('"former_names" must map names to seats, and not too many.')
    for name, seat in names.items():
        text(name, MAX_NAME_LENGTH)
        if type(seat) is not int or not 0 <= seat < seats_most:
            raise _fault(f'"former_names" must map names to seats from 0 to {seats_most - 1}.')
    return names


def text(words: Any, most: int) -> str:
    if not isinstance(words, str) or len(words) > most:
        raise _fault(f"A text here has at most {most} characters.")
    validators.check_storable(words, "bad-sheet", "This file")
    return words


def time(words: Any) -> datetime | None:
    if words is None:
        return None
    try:
        when = parse_datetime(words) if isinstance(words, str) else None
    except ValueError:
        when = None
    if when is None or when.tzinfo is None:
        raise _fault("A time is written like 2026-05-01T19:30:00Z.")
    if not YEAR_RANGE[0] <= when.year <= YEAR_RANGE[1]:
        # Beyond the calendar a time cannot even be told in another zone.
        raise _fault(f"A time here lies between the years {YEAR_RANGE[0]} and {YEAR_RANGE[1]}.")
    # Another machine's clock may be wrong; nothing was entered tomorrow, and a pad must grow old.
    return min(when, timezone.now())


def _fault(says: str) -> engine.Refused:
    return engine.Refused("bad-sheet", says)
