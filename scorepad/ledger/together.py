"""Entries that can only stand together: judged once as a whole, stored as one step of the log, or not at all.

A forgotten victory that put a player out cannot stand without the count that follows it, nor that count
without the victory. Between the two the log may not stand, and nobody ever sees it there.
"""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

import engine
from scorepad import replay_budget
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import Who, sheet, sheet_head
from scorepad.ledger.judgement import (
    REFUSED,
    STORED,
    Judged,
    Outcome,
    check_room,
    known_outcome,
    new_row,
    read_entry,
    sent_id,
    stored_entry,
)
from scorepad.ledger.replays import DearError, replay_of_whole
from scorepad.ledger.seals import scored_digest
from scorepad.ledger.sql import StoredEntry
from scorepad.limits import limit
from scorepad.models import Entry, Pad

New = dict[int, tuple[dict[str, Any], dict[str, Any]]]
"""Entries that are not in the log yet, by their place among those sent: for the engine, and for the log."""


def judge_together(
    pad: Pad,
    replay: Replay,
    known: dict[str, StoredEntry],
    entries: Sequence[Any],
    who: Who,
    locked: bool = False,
) -> Judged:
    """Judge entries as a whole; raises DearError if that takes long and the pad is locked."""
    if locked and replay.head + len(entries) > limit("ENTRIES_REPLAYED_LOCKED_MOST"):
        raise DearError
    new: New = {}
    outcomes: dict[int, Outcome] = {}
    for place, sent in enumerate(entries):
        try:
            entry, body = read_entry(pad, sent)
        except engine.Refused as refused:
            return _none(replay, entries, outcomes, refused, place)
        if entry["id"] not in known:
            new[place] = entry, body
            continue
        outcomes[place] = known_outcome(known[entry["id"]], body)
        if outcomes[place].error is not None:
            return _none(replay, entries, outcomes, outcomes[place].error, place)
    if not new:
        return Judged([outcomes[place] for place in sorted(outcomes)], [], replay)
    try:
        check_room(pad, replay, len(new))
        after = position_together(pad, replay, [entry for entry, _ in new.values()])
    except engine.Refused as refused:
        return _none(replay, entries, outcomes, refused, _place_at_fault(replay, new, refused))
    return _step(pad, replay, after, new, outcomes, who)


def position_together(pad: Pad, replay: Replay, entries: Sequence[dict[str, Any]]) -> engine.Position:
    """The position after all of these entries; raises Refused if the log with them does not stand."""
    with replay_budget.spend(replay.head + len(entries)):
        log = replay.position.entries if replay.position is not None else sheet(pad)["entries"]
        return engine.replay({**sheet_head(pad), "entries": [*log, *entries]})


def _place_at_fault(replay: Replay, new: New, refused: engine.Refused) -> int | None:
    """Which of the entries sent is at fault; None where it is one that was stored before."""
    if refused.entry is None or refused.entry < replay.head:
        return None
    return [*new][refused.entry - replay.head]


def _none(
    replay: Replay,
    entries: Sequence[Any],
    outcomes: dict[int, Outcome],
    refused: engine.Refused | None,
    at: int | None,
) -> Judged:
    """Nothing is stored: the entry at fault says why, or all do where it is not one of these."""
    says = "It was sent together with an entry that was refused, so it was not stored either."
    other = engine.Refused("together", says)
    told = [
        outcomes[place]
        if place in outcomes
        else Outcome(sent_id(sent), REFUSED, error=refused if at in (None, place) else other)
        for place, sent in enumerate(entries)
    ]
    return Judged(told, [], replay)


def _step(
    pad: Pad,
    replay: Replay,
    after: engine.Position,
    new: New,
    outcomes: dict[int, Outcome],
    who: Who,
) -> Judged:
    """The rows of one step: only the last of them has a digest, since no other was shown to anyone."""
    rows: list[Entry] = []
    made_at, before, first = timezone.now(), replay.seal, replay.head + 1
    step = first if len(new) > 1 else None
    for place, (entry, body) in new.items():
        number = first + len(rows)
        scored = ""
        if number == replay.head + len(new):
            scored = scored_digest(None if step else replay.position, after, body["type"])
        row = new_row(pad, number, before, (entry["id"], body), who, made_at, scored, step)
        before = row.seal
        rows.append(row)
        outcomes[place] = Outcome(entry["id"], STORED, number)
    now = replay_of_whole(after, [*replay.recent, *map(stored_entry, rows)])
    return Judged([outcomes[place] for place in sorted(outcomes)], rows, now)
