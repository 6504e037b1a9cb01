"""The only door to stored entries: append, read, replay.

The engine decides what may be entered. An entry is stored first and shown after; the id its phone gave it
makes sending it twice the same as sending it once.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

import engine
from scorepad import metrics
from scorepad.ledger import cache, names, sql
from scorepad.ledger.cache import Replay
from scorepad.ledger.retry import retried
from scorepad.ledger.seals import CORRECTIONS, FIRST_SEAL, canonical, scored_digest, seal, table_seal
from scorepad.ledger.sql import Row
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Entry, Pad

STORED, KNOWN, REFUSED = "stored", "known", "refused"


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
class Recorded:
    """An entry of the log as people read it."""

    number: int
    id: str
    entry: dict[str, Any]
    who: Who
    made_at: datetime
    scored: str


@retried
def append(pad: Pad, entries: Sequence[Any], who: Who = Who()) -> tuple[int, list[Outcome]]:  # noqa: B008 - frozen
    """Judge entries one by one and store those that stand. Returns the head and what became of each."""
    with transaction.atomic():
        pad = _locked(pad)
        standing, known = _caught_up(pad, _ids(entries))
        rows: list[Entry] = []
        outcomes = []
        replayed = 0
        for sent in entries:
            costs = _replays(standing, sent)
            in_time = not replayed or replayed + costs <= limit("ENTRIES_REPLAYED_PER_POST_MOST")
            outcome, standing = _judge(pad, standing, known, rows, sent, who, in_time or not costs)
            replayed += costs if outcome.status != KNOWN else 0
            outcomes.append(outcome)
        if rows:
            Entry.objects.bulk_create(rows)
            sql.keep_seals(pad, standing.seal, pad.table_seal or table_seal(pad))
            transaction.on_commit(partial(cache.remember, pad.code, standing))
            notify.wake(pad.code, notify.ENTRY)
        transaction.on_commit(partial(metrics.add_entries, [outcome.status for outcome in outcomes]))
    return standing.head, outcomes


def _locked(pad: Pad) -> Pad:
    """The pad as it is now, its row locked until the commit. On SQLite the transaction is the lock."""
    # Whatever changes beside the log raises the revision, so the row at hand is true while it is the same.
    return pad if sql.locked_revision(pad) == pad.revision else Pad.objects.get(pk=pad.pk)


def _replays(standing: Replay, sent: Any) -> int:
    """How many entries are replayed to judge this one. Nobody else can write in the meantime."""
    kind = sent.get("type") if isinstance(sent, dict) else None
    is_correction = isinstance(kind, str) and kind in CORRECTIONS
    return standing.head if is_correction or standing.position is None else 0


def _judge(
    pad: Pad,
    standing: Replay,
    known: dict[str, Row],
    rows: list[Entry],
    sent: Any,
    who: Who,
    in_time: bool,
) -> tuple[Outcome, Replay]:
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
        if not in_time:
            says = "These are many corrections at once for so long a log. Send this one again by itself."
            raise engine.Refused("too-many-corrections", says)
        moved = entered(pad, standing, entry)
    except engine.Refused as refused:
        return Outcome(name, REFUSED, error=refused), standing
    row = _row(pad, standing, moved, name, body, who, timezone.now())
    known[name] = Row(row.number, name, body, row.seal)
    rows.append(row)
    return Outcome(name, STORED, row.number), replace(
        standing, head=row.number, position=moved, fault=None, seal=row.seal
    )


def _again(row: Row, body: dict[str, Any]) -> Outcome:
    # Compared as they are written: to Python 1, 1.0 and true would be the same.
    if canonical(row.body) == canonical(body):
        return Outcome(row.entry_id, KNOWN, row.number)
    says = (
        f"Entry {row.number} has this id already and says something else. Give a new entry an id of its own."
    )
    return Outcome(row.entry_id, REFUSED, error=engine.Refused("id-reused", says, row.number - 1))


def read_entry(pad: Pad, sent: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """An entry with today's names and an id, for the engine; and its body by seats, for the log."""
    if not isinstance(sent, dict):
        raise engine.Refused("bad-entry", 'An entry is an object with a "type".')
    names.check_plain(sent)
    name = sent.get("id", None) if "id" in sent else new_id()
    if not isinstance(name, str) or not 1 <= len(name) <= limit("ENTRY_ID_LENGTH_MOST"):
        says = f'An "id" is a text of 1 to {limit("ENTRY_ID_LENGTH_MOST")} characters.'
        raise engine.Refused("bad-entry", says)
    body = {key: value for key, value in sent.items() if key != "id"}
    body = names.to_seats(game_of(pad), body, names.seat_of(pad.players, pad.former_names))
    return {"id": name, **names.to_names(game_of(pad), body, pad.players)}, body


