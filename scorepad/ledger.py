"""The only door to stored entries: append, read, replay.

The engine decides what may be entered. An entry is stored first and shown after; the id its phone gave it
makes sending it twice the same as sending it once.
"""

import hashlib
import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

import engine
from scorepad import seats, wakeups
from scorepad.limits import limit
from scorepad.models import Entry, Pad

STORED, KNOWN, REFUSED = "stored", "known", "refused"
CORRECTIONS = frozenset(entry_type.key for entry_type in engine.CORRECTIONS)
FIRST_SEAL = ""


@dataclass(frozen=True)
class Who:
    """Whose phone it was: a seat, or the name of a device, or nobody in particular."""

    seat: int | None = None
    device: str = ""

    def named(self, players: Sequence[str]) -> str:
        return players[self.seat] if self.seat is not None and self.seat < len(players) else self.device


@dataclass(frozen=True)
class Outcome:
    """What became of one entry that was sent."""

    id: str | None
    status: str
    number: int | None = None
    error: engine.Refused | None = None

    def as_dict(self) -> dict[str, Any]:
        error = self.error.as_dict()["error"] if self.error else None
        return {"id": self.id, "status": self.status, "number": self.number, "error": error}


@dataclass(frozen=True)
class Standing:
    """Where a pad stands after its first `head` entries. `fault` is why this engine cannot replay them."""

    head: int
    players: tuple[str, ...]
    position: engine.Position | None
    fault: engine.Refused | None
    seal: str


@dataclass(frozen=True)
class Recorded:
    """An entry of the log as people read it."""

    number: int
    id: str
    entry: dict[str, Any]
    who: Who
    made_at: datetime
    scored: str


def append(pad: Pad, entries: Sequence[Any], who: Who = Who()) -> tuple[int, list[Outcome]]:  # noqa: B008 - frozen
    """Judge entries one by one and store those that stand. Returns the head and what became of each."""
    with transaction.atomic():
        # The row lock orders the phones; SQLite has none, there the transaction itself is the lock.
        pad = Pad.objects.select_for_update().get(pk=pad.pk)
        standing = _caught_up(pad)
        known = _known(pad, entries)
        rows: list[Entry] = []
        outcomes = []
        for sent in entries:
            outcome, standing = _judge(pad, standing, known, rows, sent, who)
            outcomes.append(outcome)
        if rows:
            Entry.objects.bulk_create(rows)
            transaction.on_commit(partial(_remember, pad.code, standing))
            wakeups.wake(pad.code, wakeups.ENTRY)
    return standing.head, outcomes


def _judge(
    pad: Pad, standing: Standing, known: dict[str, Entry], rows: list[Entry], sent: Any, who: Who
) -> tuple[Outcome, Standing]:
    name = sent.get("id") if isinstance(sent, dict) else None
    name = name if isinstance(name, str) else None
    try:
        entry, body = read_entry(pad, sent)
        name = entry["id"]
        if name in known:
            return _again(known[name], body), standing
        if pad.stopped_at is not None:
            raise engine.Refused("stopped", "This pad is stopped. Its keeper can reopen it.")
        if standing.head >= limit("ENTRIES_PER_PAD_MOST"):
            raise engine.Refused("pad-full", "This pad is full. Start a new one.")
        moved = entered(pad, standing, entry)
    except engine.Refused as refused:
        return Outcome(name, REFUSED, error=refused), standing
    row = _row(pad, standing, moved, name, body, who, timezone.now())
    known[name] = row
    rows.append(row)
    return Outcome(name, STORED, row.number), replace(
        standing, head=row.number, position=moved, fault=None, seal=row.seal
    )


def _again(row: Entry, body: dict[str, Any]) -> Outcome:
    if row.body == body:
        return Outcome(row.entry_id, KNOWN, row.number)
    says = (
        f"Entry {row.number} has this id already and says something else. Give a new entry an id of its own."
    )
    return Outcome(row.entry_id, REFUSED, error=engine.Refused("id-reused", says, row.number - 1))


