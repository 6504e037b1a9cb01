"""The position of a pad now: the cached replay, carried on by the rows that are newer."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction

import engine
from scorepad import replay_budget
from scorepad.ledger import cache, sql
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import end_of_step, named, reread_settled_seats, sheet, sheet_head
from scorepad.ledger.seals import CORRECTIONS
from scorepad.ledger.sql import StoredEntry
from scorepad.models import Pad


class DearError(Exception):
    """Too much would have to be replayed while the pad is locked: leave the lock, and replay before it."""


def replay(pad: Pad) -> Replay:
    """The replay of the whole log, from the cache as far as it goes."""
    return catch_up(pad)[0]


def position(pad: Pad) -> engine.Position:
    """The engine's position now; raises Refused when this engine cannot replay the log."""
    return replay(pad).standing_position()


def position_at(pad: Pad, number: int) -> engine.Position:
    """The position after the first entries, as it was then; raises Refused when it was none. Of entries that
    were stored together all are taken: between them there never was a position."""
    now, number = replay(pad), end_of_step(pad, number)
    if number >= now.head:
        return now.standing_position()
    with replay_budget.spend(number):
        return engine.replay(sheet(pad, most=number))


def catch_up(
    pad: Pad,
    ids: Sequence[str] = (),
    base: Replay | None = None,
    most: int | None = None,
    remember: bool = True,
) -> tuple[Replay, dict[str, StoredEntry]]:
    """The replay, and the entries of the log with one of these ids: one query for what is not known.

    It goes on from `base`, else from the cache. While the pad is locked at most `most` entries are replayed;
    more is a DearError.
    """
    found = base if base is not None else cache.get(pad)
    head = found.head if found else 0
    # The row that the known replay ends with is read once more: its seal tells if it is still of this log.
    rows = sql.read_entries(pad, max(head - 1, 0), ids)
    reread_settled_seats(pad, rows)
    if found is not None and not cache.is_current(found, pad, [row.seal for row in rows]):
        cache.clear(pad.code)
        found, head = None, 0
        rows = sql.read_entries(pad, 0, ids)
    known = {row.entry_id: row for row in rows if row.entry_id in set(ids)}
    now = _carry_on(pad, found, [row for row in rows if row.number > head], most)
    if remember and now is not found:
        transaction.on_commit(partial(cache.put, pad.code, now))
    return now, known


def _carry_on(pad: Pad, found: Replay | None, newer: Sequence[StoredEntry], most: int | None) -> Replay:
    if found is not None and not newer:
        return found
    if found is not None and found.position is not None:
        entries = named(pad, newer)
        try:
            with _spent(sum(replay_cost(found, entry) for entry in entries), most):
                return _enter(found, entries, newer)
        except engine.Refused:
            # Entry by entry it does not stand, but as a whole it may.
            newer = sql.read_entries(pad, 0)
    with _spent(len(newer), most):
        return _replay_rows(pad, newer)


def _spent(cost: int, most: int | None) -> Any:
    if most is not None and cost > most:
        raise DearError
    return replay_budget.spend(cost)


def replay_cost(now: Replay, entry: Any) -> int:
    """The number of entries that are replayed to judge this one after these."""
    if now.position is not None:
        return now.position.replay_cost(entry)
    kind = entry.get("type") if isinstance(entry, dict) else None
    is_correction = isinstance(kind, str) and kind in CORRECTIONS
    # Only a correction can mend a log that does not stand, and then the whole of it is replayed.
    return now.head if is_correction else 1


def enter(now: Replay, entry: dict[str, Any], after: engine.Position, last: StoredEntry) -> Replay:
    """The replay one entry later, at the position that the engine has judged."""
    held = now.bytes + cache.PLACE_BYTES + cache.entry_bytes(entry)
    held += _stretch_bytes(after, now.position)
    held -= _stretch_bytes(now.position, after) if now.position is not None else 0
    recent = (*now.recent[1 - cache.RECENT_MOST :], last)
    return replace(now, head=last.number, position=after, fault=None, last=last, bytes=held, recent=recent)


def _stretch_bytes(of: engine.Position, other: engine.Position | None) -> int:
    """Bytes of the lines that one position has and the other does not: they share all other stretches."""
    shared = {id(stretch) for stretch in other.stretches} if other is not None else set()
    return sum(cache.line_bytes(stretch.lines) for stretch in of.stretches if id(stretch) not in shared)


def _enter(found: Replay, entries: Sequence[dict[str, Any]], rows: Sequence[StoredEntry]) -> Replay:
    for entry, row in zip(entries, rows, strict=True):
        assert found.position is not None
        found = enter(found, entry, found.position.enter(entry), row)
    return found


def _replay_rows(pad: Pad, rows: Sequence[StoredEntry]) -> Replay:
    players, entries = tuple(pad.players), named(pad, rows)
    try:
        now = engine.replay({**sheet_head(pad), "entries": entries})
    except engine.Refused as refused:
        last, recent = rows[-1] if rows else None, tuple(rows[-cache.RECENT_MOST :])
        return Replay(len(rows), players, None, refused, last, recent=recent)
    return replay_of_whole(now, rows)


def replay_of_whole(now: engine.Position, rows: Sequence[StoredEntry]) -> Replay:
    """The replay of a log played as a whole that ends with these rows; its memory is measured anew."""
    held = sum(cache.PLACE_BYTES + cache.entry_bytes(entry) for entry in now.entries)
    held += cache.line_bytes(now.lines)
    last, recent = rows[-1] if rows else None, tuple(rows[-cache.RECENT_MOST :])
    return Replay(len(now.entries), now.table.players, now, None, last, held, recent)
