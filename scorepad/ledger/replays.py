"""The position of a pad now: the cached replay, carried on by the rows that are newer."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction

import engine
from scorepad.ledger import cache, seat_names, sql
from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import game_of, reread_settled_seats, sheet_head
from scorepad.ledger.sql import StoredEntry
from scorepad.models import Pad


def replay(pad: Pad) -> Replay:
    """The replay of the whole log, from the cache as far as it goes."""
    found, _ = catch_up(pad)
    transaction.on_commit(partial(cache.put, pad.code, found))
    return found


def position(pad: Pad) -> engine.Position:
    """The engine's position now; raises Refused when this engine cannot replay the log."""
    return replay(pad).standing_position()


def catch_up(pad: Pad, ids: Sequence[str] = ()) -> tuple[Replay, dict[str, StoredEntry]]:
    """The replay, and the entries of the log with one of these ids: one query for what is not cached."""
    found = cache.get(pad)
    head = found.head if found else 0
    # The row that the cached replay ends with is read once more: its seal tells if it is still of this log.
    rows = sql.read_entries(pad, max(head - 1, 0), ids)
    reread_settled_seats(pad, rows)
    if found is not None and not cache.is_current(found, pad, [row.seal for row in rows]):
        cache.clear(pad.code)
        found, head = None, 0
        rows = sql.read_entries(pad, 0, ids)
    newer = [row for row in rows if row.number > head]
    wanted = set(ids)
    known = {row.entry_id: row for row in rows if row.entry_id in wanted}
    if found is not None and found.position is not None:
        try:
            return _enter_rows(pad, found, newer), known
        except engine.Refused:
            # Entry by entry it does not stand, but as a whole it may.
            newer = sql.read_entries(pad, 0)
    return _replay_rows(pad, newer), known


def _enter_rows(pad: Pad, found: Replay, rows: Sequence[StoredEntry]) -> Replay:
    assert found.position is not None
    now, game = found.position, game_of(pad)
    for row in rows:
        now = now.enter({"id": row.entry_id, **seat_names.to_names(game, row.body, pad.players)})
    last = rows[-1] if rows else found.last
    return replace(found, head=found.head + len(rows), position=now, last=last)


def _replay_rows(pad: Pad, rows: Sequence[StoredEntry]) -> Replay:
    players, game = tuple(pad.players), game_of(pad)
    entries = [{"id": row.entry_id, **seat_names.to_names(game, row.body, players)} for row in rows]
    last = rows[-1] if rows else None
    try:
        now = engine.replay({**sheet_head(pad), "entries": entries})
    except engine.Refused as refused:
        return Replay(len(rows), players, None, refused, last)
    return Replay(len(rows), players, now, None, last)
