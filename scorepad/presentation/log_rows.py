"""Rows of the log: each entry as the history tells it."""

from collections.abc import Mapping
from typing import Any

from engine.log import changes_of
from scorepad import ledger
from scorepad.layouts import PadState, describe_entry, layout_of
from scorepad.models import Pad


def row(pad: Pad, now: PadState, recorded: ledger.LogEntry, places: Mapping[str, int]) -> dict[str, Any]:
    """An entry or a correction in words, with its lines, and whether it still stands."""
    entry = recorded.entry
    told: dict[str, Any] = {"target": "", "is_void": False}
    changes = changes_of(entry)
    if changes:
        said = [_change_in_words(now, places[target], instead) for target, instead in changes.items()]
        return {**told, "words": "; ".join(said), "is_correction": True}
    place = recorded.number - 1
    is_insert = entry["type"] == "insert"
    entry = _without_id(entry["entry"] if is_insert else entry)
    words = describe_entry(now, entry)
    if is_insert:
        words += f" ({_inserted_where(recorded.entry['after'], places)})"
    changed = _without_id(now.standing.get(place, entry))
    if changed != entry:
        told["became"] = describe_entry(now, changed)
    lines = [f"{line.player} {line.points:+d}".replace("-", "−") for _, line in now.lines_of.get(place, [])]
    return {
        **told,
        "words": words,
        "target": recorded.id,
        "is_void": place not in now.standing or "became" in told,
        "lines": ", ".join(lines),
        "when": layout_of(pad.game).round_name(now, place),
    }


def _change_in_words(now: PadState, number: int, instead: dict[str, Any] | None) -> str:
    if instead is None:
        return f"Entry {number} struck out"
    return f"Entry {number} corrected: {describe_entry(now, instead)}"


def _inserted_where(target: str | None, places: Mapping[str, int]) -> str:
    return "added before the first entry" if target is None else f"added after entry {places[target]}"


def _without_id(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "id"}
