"""Appends entries to the log of a pad. The engine decides what may be entered.

An entry is stored first and shown after; the id its phone gave it makes sending it twice the same as sending
it once.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

import engine
from scorepad import replay_budget
from scorepad.ledger import cache, outcome_counts, seat_names, sql, validators
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import Who, game_of, sheet
from scorepad.ledger.replays import DearError, catch_up, enter, replay_cost
from scorepad.ledger.retry import retry_transaction
from scorepad.ledger.seals import CORRECTIONS, canonical, scored_digest, seal, table_seal
from scorepad.ledger.sql import StoredEntry
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Entry, Pad

Answer = TypeVar("Answer")
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

    `hold` may keep an entry back.
    """

    tapped: Mapping[str, datetime] = field(default_factory=dict)
    answers: Mapping[str, list[Any]] = field(default_factory=dict)
    hold: Hold | None = None


@dataclass(frozen=True)
class Appended:
    """The outcome of each entry, and the replay after the last one."""

    outcomes: list[Outcome]
    replay: Replay

    @property
    def has_stored(self) -> bool:
        return any(outcome.status == STORED for outcome in self.outcomes)


def append(
    pad: Pad,
    entries: Sequence[Any],
    who: Who = Who(),  # noqa: B008 - frozen
    told: Told = Told(),  # noqa: B008 - frozen
) -> tuple[int, list[Outcome]]:
    """Judge entries one by one and store those that stand. Returns the head and the outcome of each."""
    appended = append_and_replay(pad, entries, who, told=told)
    return appended.replay.head, appended.outcomes


@retry_transaction
def append_and_replay(
    pad: Pad,
    entries: Sequence[Any],
    who: Who,
    stop_at_refusal: bool = False,
    told: Told = Told(),  # noqa: B008 - frozen
) -> Appended:
    """The same, with the replay that the outcomes came from: a view that draws the pad reads no log again.

    Entries are judged before the pad is locked. If the log has moved by then, they are judged anew: under the
    lock if that is as cheap as a tap, else outside again, a few times.
    """
    ids = _ids(entries)
    replay, known = catch_up(pad, ids)
    for _ in range(limit("LEDGER_TRIES_MOST")):
        judged = _judge_all(pad, replay, known, entries, who, told, stop_at_refusal)
        if not judged.rows and sql.read_revision(pad) == pad.revision:
            # Nothing to store, and the pad is still as it was read: what is refused takes no lock.
            return _store(pad, judged)
        try:
            with transaction.atomic():
                moved = _lock_and_catch_up(pad, replay, ids)
                if moved is not None:
                    judged = _judge_all(pad, *moved, entries, who, told, stop_at_refusal, locked=True)
                return _store_and_wake(pad, judged)
        except DearError:
            replay, known = catch_up(pad, ids, base=replay)
    raise replay_budget.busy()


def with_lock(pad: Pad, work: Callable[[Replay], Answer]) -> Answer:
    """Do work while the pad is locked, given a replay to catch up from. What is dear is replayed before."""
    base = cache.get(pad) or catch_up(pad)[0]
    for _ in range(limit("LEDGER_TRIES_MOST")):
        try:
            with transaction.atomic():
                lock(pad)
                return work(base)
        except DearError:
            base, _ = catch_up(pad)
    raise replay_budget.busy()


def lock(pad: Pad) -> str | None:
    """Lock the pad's row until the commit and bring `pad` up to date. SQLite locks by the transaction.

    Returns the seal of the last entry, as the pad keeps it.
    """
    # All that changes beside the log raises the revision, so the row at hand is current while it is the same.
    revision, last_seal = sql.lock_pad(pad)
    if revision != pad.revision:
        pad.refresh_from_db()
    return last_seal


def _lock_and_catch_up(
    pad: Pad, replay: Replay, ids: Sequence[str]
) -> tuple[Replay, dict[str, StoredEntry]] | None:
    """Lock the pad; the replay and the known entries as they are now, or None if they are as they were."""
    revision = pad.revision
    last_seal = lock(pad)
    if revision == pad.revision and last_seal == (replay.seal or None):
        return None
    now, known = catch_up_locked(pad, ids, replay)
    # A pad of an older version does not keep its last seal: then only the log tells.
    has_moved = revision != pad.revision or now.seal != replay.seal
    return (now, known) if has_moved else None


