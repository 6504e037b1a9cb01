"""The log of a sheet, read before it is replayed: known types, ids of their own, and corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.fields import Blank, quote
from engine.rules import Entry, EntryType, Field, Refused, listed
from engine.strict_json import is_surrogate

TARGET = Field("of", "target", "Which entry?")
CORRECTIONS = (
    EntryType("void", "An entry that counts no longer", (TARGET,)),
    EntryType(
        "amend",
        "An entry that should have read otherwise",
        (TARGET, Field("entry", "entry", "What happened?")),
    ),
)
CORRECTION_KINDS = frozenset(entry_type.key for entry_type in CORRECTIONS)

#: Where each id stands in the log; None for the id of a correction, which cannot itself be corrected.
Places = dict[str, int | None]


def read_log(blanks: Mapping[str, Blank], entries: Sequence[Any]) -> tuple[list[Entry | None], Places]:
    """Return what stands at each place once every correction is made, and where each id is."""
    kept: list[Entry | None] = list(entries)
    places: Places = {}
    for index, entry in enumerate(entries):
        if read_entry(blanks, places, index, entry) in CORRECTION_KINDS:
            kept[index] = None
            _correct(kept, places, index, entry)
    return kept, places


def standing(entries: Sequence[Entry], places: Places) -> list[Entry | None]:
    """The entry at each place of a log that was read before; None for a correction and for what is void."""
    kept: list[Entry | None] = list(entries)
    for index, entry in enumerate(entries):
        if entry["type"] in CORRECTION_KINDS:
            kept[index] = None
            _correct(kept, places, index, entry)
    return kept


def read_entry(blanks: Mapping[str, Blank], places: Places, index: int, entry: Any) -> str:
    """Read an entry into the log: its type, its id and, of a correction, its target. Return its type."""
    if type(entry) is not dict or type(entry.get("type")) is not str:
        raise Refused("bad-entry", 'An entry is an object with a "type", which is a word.', index)
    kind: str = entry["type"]
    if kind not in blanks:
        raise Refused(
            "unknown-entry", f"This game has no entry {quote(kind)}. It has {listed([*blanks])}.", index
        )
    if "id" in entry:
        name = entry["id"]
        if type(name) is not str or not name or not _is_text(name):
            raise Refused("bad-entry", 'An "id" is a text that is not empty.', index)
        if name in places:
            raise Refused(
                "duplicate-id", f"The id {quote(name)} stands in the log already. Give each its own.", index
            )
        places[name] = None if kind in CORRECTION_KINDS else index
    if kind in CORRECTION_KINDS:
        try:
            blanks[kind].check_fields(entry)
            _check_correction(blanks, places, entry)
        except Refused as refused:
            refused.entry = index
            raise
    return kind


def _check_correction(blanks: Mapping[str, Blank], places: Places, entry: Entry) -> None:
    target = entry["of"]
    if type(target) is not str:
        raise Refused("bad-entry", f'"of" must be the id of an entry, not {quote(target)}.')
    if entry["type"] == "amend":
        instead = entry["entry"]
        plain = [kind for kind in blanks if kind not in CORRECTION_KINDS]
        if type(instead) is not dict or instead.get("type") not in plain:
            raise Refused("bad-entry", f'"entry" must be an entry of this game: {listed(plain)}.')
        if "id" in instead:
            raise Refused(
                "bad-entry", "An entry that stands instead of another has no id: it keeps the other's."
            )
    if places.get(target) is None:
        raise Refused(
            "unknown-target", f"No earlier entry has the id {quote(target)}, so it cannot be corrected."
        )


def _correct(kept: list[Entry | None], places: Places, index: int, entry: Entry) -> None:
    place = places[entry["of"]]
    assert place is not None  # _check_correction has found it
    if entry["type"] == "amend":
        kept[place] = entry["entry"]
    elif kept[place] is None:
        raise Refused("already-void", f"The entry {quote(entry['of'])} is void already.", index)
    else:
        kept[place] = None


def _is_text(name: str) -> bool:
    return name.isascii() or not any(is_surrogate(sign) for sign in name)