def read_entry(pad: Pad, sent: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """An entry with today's names and an id, for the engine; and its body by seats, for the log."""
    if not isinstance(sent, dict):
        raise engine.Refused("bad-entry", 'An entry is an object with a "type".')
    seats.check_plain(sent)
    name = sent.get("id", None) if "id" in sent else new_id()
    if not isinstance(name, str) or not 1 <= len(name) <= limit("ENTRY_ID_LENGTH_MOST"):
        says = f'An "id" is a text of 1 to {limit("ENTRY_ID_LENGTH_MOST")} characters.'
        raise engine.Refused("bad-entry", says)
    body = {key: value for key, value in sent.items() if key != "id"}
    body = seats.to_seats(game_of(pad), body, seats.seat_of(pad.players, pad.former_names))
    return {"id": name, **seats.to_names(game_of(pad), body, pad.players)}, body


def new_id() -> str:
    return secrets.token_hex(16)


def _known(pad: Pad, entries: Sequence[Any]) -> dict[str, Entry]:
    ids = [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    return {
        row.entry_id: row
        for row in pad.entries.filter(entry_id__in=[name for name in ids if "\0" not in name])
    }


def entered(pad: Pad, standing: Standing, entry: dict[str, Any]) -> engine.Position:
    if standing.position is not None:
        return standing.position.enter(entry)
    # The log does not stand under this engine; perhaps it does with this correction.
    whole = sheet(pad)
    return engine.replay({**whole, "entries": [*whole["entries"], entry]})


def _row(
    pad: Pad,
    standing: Standing,
    moved: engine.Position,
    name: str,
    body: dict[str, Any],
    who: Who,
    made_at: datetime,
) -> Entry:
    row = Entry(
        pad=pad,
        number=standing.head + 1,
        entry_id=name,
        body=body,
        seat=who.seat,
        device=who.device,
        made_at=made_at,
        scored=scored_digest(standing.position, moved, body["type"]),
    )
    row.seal = seal(standing.seal, row)
    return row


def scored_digest(before: engine.Position | None, after: engine.Position, kind: str) -> str:
    """A digest of the lines an entry brought; a correction can touch any line, so there it is all of them."""
    first = len(before.lines) if before is not None and kind not in CORRECTIONS else 0
    seat = {name: place for place, name in enumerate(after.table.players)}
    lines = [[line.entry, seat[line.player], line.points, line.symbol] for line in after.lines[first:]]
    return hashlib.sha256(canonical(lines)).hexdigest()[:16]


def seal(before: str, row: Entry) -> str:
    made_at = row.made_at.astimezone(timezone.get_fixed_timezone(0)).isoformat()
    said = [before, row.number, row.entry_id, row.body, row.seat, row.device, made_at]
    return hashlib.sha256(canonical(said)).hexdigest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def game_of(pad: Pad) -> engine.Game:
    return engine.GAMES[pad.game]


def sheet_head(pad: Pad) -> dict[str, Any]:
    """The tally sheet of a pad, before its first entry."""
    return {
        "tally": 1,
        "game": pad.game,
        "options": pad.options,
        "players": list(pad.players),
        "dealer": pad.players[pad.dealer],
        **pad.heading,
    }


def log(pad: Pad, after: int = 0, most: int | None = None) -> list[Recorded]:
    """The entries from number after + 1 on, with the names the seats have now."""
    rows = pad.entries.filter(number__gt=after).order_by("number")
    if most is not None:
        rows = rows.filter(number__lte=most)
    game = game_of(pad)
    return [
        Recorded(
            row.number,
            row.entry_id,
            {"id": row.entry_id, **seats.to_names(game, row.body, pad.players)},
            Who(row.seat, row.device),
            row.made_at,
            row.scored,
        )
        for row in rows
    ]


def sheet(pad: Pad, most: int | None = None) -> dict[str, Any]:
    """The whole tally sheet, or its first entries."""
    return {**sheet_head(pad), "entries": [recorded.entry for recorded in log(pad, most=most)]}


def head(pad: Pad) -> int:
    last = pad.entries.order_by("-number").values_list("number", flat=True).first()
    return last or 0


def standing(pad: Pad) -> Standing:
    """Where the pad stands now, from memory as far as it goes."""
    found = _caught_up(pad)
    transaction.on_commit(partial(_remember, pad.code, found))
    return found


def position(pad: Pad) -> engine.Position:
    """The engine's position now; raises Refused when this engine cannot replay the log."""
    found = standing(pad)
    if found.position is None:
        assert found.fault is not None
        raise found.fault
    return found.position


def _caught_up(pad: Pad) -> Standing:
    found = _recall(pad)
    rows = list(pad.entries.filter(number__gt=found.head if found else 0).order_by("number"))
    if found is not None and found.position is not None:
        try:
            return _moved_on(pad, found, rows)
        except engine.Refused:
            rows = list(pad.entries.order_by("number"))
    return _replayed(pad, rows)


def _moved_on(pad: Pad, found: Standing, rows: Sequence[Entry]) -> Standing:
    assert found.position is not None
    now = found.position
    for row in rows:
        now = now.enter({"id": row.entry_id, **seats.to_names(game_of(pad), row.body, pad.players)})
    return replace(
        found, head=found.head + len(rows), position=now, seal=rows[-1].seal if rows else found.seal
    )


def _replayed(pad: Pad, rows: Sequence[Entry]) -> Standing:
    players, game = tuple(pad.players), game_of(pad)
    entries = [{"id": row.entry_id, **seats.to_names(game, row.body, players)} for row in rows]
    last_seal = rows[-1].seal if rows else FIRST_SEAL
    try:
        now = engine.replay({**sheet_head(pad), "entries": entries})
    except engine.Refused as refused:
        return Standing(len(rows), players, None, refused, last_seal)
    return Standing(len(rows), players, now, None, last_seal)


# A result is a pure function of the log, so it may be remembered by pad and head; the log itself only grows.
_memory: OrderedDict[str, Standing] = OrderedDict()
_memory_lock = threading.Lock()


def _recall(pad: Pad) -> Standing | None:
    with _memory_lock:
        found = _memory.get(pad.code)
        if found is None or found.position is None or not _same_table(pad, found.position):
            return None
        _memory.move_to_end(pad.code)
        return found


def _same_table(pad: Pad, now: engine.Position) -> bool:
    table = now.table
    same_seats = table.players == tuple(pad.players) and table.dealer == pad.dealer
    return same_seats and dict(table.options) == pad.options and now.game is game_of(pad)


def _remember(code: str, found: Standing) -> None:
    with _memory_lock:
        before = _memory.get(code)
        if before is not None and before.head > found.head and before.players == found.players:
            return
        _memory[code] = found
        _memory.move_to_end(code)
        while len(_memory) > limit("PADS_IN_MEMORY_MOST"):
            _memory.popitem(last=False)


def forget() -> None:
    """Forget all remembered positions, as a restart would."""
    with _memory_lock:
        _memory.clear()
