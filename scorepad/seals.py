"""Two small hashes kept with every entry: what it was said to score, and a seal over the log so far."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

import engine
from scorepad.models import Entry

CORRECTIONS = frozenset(entry_type.key for entry_type in engine.CORRECTIONS)
FIRST_SEAL = ""


REPLAYED_MOST = 2_000_000
"""So many entries are replayed at most to compare digests; a correction replays the whole log before it."""


def are_too_many(kinds: Sequence[str]) -> bool:
    """Would going on entry by entry through this log take too long? No table corrects that often."""
    return len(kinds) * sum(kind in CORRECTIONS for kind in kinds) > REPLAYED_MOST


def scored_digest(before: engine.Position | None, after: engine.Position, kind: str) -> str:
    """A digest of the lines an entry brought; a correction can touch any line, so there it is all of them."""
    first = len(before.lines) if before is not None and kind not in CORRECTIONS else 0
    seat = {name: place for place, name in enumerate(after.table.players)}
    lines = [[line.entry, seat[line.player], line.points, line.symbol] for line in after.lines[first:]]
    return hashlib.sha256(canonical(lines)).hexdigest()[:16]


def seal(before: str, row: Entry) -> str:
    made_at = row.made_at.astimezone(timezone.get_fixed_timezone(0)).isoformat()
    said = [before, row.number, row.entry_id, row.body, row.seat, row.device, made_at]
    return hashlib.sha256(canonical(said)).hexdigest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
