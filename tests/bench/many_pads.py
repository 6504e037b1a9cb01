"""`python -m tests.bench.many_pads 100000`: so many pads in the database, each with its links and one entry.

The first is made and played as any other; the rest are copies of its rows, under codes and ids of their own.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import django
from django.db.models import Model

Row = TypeVar("Row", bound=Model)
AT_ONCE = 5_000


def main(wanted: int) -> None:
    from scorepad import ledger, new_pads
    from scorepad.models import Entry, Link, Pad, new_code

    first = new_pads.create({"game": "rummy-1916", "players": ["Ann", "Bert", "Cleo"]}).pad
    hands = {"Bert": {"count": 3}, "Cleo": {"count": 4}}
    ledger.append(first, [{"id": "first", "type": "hand", "winner": "Ann", "hands": hands}])
    entry, links = first.entries.get(), list(first.links.all())
    while (more := min(AT_ONCE, wanted - Pad.objects.count())) > 0:
        made = Pad.objects.bulk_create(copies(first, more, lambda: {"code": new_code()}))
        Link.objects.bulk_create(
            copy(link, pad=pad, token_hash=secrets.token_hex(32)) for pad in made for link in links
        )
        Entry.objects.bulk_create(copy(entry, pad=pad) for pad in made)
    print(f"{Pad.objects.count()} pads", flush=True)


def copies(row: Row, count: int, changes: Any) -> Sequence[Row]:
    return [copy(row, **changes()) for _ in range(count)]


def copy(row: Row, **changes: Any) -> Row:
    kept = {field.attname: getattr(row, field.attname) for field in fields(row) if not field.primary_key}
    for name, value in changes.items():
        kept.pop(f"{name}_id", None)
        kept[name] = value
    return type(row)(**kept)


def fields(row: Model) -> Iterable[Any]:
    return row._meta.concrete_fields


if __name__ == "__main__":
    django.setup()
    main(int(sys.argv[1]))
