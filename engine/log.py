"""The log of a sheet, read before it is replayed: known types, ids of their own, and corrections."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

from engine.fields import Blank, quote
from engine.order_of_play import Parents, Step, order_of_play
from engine.rules import Entry, EntryType, Field, Refused, listed
from engine.strict_json import is_surrogate

MAX_CHANGES = 200

TARGET = Field("of", "target", "Which entry?")
INSTEAD = Field("entry", "entry", "What happened?")
CORRECTIONS = (
    EntryType("void", "An entry that no longer counts", (TARGET,)),
    EntryType("amend", "An entry that should have read differently", (TARGET, INSTEAD)),
    EntryType(
        "revise",
        "Several entries that should have read differently, or no longer count",
        (Field("changes", "changes", "Which entries, and what happened?", least=1, most=MAX_CHANGES),),
    ),
    EntryType(
        "insert",
        "An entry that was forgotten",
        (Field("after", "target", "After which entry? null is before the first.", nullable=True), INSTEAD),
    ),
)
CORRECTION_KINDS = frozenset(entry_type.key for entry_type in CORRECTIONS)
CHANGE_FIELDS = frozenset(("of", "entry"))

#: Where each id stands in the log; None for the id of a correction, which cannot itself be corrected.
Places = Mapping[str, int | None]


class Log(NamedTuple):
    """A log that was read: what stands at each place, in order of play, and where each id is."""

    steps: list[Step]
    places: dict[str, int | None]
    parents: Parents


def read_log(blanks: Mapping[str, Blank], entries: Sequence[Any]) -> Log:
    """Read a whole log, every correction made, or refuse the first fault in it."""
    kept: dict[int, Entry | None] = {}
    places: dict[str, int | None] = {}
    parents: dict[int, int | None] = {}
    for index, entry in enumerate(entries):
        kind = read_entry(blanks, places, index, entry)
        if kind not in CORRECTION_KINDS:
            kept[index] = entry
        elif kind == "insert":
            kept[index] = entry["entry"]
            parents[index] = parent_of(places, entry)
        else:
            correct(kept, places, index, entry)
        if "id" in entry:
            places[entry["id"]] = place_of(kind, index)
    return Log(order_of_play(kept, parents), places, parents)


def place_of(kind: str, index: int) -> int | None:
    """The place that the id of this entry stands for: none for a correction, but that of what it inserts."""
    return index if kind == "insert" or kind not in CORRECTION_KINDS else None


def parent_of(places: Places, insert: Entry) -> int | None:
    """The place after which an entry is inserted; None before all others."""
    return None if insert["after"] is None else places[insert["after"]]


def changes_of(entry: Mapping[str, Any]) -> dict[str, Entry | None]:
    """What shall stand at each target of a void, an amend or a revise: None where nothing does.

    Empty for a plain entry, and for an insert: it takes nothing's place.
    """
    if entry["type"] == "revise":
        return {change["of"]: change["entry"] for change in entry["changes"]}
    return {entry["of"]: entry.get("entry")} if entry["type"] in ("void", "amend") else {}


def correct(kept: MutableMapping[int, Entry | None], places: Places, index: int, entry: Entry) -> None:
    """Make the changes of a correction in what stands at each place; void can become only what stands."""
    for target, instead in changes_of(entry).items():
        place = places[target]
        assert place is not None  # read_entry has found it
        if instead is None and kept[place] is None:
            raise Refused("already-void", f"The entry {quote(target)} is void already.", index)
        kept[place] = instead


def read_entry(blanks: Mapping[str, Blank], places: Places, index: int, entry: Any) -> str:
    """Read one more entry of the log: its type, its id and, of a correction, its targets. Return its type."""
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
                "duplicate-id",
                f"The id {quote(name)} is already in the log. Each entry needs an id of its own.",
                index,
            )
    if kind in CORRECTION_KINDS:
        try:
            blanks[kind].check_fields(entry)
            _SHAPES[kind](blanks, entry)
            _check_targets(places, entry)
        except Refused as refused:
            refused.entry = index
            raise
    return kind


def _check_void(blanks: Mapping[str, Blank], entry: Entry) -> None:
    _check_target("of", entry["of"])


def _check_amend(blanks: Mapping[str, Blank], entry: Entry) -> None:
    _check_target("of", entry["of"])
    _check_instead(blanks, entry["entry"])


def _check_insert(blanks: Mapping[str, Blank], entry: Entry) -> None:
    if entry["after"] is not None:
        _check_target("after", entry["after"])
    _check_instead(blanks, entry["entry"])


def _check_revise(blanks: Mapping[str, Blank], entry: Entry) -> None:
    changes = entry["changes"]
    if type(changes) is not list or not 1 <= len(changes) <= MAX_CHANGES:
        raise Refused("bad-entry", f'"changes" must be a list of 1 to {MAX_CHANGES} changes.')
    seen = set()
    for change in changes:
        if type(change) is not dict or change.keys() != CHANGE_FIELDS:
            raise Refused("bad-entry", 'A change is an object of "of" and "entry", and nothing else.')
        _check_target("of", change["of"])
        if change["of"] in seen:
            raise Refused("bad-entry", f"The entry {quote(change['of'])} is changed twice. Change it once.")
        seen.add(change["of"])
        if change["entry"] is not None:
            _check_instead(blanks, change["entry"])


_SHAPES = {"void": _check_void, "amend": _check_amend, "revise": _check_revise, "insert": _check_insert}


def _check_target(key: str, target: object) -> None:
    if type(target) is not str:
        raise Refused("bad-entry", f'"{key}" must be the id of an entry, not {quote(target)}.')


def _check_instead(blanks: Mapping[str, Blank], instead: Any) -> None:
    plain = [kind for kind in blanks if kind not in CORRECTION_KINDS]
    if type(instead) is not dict or instead.get("type") not in plain:
        raise Refused("bad-entry", f'"entry" must be an entry of this game: {listed(plain)}.')
    if "id" in instead:
        says = (
            "An entry inside a correction has no id: it is known by that of the entry it corrects or inserts."
        )
        raise Refused("bad-entry", says)


def _check_targets(places: Places, entry: Entry) -> None:
    if entry["type"] == "insert":
        targets = [] if entry["after"] is None else [entry["after"]]
    else:
        targets = [*changes_of(entry)]
    for target in targets:
        if places.get(target) is None:
            raise Refused(
                "unknown-target", f"No earlier entry has the id {quote(target)}, so it cannot be corrected."
            )


def _is_text(name: str) -> bool:
    return name.isascii() or not any(is_surrogate(sign) for sign in name)
