"""Appends entries to the log of a pad. The engine decides what may be entered.

An entry is stored first and shown after; the id its phone gave it makes sending it twice the same as sending
it once.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

import engine
from scorepad.ledger import cache, outcome_counts, seat_names, sql, validators
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import Who, game_of, sheet
from scorepad.ledger.replays import catch_up
from scorepad.ledger.retry import retry_transaction
from scorepad.ledger.seals import CORRECTIONS, canonical, scored_digest, seal, table_seal
from scorepad.ledger.sql import StoredEntry
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Entry, Pad

STORED, KNOWN, REFUSED = "stored", "known", "refused"


@dataclass(frozen=True)
class Outcome:
    """The outcome of one entry that was sent."""

    id: str | None
    status: str
    number: int | None = None
    error: engine.Refused | None = None

    def as_dict(self) -> dict[str, Any]:
        error = self.error.as_dict()["error"] if self.error else None
        return {"id": self.id, "status": self.status, "number": self.number, "error": error}


@dataclass(frozen=True)
class Appended:
    """The outcome of each entry, and the replay after the last one."""

    outcomes: list[Outcome]
    replay: Replay

    @property
    def has_stored(self) -> bool:
        return any(outcome.status == STORED for outcome in self.outcomes)


def append(pad: Pad, entries: Sequence[Any], who: Who = Who()) -> tuple[int, list[Outcome]]:  # noqa: B008 - frozen
    """Judge entries one by one and store those that stand. Returns the head and the outcome of each."""
    appended = append_and_replay(pad, entries, who)
    return appended.replay.head, appended.outcomes


@retry_transaction
def append_and_replay(pad: Pad, entries: Sequence[Any], who: Who, stop_at_refusal: bool = False) -> Appended:
    """The same, with the replay that the outcomes came from: a view that draws the pad reads no log again."""
    with transaction.atomic():
        lock(pad)
        replay, known = catch_up(pad, _ids(entries))
        appended = append_locked(pad, replay, known, entries, who, stop_at_refusal)
        if appended.has_stored:
            notify.wake(pad.code, notify.ENTRY)
    return appended


def lock(pad: Pad) -> None:
    """Lock the pad's row until the commit and bring `pad` up to date. SQLite locks by the transaction."""
    # All that changes beside the log raises the revision, so the row at hand is current while it is the same.
    if sql.lock_pad(pad) != pad.revision:
        pad.refresh_from_db()


def append_locked(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    entries: Sequence[Any],
    who: Who,
    stop_at_refusal: bool = False,
) -> Appended:
    """The same inside a transaction that has locked the pad and replayed its log; the caller notifies."""
    rows: list[Entry] = []
    outcomes = []
    replayed = 0
    for sent in entries:
        cost = _replay_cost(replay, sent)
        in_time = not replayed or replayed + cost <= limit("ENTRIES_REPLAYED_PER_POST_MOST")
        outcome, replay = _judge(pad, replay, known, rows, sent, who, in_time or not cost)
        replayed += cost if outcome.status != KNOWN else 0
        outcomes.append(outcome)
        if stop_at_refusal and outcome.status == REFUSED:
            break
    if rows:
        Entry.objects.bulk_create(rows)
        sql.write_seals(pad, replay.seal, pad.table_seal or table_seal(pad))
        transaction.on_commit(partial(cache.put, pad.code, replay))
    transaction.on_commit(partial(outcome_counts.add, [outcome.status for outcome in outcomes]))
    return Appended(outcomes, replay)


def _replay_cost(replay: Replay, sent: Any) -> int:
    """The number of entries replayed to judge this one. The pad's other writers wait meanwhile."""
    kind = sent.get("type") if isinstance(sent, dict) else None
    is_correction = isinstance(kind, str) and kind in CORRECTIONS
    return replay.head if is_correction or replay.position is None else 0


def _judge(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    rows: list[Entry],
    sent: Any,
    who: Who,
    in_time: bool,
) -> tuple[Outcome, Replay]:
    entry_id = sent.get("id") if isinstance(sent, dict) else None
    entry_id = entry_id if isinstance(entry_id, str) else None
    try:
        entry, body = read_entry(pad, sent)
        entry_id = entry["id"]
        if entry_id in known:
            return _known_outcome(known[entry_id], body), replay
        if pad.stopped_at is not None:
            raise engine.Refused("stopped", "This pad is stopped. Its keeper can reopen it.")
        if replay.head >= limit("ENTRIES_PER_PAD_MOST"):
            raise engine.Refused("pad-full", "This pad is full. Start a new one.")
        if not in_time:
            says = "These are many corrections at once for so long a log. Send this one again by itself."
            raise engine.Refused("too-many-corrections", says)
        after = position_after(pad, replay, entry)
    except engine.Refused as refused:
        return Outcome(entry_id, REFUSED, error=refused), replay
    row = _new_row(pad, replay, after, entry_id, body, who, timezone.now())
    stored = StoredEntry(row.number, entry_id, body, row.seal, who.seat, who.device, row.made_at.isoformat())
    known[entry_id] = stored
    rows.append(row)
    moved = replace(replay, head=row.number, position=after, fault=None, last=stored)
    return Outcome(entry_id, STORED, row.number), moved


def _known_outcome(row: StoredEntry, body: dict[str, Any]) -> Outcome:
    """The outcome of an entry that was sent before: known, or refused if it says something else now."""
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
    validators.check_storable(sent)
    entry_id = sent.get("id", None) if "id" in sent else new_id()
    if not isinstance(entry_id, str) or not 1 <= len(entry_id) <= limit("ENTRY_ID_LENGTH_MOST"):
        says = f'An "id" is a text of 1 to {limit("ENTRY_ID_LENGTH_MOST")} characters.'
        raise engine.Refused("bad-entry", says)
    body = {key: value for key, value in sent.items() if key != "id"}
    body = seat_names.to_seats(game_of(pad), body, seat_names.seats_by_name(pad.players, pad.former_names))
    return {"id": entry_id, **seat_names.to_names(game_of(pad), body, pad.players)}, body


def new_id() -> str:
    return secrets.token_hex(16)


def _ids(entries: Sequence[Any]) -> list[str]:
    ids = [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    return [entry_id for entry_id in ids if validators.is_storable_text(entry_id)]


def position_after(pad: Pad, replay: Replay, entry: dict[str, Any]) -> engine.Position:
    """The position after one more entry; raises Refused if it does not stand."""
    if replay.position is not None:
        return replay.position.enter(entry)
    # The log does not stand under this engine; perhaps it does with this correction.
    whole = sheet(pad)
    return engine.replay({**whole, "entries": [*whole["entries"], entry]})


def _new_row(
    pad: Pad,
    replay: Replay,
    after: engine.Position,
    entry_id: str,
    body: dict[str, Any],
    who: Who,
    made_at: datetime,
) -> Entry:
    row = Entry(
        pad=pad,
        number=replay.head + 1,
        entry_id=entry_id,
        body=body,
        seat=who.seat,
        device=who.device,
        made_at=made_at,
        scored=scored_digest(replay.position, after, body["type"]),
    )
    row.seal = seal(replay.seal, row)
    return row
