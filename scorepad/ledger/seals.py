"""Two hashes stored with every entry: a digest of what it scored, and a seal over the log so far."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any

from django.utils import timezone

import engine
from scorepad.models import Entry, Pad

CORRECTIONS = frozenset(entry_type.key for entry_type in engine.CORRECTIONS)
FIRST_SEAL = ""


MAX_REPLAYED = 200_000
"""Entries replayed at most to compare digests; a correction replays the whole log before it."""


def is_too_long_to_compare(kinds: Sequence[str]) -> bool:
    """True if replaying this log entry by entry would take too long. No table corrects that often."""
    return len(kinds) * sum(kind in CORRECTIONS for kind in kinds) > MAX_REPLAYED


def digests(start: Mapping[str, Any], entries: Sequence[dict[str, Any]]) -> list[str]:
    """Digests of what each entry scored when it was entered, "" where the log was refused then.

    A correction is replayed together with the entries up to the next: they do not touch what it left behind.
    """
    found = [""] * len(entries)
    corrections = [index for index, entry in enumerate(entries) if entry["type"] in CORRECTIONS]
    for first, after in pairwise([0, *corrections, len(entries)]):
        now = _replay_until_refused(start, entries[:after], first)
        if now is None:
            continue
        # The lines of an entry stand together, wherever it is played.
        of_entry = {index: list(lines) for index, lines in groupby(now.lines, attrgetter("entry"))}
        for index in range(first, len(now.entries)):
            found[index] = _digest(now, of_entry.get(index, []))
        if first in corrections and first < len(now.entries):
            found[first] = _digest(now, [line for line in now.lines if line.entry <= first])
    return found


def _replay_until_refused(
    start: Mapping[str, Any], entries: Sequence[dict[str, Any]], first: int
) -> engine.Position | None:
    """The position before the entry that is refused, if any is; None when it is one before `first`."""
    try:
        return engine.replay({**start, "entries": list(entries)})
    except engine.Refused as refused:
        if refused.entry is None or not first <= refused.entry < len(entries):
            return None
        return _replay_until_refused(start, entries[: refused.entry], first)


def scored_digest(before: engine.Position | None, after: engine.Position, kind: str) -> str:
    """A digest of the lines an entry brought; a correction can touch any line, so there it is all of them."""
    is_plain = before is not None and kind not in CORRECTIONS
    return _digest(after, after.last_lines if is_plain else after.lines)


def _digest(now: engine.Position, lines: Sequence[engine.Line]) -> str:
    seat = {name: place for place, name in enumerate(now.table.players)}
    scored = [[line.entry, seat[line.player], line.points, line.symbol] for line in lines]
    return hashlib.sha256(canonical(scored)).hexdigest()[:16]


def seal(before: str, row: Entry) -> str:
    made_at = row.made_at.astimezone(timezone.get_fixed_timezone(0)).isoformat()
    sealed = [before, row.number, row.entry_id, row.body, row.seat, row.device, made_at]
    return hashlib.sha256(canonical(sealed)).hexdigest()


def table_seal(pad: Pad) -> str:
    """A hash over what is settled with the first entry. Names may change, so seats are only counted."""
    # Of the heading its texts: a database may spell a number otherwise.
    texts = {key: words for key, words in pad.heading.items() if isinstance(words, str)}
    sealed = [pad.game, pad.options, len(pad.players), pad.dealer, pad.variant, texts, pad.engine]
    return hashlib.sha256(canonical(sealed)).hexdigest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
