"""The queries of every tap in plain SQL: lock the pad, read entries, write seals. Only the ledger uses them.

Composing them anew with the ORM for every tap costs more than answering them.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from scorepad.models import Pad

PAD_HEAD = "SELECT revision, last_seal FROM scorepad_pad WHERE id = %s"
COLUMNS = "number, entry_id, body, seal, seat, device, CAST(made_at AS text), step, phone"
ENTRY = f"SELECT {COLUMNS}, CAST(tapped_at AS text), answers IS NOT NULL FROM scorepad_entry"  # noqa: S608 - constants
ENTRIES_AFTER = f"{ENTRY} WHERE pad_id = %s AND number > %s"
ENTRIES_UP_TO = f"{ENTRY} WHERE pad_id = %s AND number <= %s"
ENTRIES_TAPPED = f"{ENTRY} WHERE pad_id = %s AND COALESCE(tapped_at, made_at) BETWEEN %s AND %s"
UPDATE_SEALS = "UPDATE scorepad_pad SET last_seal = %s, table_seal = COALESCE(table_seal, %s) WHERE id = %s"


class StoredEntry(NamedTuple):
    """The columns of a stored entry that a replay needs."""

    number: int
    entry_id: str
    body: dict[str, Any]
    seal: str
    seat: int | None
    device: str
    made_at: str
    step: int | None = None
    phone: str | None = None
    tapped_at: str | None = None
    has_answers: bool = False
    """True if it was answered part by part, and can be opened again."""


def lock_pad(pad: Pad) -> tuple[int, str | None]:
    """Lock the pad's row until the commit; returns its revision and the seal of its last entry. SQLite has no
    row locks, and needs none."""
    locks_rows = connection.features.has_select_for_update
    return _read_head(pad, f"{PAD_HEAD} FOR UPDATE" if locks_rows else PAD_HEAD)


def read_pad(pad: Pad) -> tuple[int, str | None]:
    """The revision of the pad now and the seal of its last entry, without a lock."""
    return _read_head(pad, PAD_HEAD)


def _read_head(pad: Pad, query: str) -> tuple[int, str | None]:
    with connection.cursor() as cursor:
        cursor.execute(query, [pad.pk])
        found = cursor.fetchone()
    if found is None:
        raise Pad.DoesNotExist
    return int(found[0]), found[1]


def read_entries(pad: Pad, after: int, ids: Sequence[str] = ()) -> list[StoredEntry]:
    """The entries after this number, and before them those with one of these ids, by number."""
    query = ENTRIES_AFTER
    values: list[Any] = [pad.pk, after]
    if ids and after:
        # Two halves, so that each finds its own index however long the log is.
        query = f"{ENTRIES_UP_TO} AND entry_id IN ({', '.join(['%s'] * len(ids))}) UNION ALL {ENTRIES_AFTER}"
        values = [pad.pk, after, *ids, pad.pk, after]
    return _read(query, values)


def read_first_entries(pad: Pad, most: int) -> list[StoredEntry]:
    """The entries up to this number, by number."""
    return _read(ENTRIES_UP_TO, [pad.pk, most])


def tapped_between(pad: Pad, first: datetime, last: datetime) -> list[StoredEntry]:
    """The entries that were tapped in this time, by number."""
    times = [connection.ops.adapt_datetimefield_value(time) for time in (first, last)]
    return _read(ENTRIES_TAPPED, [pad.pk, *times])


def _read(query: str, values: Sequence[Any]) -> list[StoredEntry]:
    with connection.cursor() as cursor:
        cursor.execute(f"{query} ORDER BY number", values)
        rows = cursor.fetchall()
    return [StoredEntry(number, name, json.loads(body), *rest) for number, name, body, *rest in rows]


def write_seals(pad: Pad, last: str, table: str) -> None:
    """Store the seal of the last entry, and that of the table with its first one."""
    with connection.cursor() as cursor:
        cursor.execute(UPDATE_SEALS, [last, table, pad.pk])
