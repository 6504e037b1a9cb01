"""Copies of a pad for a phone that has the kit: what it needs to go on scoring when the network is gone.

Rows as they are stored, without their numbers in our tables, without links and without the names of other
phones: nothing is replayed for it, and a phone that has the beginning asks for the rest alone.
"""

from typing import Any

from django.db.models import Model

import engine
from scorepad import replay_budget
from scorepad.access.permissions import PadAccess
from scorepad.ledger import game_of, head
from scorepad.ledger.seals import FIRST_SEAL
from scorepad.models import CountCheck, Draft, Entry, Pad

OF_PAD = ("code", "game", "options", "players", "former_names", "dealer", "variant", "heading", "settings")
ALSO_OF_PAD = ("engine", "revision", "made_at", "stopped_at", "last_seal", "table_seal")
NOT_TOLD = ("id", "pad_id")
ANOTHER = "another"
"""In place of the name of any other phone: to know its own a phone needs no more."""


def copy(access: PadAccess, after: int = 0, seal: str = "") -> dict[str, Any]:
    """The pad as it is stored. `after` and `seal` name the last entry that the phone has: if it is still of
    this log, those before it are left out."""
    pad = access.pad
    seal_there = pad.entries.filter(number=after).values_list("seal", flat=True).first() or FIRST_SEAL
    first = after if after and seal == seal_there else 0
    # With all their answers the entries of a long log may be megabytes.
    with replay_budget.spend(head(pad) - first):
        return _copied(access, first)


def _copied(access: PadAccess, first: int) -> dict[str, Any]:
    pad, own = access.pad, access.who.phone
    return {
        "engine": engine.__version__,
        "role": access.role,
        "who": {"seat": access.who.seat, "device": access.who.device, "phone": access.who.phone},
        "watches": access.who.watches,
        "pad": {name: getattr(pad, name) for name in (*OF_PAD, *ALSO_OF_PAD)},
        "declaration": game_of(pad).declaration,
        "after": first,
        "entries": [_entry(row, own) for row in _rows(Entry, pad, number__gt=first)],
        "draft": [{**row, "parts": _parts(row["parts"], own)} for row in _rows(Draft, pad)],
        "checks": _rows(CountCheck, pad),
    }


def _rows(model: type[Model], pad: Pad, **which: Any) -> list[dict[str, Any]]:
    fields = [field.attname for field in model._meta.concrete_fields if field.attname not in NOT_TOLD]
    found = model._default_manager.filter(pad=pad, **which)
    return list((found.order_by("number") if model is Entry else found).values(*fields))


def _entry(row: dict[str, Any], own: str) -> dict[str, Any]:
    answers = _parts(row["answers"], own) if row["answers"] else row["answers"]
    return {**row, "phone": _named(row["phone"], own), "answers": answers}


def _parts(parts: list[dict[str, Any]], own: str) -> list[dict[str, Any]]:
    return [
        {
            **part,
            "phone": _named(part.get("phone", ""), own),
            "strokes": [[_named(phone, own), *rest] for phone, *rest in part.get("strokes", ())],
        }
        for part in parts
    ]


def _named(phone: str | None, own: str) -> str | None:
    return phone if not phone or phone == own else ANOTHER
