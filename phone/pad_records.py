"""A pad as the browser keeps it: its rows in the database as JSON, and back.

Rows and not the pad's file: ids, times, phones, drafts, links and seals stay what they were, and nothing is
replayed when a phone is opened with twenty pads on it. A row of another version of the program may lack a
column or have one more: what is unknown is left out, what is missing takes its default.
"""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import models, transaction

from scorepad import declarations
from scorepad.ledger import cache
from scorepad.models import CountCheck, Draft, Entry, Evening, Link, Pad

PREFIX = "here-"
PARTS: dict[str, type[models.Model]] = {
    "entries": Entry,
    "links": Link,
    "draft": Draft,
    "checks": CountCheck,
}
TABLES: dict[str, type[models.Model]] = {"pad": Pad, **PARTS}


def changed_by(path: str, known: Collection[str]) -> dict[str, str]:
    """Records of the pads that a request to this address can have changed: its own, the game before and after
    it, and those the browser has not heard of."""
    code = path.split("/")[2] if path.startswith(f"/pads/{PREFIX}") else ""
    near = Pad.objects.filter(models.Q(follows__code=code) | models.Q(next__code=code))
    new = Pad.objects.exclude(code__in=list(known))
    own = [code] if code in known or Pad.objects.filter(code=code).exists() else []
    codes = {*own, *near.values_list("code", flat=True), *new.values_list("code", flat=True)}
    return {code: record(code) for code in codes}


def record(code: str) -> str:
    """Everything of a pad as JSON, with what a list of pads shows of it; empty when there is no such pad."""
    pad = Pad.objects.filter(code=code).first()
    if pad is None:
        return ""
    rows = {
        name: _rows(model._default_manager.filter(pad=pad).order_by("pk")) for name, model in PARTS.items()
    }
    game = declarations.game_of(pad.game)
    evening = _rows(Evening.objects.filter(pads=pad))
    shown = {
        "title": game.title if game else pad.game,
        "players": pad.players,
        "entries": len(rows["entries"]),
        "revision": pad.revision,
        "draft": _draft(rows["draft"]),
        "made": pad.made_at.isoformat(),
    }
    text = game.declaration if game else None
    own = {"shown": shown, "declaration": text, "pad": _rows(Pad.objects.filter(pk=pad.pk))}
    whole = {**own, "evening": evening, **rows}
    return json.dumps(whole, default=_time)


def _rows(found: models.QuerySet[Any]) -> list[dict[str, Any]]:
    return list(found.values())


def _draft(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The draft as the pad's stream tells of it."""
    return {"id": rows[0]["entry_id"], "revision": rows[0]["revision"]} if rows else None


def _time(value: datetime) -> str:
    """A time to its last digit: seals are over it."""
    return value.isoformat()


def restore(code: str, kept: str) -> None:
    """Put a pad into the database as it was kept, in place of what is there; an empty one is taken out."""
    with transaction.atomic():
        next_game = Pad.objects.filter(follows__code=code)
        following = list(next_game.values_list("pk", flat=True))
        forget(code)
        if not kept:
            return
        rows = json.loads(kept)
        if rows.get("declaration"):
            declarations.keep_text(rows["declaration"])
        # Of two games of an evening each has its row; the game before may not be here any more.
        for row in rows["evening"]:
            Evening.objects.get_or_create(pk=row["id"], defaults=values(Evening, row))
        for row in rows["pad"]:
            if not Pad.objects.filter(pk=row["follows_id"]).exists():
                row["follows_id"] = None
        for name, model in TABLES.items():
            model._default_manager.bulk_create([model(**values(model, row)) for row in rows[name]])
        Pad.objects.filter(pk__in=following).update(follows=rows["pad"][0]["id"])


def values(model: type[models.Model], row: dict[str, Any]) -> dict[str, Any]:
    """The columns of a row that this version of the program has, read back from JSON."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {
        name: fields[name].to_python(value) if isinstance(fields[name], models.DateTimeField) else value
        for name, value in row.items()
        if name in fields
    }


def forget(code: str) -> None:
    cache.clear(code)
    pad = Pad.objects.filter(code=code).first()
    if pad is None:
        return
    for model in PARTS.values():
        model._default_manager.filter(pad=pad).delete()
    # The next game of the evening names this one; it stays.
    Pad.objects.filter(follows=pad).update(follows=None)
    pad.delete()
    declarations.drop_unused(pad.game)
    Evening.objects.filter(pads=None).delete()