def catch_up_locked(
    pad: Pad, ids: Sequence[str], base: Replay | None
) -> tuple[Replay, dict[str, StoredEntry]]:
    """The replay of a locked pad, going on from this one; raises DearError if that is no matter of a tap."""
    return catch_up(pad, ids, base, most=limit("ENTRIES_REPLAYED_LOCKED_MOST"))


def append_locked(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    entries: Sequence[Any],
    who: Who,
    told: Told = Told(),  # noqa: B008 - frozen
) -> Appended:
    """The same inside a transaction that has locked the pad and replayed its log; the caller notifies."""
    return _store(pad, _judge_all(pad, replay, known, entries, who, told, locked=True))


@dataclass(frozen=True)
class _Judged:
    """Entries as they were judged: the outcome of each, the rows to store, the replay after them."""

    outcomes: list[Outcome]
    rows: list[Entry]
    replay: Replay


def _store_and_wake(pad: Pad, judged: _Judged) -> Appended:
    appended = _store(pad, judged)
    if appended.has_stored:
        notify.wake(pad.code, notify.ENTRY)
    return appended


def _store(pad: Pad, judged: _Judged) -> Appended:
    if judged.rows:
        Entry.objects.bulk_create(judged.rows)
        sql.write_seals(pad, judged.replay.seal, pad.table_seal or table_seal(pad))
        transaction.on_commit(partial(cache.put, pad.code, judged.replay))
    transaction.on_commit(partial(outcome_counts.add, [outcome.status for outcome in judged.outcomes]))
    return Appended(judged.outcomes, judged.replay)


def _judge_all(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    entries: Sequence[Any],
    who: Who,
    told: Told,
    stop_at_refusal: bool = False,
    locked: bool = False,
) -> _Judged:
    """Judge entries one after the other; raises DearError if that takes long and the pad is locked."""
    whole = sum(replay_cost(replay, sent) for sent in entries)
    if locked and whole > limit("ENTRIES_REPLAYED_LOCKED_MOST"):
        raise DearError
    outcomes: list[Outcome] = []
    rows: list[Entry] = []
    known, replayed = dict(known), 0
    with replay_budget.spend(whole):
        for sent in entries:
            cost = replay_cost(replay, sent)
            in_time = cost <= 1 or not replayed or replayed + cost <= limit("ENTRIES_REPLAYED_PER_POST_MOST")
            outcome, replay = _judge(pad, replay, known, rows, sent, who, told, in_time)
            replayed += cost if cost > 1 else 0
            outcomes.append(outcome)
            if stop_at_refusal and outcome.status == REFUSED:
                break
    return _Judged(outcomes, rows, replay)


def _judge(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    rows: list[Entry],
    sent: Any,
    who: Who,
    told: Told,
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
        after = _position_unless_held(pad, replay, entry, body, told)
    except engine.Refused as refused:
        return Outcome(entry_id, REFUSED, error=refused), replay
    row = _new_row(pad, replay, after, entry_id, body, who, timezone.now(), told)
    stored = _as_stored(row)
    known[entry_id] = stored
    rows.append(row)
    return Outcome(entry_id, STORED, row.number), enter(replay, entry, after, stored)


def _position_unless_held(
    pad: Pad, replay: Replay, entry: dict[str, Any], body: dict[str, Any], told: Told
) -> engine.Position:
    """The position after one more entry; raises Refused if it does not stand or is held back."""
    try:
        after = position_after(pad, replay, entry)
    except engine.Refused as refused:
        raise (told.hold and told.hold(replay, entry, body, refused)) or refused from None
    held = told.hold(replay, entry, body, None) if told.hold else None
    if held is not None:
        raise held
    return after


def _as_stored(row: Entry) -> StoredEntry:
    """The row as the next replay would read it."""
    tapped_at = row.tapped_at.isoformat() if row.tapped_at else None
    made_at = row.made_at.isoformat()
    about = (row.seat, row.device, made_at, row.phone, tapped_at, row.answers is not None)
    return StoredEntry(row.number, row.entry_id, row.body, row.seal, *about)


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
    if entry["type"] not in CORRECTIONS:
        raise replay.fault or engine.Refused("bad-sheet", "This log does not stand.")
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
    told: Told,
) -> Entry:
    row = Entry(
        pad=pad,
        number=replay.head + 1,
        entry_id=entry_id,
        body=body,
        seat=who.seat,
        device=who.device,
        made_at=made_at,
        phone=who.phone or None,
        tapped_at=told.tapped.get(entry_id),
        answers=told.answers.get(entry_id),
        scored=scored_digest(replay.position, after, body["type"]),
    )
    row.seal = seal(replay.seal, row)
    return row
