"""Judgement of entries that were sent: what the engine says of each, and the rows to store."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

import engine
from scorepad import replay_budget
from scorepad.ledger import seat_names, validators
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import Who, game_of, sheet
from scorepad.ledger.replays import DearError, enter, replay_cost
from scorepad.ledger.seals import CORRECTIONS, canonical, scored_digest, seal
from scorepad.ledger.sql import StoredEntry
from scorepad.limits import limit
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


Hold = Callable[[Replay, dict[str, Any], dict[str, Any], engine.Refused | None], engine.Refused | None]
"""A check that may hold an entry back, to ask about it first: given the replay, the entry, its body, and the
engine's refusal, if there is one."""


@dataclass(frozen=True)
class Told:
    """What a phone tells beside its entries, by their ids: when each was tapped, its answers before the last.

    `begin_hold` makes what may keep an entry back, from the replay before the first of them.
    """

    tapped: Mapping[str, datetime] = field(default_factory=dict)
    answers: Mapping[str, list[Any]] = field(default_factory=dict)
    begin_hold: Callable[[Replay], Hold] | None = None


@dataclass(frozen=True)
class Judged:
    """Entries as they were judged: the outcome of each, the rows to store, the replay after them."""

    outcomes: list[Outcome]
    rows: list[Entry]
    replay: Replay


def judge_all(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    entries: Sequence[Any],
    who: Who,
    told: Told = Told(),  # noqa: B008 - frozen
    stop_at_refusal: bool = False,
    locked: bool = False,
) -> Judged:
    """Judge entries one after the other; raises DearError if that takes long and the pad is locked."""
    whole = sum(replay_cost(replay, sent) for sent in entries)
    if locked and whole > limit("ENTRIES_REPLAYED_LOCKED_MOST"):
        raise DearError
    outcomes: list[Outcome] = []
    rows: list[Entry] = []
    known, replayed = dict(known), 0
    hold = told.begin_hold(replay) if told.begin_hold else None
    with replay_budget.spend(whole):
        for sent in entries:
            cost = replay_cost(replay, sent)
            in_time = cost <= 1 or not replayed or replayed + cost <= limit("ENTRIES_REPLAYED_PER_POST_MOST")
            outcome, replay = _judge(pad, replay, known, rows, sent, who, told, hold, in_time)
            replayed += cost if cost > 1 else 0
            outcomes.append(outcome)
            if stop_at_refusal and outcome.status == REFUSED:
                break
    return Judged(outcomes, rows, replay)


def _judge(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    rows: list[Entry],
    sent: Any,
    who: Who,
    told: Told,
    hold: Hold | None,
    in_time: bool,
) -> tuple[Outcome, Replay]:
    entry_id = sent_id(sent)
    try:
        entry, body = read_entry(pad, sent)
        entry_id = entry["id"]
        if entry_id in known:
            return known_outcome(known[entry_id], body), replay
        check_room(pad, replay)
        if not in_time:
            says = "These are many corrections at once for so long a log. Send this one again by itself."
            raise engine.Refused("too-many-corrections", says)
        after = _position_unless_held(pad, replay, entry, body, hold)
    except engine.Refused as refused:
        return Outcome(entry_id, REFUSED, error=refused), replay
    scored = scored_digest(replay.position, after, body["type"])
    row = new_row(pad, replay.head + 1, replay.seal, (entry_id, body), who, timezone.now(), scored)
    row.tapped_at, row.answers = told.tapped.get(entry_id), told.answers.get(entry_id)
    known[entry_id] = stored = stored_entry(row)
    rows.append(row)
    return Outcome(entry_id, STORED, row.number), enter(replay, entry, after, stored)


def _position_unless_held(
    pad: Pad, replay: Replay, entry: dict[str, Any], body: dict[str, Any], hold: Hold | None
) -> engine.Position:
    """The position after one more entry; raises Refused if it does not stand or is held back."""
    try:
        after = position_after(pad, replay, entry)
    except engine.Refused as refused:
        raise (hold and hold(replay, entry, body, refused)) or refused from None
    held = hold(replay, entry, body, None) if hold else None
    if held is not None:
        raise held
    return after


def sent_id(sent: Any) -> str | None:
    """The id of an entry as it was sent, if it is one."""
    entry_id = sent.get("id") if isinstance(sent, dict) else None
    return entry_id if isinstance(entry_id, str) else None


def check_open(pad: Pad) -> None:
    """Refuse whatever is entered on a pad that is stopped."""
    if pad.stopped_at is not None:
        raise engine.Refused("stopped", "This pad is stopped. Its owner can reopen it.")


def check_room(pad: Pad, replay: Replay, count: int = 1) -> None:
    """Refuse new entries on a pad that is stopped, or has no room for so many."""
    check_open(pad)
    if replay.head + count > limit("ENTRIES_PER_PAD_MOST"):
        raise engine.Refused("pad-full", "This pad is full. Start a new one.")


def known_outcome(row: StoredEntry, body: dict[str, Any]) -> Outcome:
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


def position_after(pad: Pad, replay: Replay, entry: dict[str, Any]) -> engine.Position:
    """The position after one more entry; raises Refused if it does not stand."""
    if replay.position is not None:
        return replay.position.enter(entry)
    if entry["type"] not in CORRECTIONS:
        raise replay.fault or engine.Refused("bad-sheet", "This log is not valid.")
    # The log does not stand under this engine; perhaps it does with this correction.
    whole = sheet(pad)
    return engine.replay({**whole, "entries": [*whole["entries"], entry]})


def new_row(
    pad: Pad,
    number: int,
    before: str,
    sent: tuple[str, dict[str, Any]],
    who: Who,
    made_at: datetime,
    scored: str,
    step: int | None = None,
) -> Entry:
    """The row of an entry, its id and body, sealed after the one with the seal `before`."""
    entry_id, body = sent
    row = Entry(
        pad=pad,
        number=number,
        entry_id=entry_id,
        body=body,
        seat=who.seat,
        device=who.device,
        phone=who.phone or None,
        made_at=made_at,
        scored=scored,
        step=step,
    )
    row.seal = seal(before, row)
    return row


def stored_entry(row: Entry) -> StoredEntry:
    """A new row as the queries of a tap would read it."""
    return StoredEntry(
        row.number,
        row.entry_id,
        row.body,
        row.seal,
        row.seat,
        row.device,
        row.made_at.isoformat(),
        row.step,
        row.phone,
        row.tapped_at.isoformat() if row.tapped_at else None,
        row.answers is not None,
    )
