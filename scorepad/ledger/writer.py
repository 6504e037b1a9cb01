"""Appends entries to the log of a pad. The engine decides what may be entered.

An entry is stored first and shown after; the id its phone gave it makes sending it twice the same as sending
it once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from django.db import transaction

from scorepad import replay_budget
from scorepad.ledger import cache, outcome_counts, sql, validators
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import Who
from scorepad.ledger.judgement import STORED, Judged, Outcome, Told, judge_all
from scorepad.ledger.replays import DearError, catch_up
from scorepad.ledger.retry import retry_transaction
from scorepad.ledger.seals import table_seal
from scorepad.ledger.sql import StoredEntry
from scorepad.ledger.together import judge_together
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Entry, Pad

Answer = TypeVar("Answer")


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


def append_together(pad: Pad, entries: Sequence[Any], who: Who) -> tuple[int, list[Outcome]]:
    """Judge entries as a whole and store all of them as one step of the log, or none."""
    appended = _append(pad, entries, partial(judge_together, pad, entries=entries, who=who))
    return appended.replay.head, appended.outcomes


def append_and_replay(
    pad: Pad,
    entries: Sequence[Any],
    who: Who,
    stop_at_refusal: bool = False,
    told: Told = Told(),  # noqa: B008 - frozen
) -> Appended:
    """The same as append, with the replay that the outcomes came from: a view that draws the pad reads no log
    again."""
    judge = partial(judge_all, pad, entries=entries, who=who, told=told, stop_at_refusal=stop_at_refusal)
    return _append(pad, entries, judge)


@retry_transaction
def _append(pad: Pad, entries: Sequence[Any], judge: Callable[..., Judged]) -> Appended:
    """Judge entries before the pad is locked, and store them. If the log has moved by then, they are judged
    anew: under the lock if that is as cheap as a tap, else outside again, a few times.
    """
    ids = _ids(entries)
    replay, known = catch_up(pad, ids)
    for _ in range(limit("LEDGER_TRIES_MOST")):
        judged = judge(replay, known)
        if not judged.rows and sql.read_pad(pad) == (pad.revision, replay.seal or None):
            # Nothing to store, and pad and log are still as they were read: what is refused takes no lock.
            return _store(pad, judged)
        try:
            with transaction.atomic():
                moved = _lock_and_catch_up(pad, replay, ids)
                if moved is not None:
                    judged = judge(*moved, locked=True)
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
    return _store(pad, judge_all(pad, replay, known, entries, who, told, locked=True))


def _store_and_wake(pad: Pad, judged: Judged) -> Appended:
    appended = _store(pad, judged)
    if appended.has_stored:
        notify.wake(pad.code, notify.ENTRY)
    return appended


def _store(pad: Pad, judged: Judged) -> Appended:
    if judged.rows:
        Entry.objects.bulk_create(judged.rows)
        sql.write_seals(pad, judged.replay.seal, pad.table_seal or table_seal(pad))
        transaction.on_commit(partial(cache.put, pad.code, judged.replay))
    transaction.on_commit(partial(outcome_counts.add, [outcome.status for outcome in judged.outcomes]))
    return Appended(judged.outcomes, judged.replay)


def _ids(entries: Sequence[Any]) -> list[str]:
    ids = [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]
    return [entry_id for entry_id in ids if validators.is_storable_text(entry_id)]