def new_id() -> str:
    return secrets.token_hex(16)


def _ids(entries: Sequence[Any]) -> list[str]:
    ids = [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    return [name for name in ids if names.is_whole_text(name)]


def entered(pad: Pad, standing: Replay, entry: dict[str, Any]) -> engine.Position:
    if standing.position is not None:
        return standing.position.enter(entry)
    # The log does not stand under this engine; perhaps it does with this correction.
    whole = sheet(pad)
    return engine.replay({**whole, "entries": [*whole["entries"], entry]})


def _row(
    pad: Pad,
    standing: Replay,
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
    _settle(pad, rows)
    return [
        Recorded(
            row.number,
            row.entry_id,
            {"id": row.entry_id, **names.to_names(game, row.body, pad.players)},
            Who(row.seat, row.device),
            row.made_at,
            row.scored,
        )
        for row in rows
    ]


def sheet(pad: Pad, most: int | None = None) -> dict[str, Any]:
    """The whole tally sheet, or its first entries."""
    entries = [recorded.entry for recorded in log(pad, most=most)]
    return {**sheet_head(pad), "entries": entries}


def _settle(pad: Pad, rows: Sequence[Any] | QuerySet[Entry]) -> None:
    """Seats may change until the first entry seals them: who read the pad before that reads it again."""
    if pad.table_seal is None and len(rows):
        pad.refresh_from_db()


def head(pad: Pad) -> int:
    last = pad.entries.order_by("-number").values_list("number", flat=True).first()
    return last or 0


def standing(pad: Pad) -> Replay:
    """Where the pad stands now, from memory as far as it goes."""
    found, _ = _caught_up(pad)
    transaction.on_commit(partial(cache.remember, pad.code, found))
    return found


def position(pad: Pad) -> engine.Position:
    """The engine's position now; raises Refused when this engine cannot replay the log."""
    found = standing(pad)
    if found.position is None:
        assert found.fault is not None
        raise found.fault
    return found.position


def _caught_up(pad: Pad, ids: Sequence[str] = ()) -> tuple[Replay, dict[str, Row]]:
    """Where the pad stands, and which of these ids its log has: one query for what is not remembered."""
    found = cache.recall(pad)
    head = found.head if found else 0
    # The row that memory stands on is read once more: its seal tells whether it is still of this log.
    rows = sql.rows(pad, max(head - 1, 0), ids)
    _settle(pad, rows)
    if found is not None and not cache.is_true(found, pad, [row.seal for row in rows]):
        cache.forget(pad.code)
        found, head = None, 0
        rows = sql.rows(pad, 0, ids)
    newer = [row for row in rows if row.number > head]
    wanted = set(ids)
    known = {row.entry_id: row for row in rows if row.entry_id in wanted}
    if found is not None and found.position is not None:
        try:
            return _moved_on(pad, found, newer), known
        except engine.Refused:
            # Entry by entry it does not stand, but as a whole it may.
            newer = sql.rows(pad, 0)
    return _replayed(pad, newer), known


def _moved_on(pad: Pad, found: Replay, rows: Sequence[Row]) -> Replay:
    assert found.position is not None
    now, game = found.position, game_of(pad)
    for row in rows:
        now = now.enter({"id": row.entry_id, **names.to_names(game, row.body, pad.players)})
    last_seal = rows[-1].seal if rows else found.seal
    return replace(found, head=found.head + len(rows), position=now, seal=last_seal)


def _replayed(pad: Pad, rows: Sequence[Row]) -> Replay:
    players, game = tuple(pad.players), game_of(pad)
    entries = [{"id": row.entry_id, **names.to_names(game, row.body, players)} for row in rows]
    last_seal = rows[-1].seal if rows else FIRST_SEAL
    try:
        now = engine.replay({**sheet_head(pad), "entries": entries})
    except engine.Refused as refused:
        return Replay(len(rows), players, None, refused, last_seal)
    return Replay(len(rows), players, now, None, last_seal)
