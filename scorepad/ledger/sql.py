"""What every tap asks of the database and tells it, in plain SQL; only the ledger does.

Composing it anew with the ORM for every tap costs more than answering it.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection

from scorepad.models import Pad

LOCK = "SELECT revision FROM scorepad_pad WHERE id = %s"
ROWS = "SELECT number, entry_id, body, seal FROM scorepad_entry WHERE pad_id = %s AND number > %s"
SEALS = "UPDATE scorepad_pad SET last_seal = %s, table_seal = COALESCE(table_seal, %s) WHERE id = %s"
KNOWN = "SELECT number, entry_id, body, seal FROM scorepad_entry WHERE pad_id = %s AND number <= %s"


class Row(NamedTuple):
    """What the ledger reads of a stored entry to go on from it."""

    number: int
    entry_id: str
    body: dict[str, Any]
    seal: str


def locked_revision(pad: Pad) -> int:
    """Lock the pad's row until the commit and say its revision. SQLite has no row locks, and needs none."""
    with connection.cursor() as cursor:
        cursor.execute(f"{LOCK} FOR UPDATE" if connection.features.has_select_for_update else LOCK, [pad.pk])
        found = cursor.fetchone()
    if found is None:
        raise Pad.DoesNotExist
    return int(found[0])


def rows(pad: Pad, after: int, ids: Sequence[str] = ()) -> list[Row]:
    """The entries after this number, and before them those with one of these ids, by number."""
    words = ROWS
    values: list[Any] = [pad.pk, after]
    if ids and after:
        # Two halves, so that each finds its own index however long the log is.
        words = f"{KNOWN} AND entry_id IN ({', '.join(['%s'] * len(ids))}) UNION ALL {ROWS}"
        values = [pad.pk, after, *ids, pad.pk, after]
    with connection.cursor() as cursor:
        cursor.execute(f"{words} ORDER BY number", values)
        return [Row(number, name, json.loads(body), seal) for number, name, body, seal in cursor.fetchall()]


def keep_seals(pad: Pad, last: str, table: str) -> None:
    """The seal of the last entry; that of the table is the one of its first."""
    with connection.cursor() as cursor:
        cursor.execute(SEALS, [last, table, pad.pk])
