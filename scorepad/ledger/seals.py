"""Two hashes stored with every entry: a digest of what it scored, and a seal over the log so far."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

import engine
from scorepad.models import Entry, Pad

CORRECTIONS = frozenset(entry_type.key for entry_type in engine.CORRECTIONS)
FIRST_SEAL = ""


MAX_COMPARED = 200_000
MAX_REPLAYED = 1_000
"""Entries replayed at most to compare digests, or twice the log if that is more: a correction replays the log
from the place it touches. This may become less, and never more: a log that was too long when it was imported
has no digests."""


def is_too_long_to_compare(entries: Sequence[Mapping[str, Any]], steps: Sequence[int | None] = ()) -> bool:
    """True if replaying this log step by step would take too long. No table corrects that often."""
    corrections = sum(entry["type"] in CORRECTIONS for entry in entries)
    # For entries that were stored together the log is replayed from its beginning.
    together = sum(index for index, step in enumerate(steps) if step and is_last_of_step(steps, index))
    replayed = _entries_replayed(entries) + together
    return len(entries) * corrections > MAX_COMPARED or replayed > _most_replayed(entries)


def _most_replayed(entries: Sequence[Mapping[str, Any]]) -> int:
    return max(MAX_REPLAYED, 2 * len(entries))


def _entries_replayed(entries: Sequence[Mapping[str, Any]]) -> int:
    places: dict[Any, int] = {}
    replayed = 0
    for index, entry in enumerate(entries):
        if isinstance(entry.get("id"), str):
            places[entry["id"]] = index
        if entry["type"] in CORRECTIONS:
            replayed += index - min((places.get(target, 0) for target in _targets(entry)), default=0)
    return replayed


def _targets(entry: Mapping[str, Any]) -> list[str]:
    """The ids of the entries that a correction names, whatever else is wrong with it."""
    changes = entry.get("changes")
    named = [entry, *changes] if isinstance(changes, list) else [entry]
    found = [part.get("of", part.get("after")) for part in named if isinstance(part, Mapping)]
    return [target for target in found if isinstance(target, str)]


def is_last_of_step(steps: Sequence[int | None], index: int) -> bool:
    """True for an entry that stands alone, and for the last of those that were stored together."""
    follows = steps[index + 1] if index + 1 < len(steps) else None
    return steps[index] is None or steps[index] != follows


def digests(
    start: Mapping[str, Any], entries: Sequence[dict[str, Any]], steps: Sequence[int | None] = ()
) -> list[str] | None:
    """Digests of what each entry scored when it was entered, "" where the log was refused then. Of those that
    were stored together, in steps, only the last has one.

    None for a log that is too long to be replayed entry by entry.
    """
    if is_too_long_to_compare(entries, steps):
        return None
    found = [""] * len(entries)
    steps = steps or [None] * len(entries)
    now: engine.Position | None = engine.replay({**start, "entries": []})
    replayed = first = 0
    for index, entry in enumerate(entries):
        if not is_last_of_step(steps, index):
            continue
        first, since = index + 1, first
        if now is None and steps[index] is None and entry["type"] not in CORRECTIONS:
            continue  # Only a correction can mend a log that does not stand.
        replayed += index if now is None and steps[index] is None else 0
        if replayed > _most_replayed(entries):
            return None
        before, now = now, position_after(start, entries[: index + 1], now, index + 1 - since)
        if now is not None:
            found[index] = scored_digest(before if steps[index] is None else None, now, entry["type"])
    return found


def position_after(
    start: Mapping[str, Any], entries: Sequence[dict[str, Any]], before: engine.Position | None, count: int
) -> engine.Position | None:
    """The position after the last `count` of these entries, given the one before them; None when they do not
    stand."""
    try:
        if before is not None and count == 1:
            return before.enter(entries[-1])
        return engine.replay({**start, "entries": list(entries)})
    except engine.Refused:
        return None


def scored_digest(before: engine.Position | None, after: engine.Position, kind: str) -> str:
    """A digest of the lines an entry brought; a correction can touch any line, so there it is all of them."""
    is_plain = before is not None and kind not in CORRECTIONS
    return _digest(after, after.last_lines if is_plain else after.lines)


def _digest(now: engine.Position, lines: Sequence[engine.Line]) -> str:
    seat = {name: place for place, name in enumerate(now.table.players)}
    # The canonical JSON of all lines, written out here: of twelve thousand it takes a third of the time.
    signs = {symbol: canonical(symbol).decode() for symbol in {line.symbol for line in lines}}
    scored = ",".join(
        f"[{line.entry},{seat[line.player]},{line.points},{signs[line.symbol]}]" for line in lines
    )
    return hashlib.sha256(f"[{scored}]".encode()).hexdigest()[:16]


def seal(before: str, row: Entry) -> str:
    made_at = row.made_at.astimezone(timezone.get_fixed_timezone(0)).isoformat()
    sealed = [before, row.number, row.entry_id, row.body, row.seat, row.device, made_at]
    # Only where it has one: entries of older versions were sealed without.
    sealed += [] if row.step is None else [row.step]
    return hashlib.sha256(canonical(sealed)).hexdigest()


def table_seal(pad: Pad) -> str:
    """A hash over what is settled with the first entry. Names may change, so seats are only counted."""
    # Of the heading its texts: a database may spell a number otherwise.
    texts = {key: words for key, words in pad.heading.items() if isinstance(words, str)}
    sealed = [pad.game, pad.options, len(pad.players), pad.dealer, pad.variant, texts, pad.engine]
    return hashlib.sha256(canonical(sealed)).hexdigest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
