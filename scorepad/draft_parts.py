"""Parts of a draft that come in a file: only those are kept that a phone could have filled in here."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import engine
from scorepad import drafts, ledger
from scorepad.ledger import validators
from scorepad.models import Pad

REVISIONS_MOST = 1_000_000
STROKES_MOST = 200
TEXTS = {"field": 40, "device": 40, "made": 40, "phone": 16}
"""The texts of a part, and how long they are at most."""


def readable(pad: Pad, kind: Any, rows: Any) -> list[dict[str, Any]] | None:
    """Those of these rows that are parts of such an entry; None if the game has none such."""
    if not isinstance(rows, list) or kind not in [entry.key for entry in ledger.game_of(pad).entries]:
        return None
    return drafts.fitting_parts(pad, kind, [row for row in rows if isinstance(row, dict) and _is_part(row)])


def _is_part(row: Mapping[str, Any]) -> bool:
    """True if a row has the form of a part. What it answers is held against its blank afterwards."""
    strokes = row.get("strokes", [])
    try:
        validators.check_storable(dict(row))
    except engine.Refused:
        return False
    return (
        {"of", "value", "seat", *TEXTS} <= {"phone", *row}
        and all(_is_text(row.get(key, ""), most) for key, most in TEXTS.items())
        and _is_time(row["made"])
        and all(row[key] is None or _is_count(row[key], 100) for key in ("of", "seat"))
        and all(type(row.get(key, False)) is bool for key in ("open", "none"))
        and _is_count(row.get("revision", 0), REVISIONS_MOST)
        and isinstance(strokes, list)
        and len(strokes) <= STROKES_MOST
        and all(isinstance(stroke, list) and _is_stroke(*stroke[:5]) for stroke in strokes)
    )


def _is_stroke(
    phone: Any = None, revision: Any = None, what: Any = None, leaf: Any = None, *more: Any
) -> bool:
    is_text = _is_text(phone, TEXTS["phone"]) and _is_text(leaf, TEXTS["field"])
    return (
        is_text
        and _is_count(revision, REVISIONS_MOST)
        and what in (drafts.ADD, drafts.PUT, drafts.DONE)
        and not more
    )


def _is_text(words: Any, most: int) -> bool:
    return isinstance(words, str) and len(words) <= most


def _is_count(number: Any, most: int) -> bool:
    return type(number) is int and 0 <= number <= most


def _is_time(words: str) -> bool:
    try:
        return datetime.fromisoformat(words).tzinfo is not None
    except ValueError:
        return False
