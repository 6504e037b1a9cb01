"""Last entry: the line that says what was entered last, and how to take it back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.log import changes_of
from scorepad import corrections, ledger
from scorepad.layouts import PadState, describe_entry, layout_of, who_and_what
from scorepad.layouts.keys import label
from scorepad.models import Pad
from scorepad.undo import NOTHING, Offer
from scorepad.undo import describe_value as describe_value

NAMES_ANOTHER = {"amend": " (corrected)", "insert": " (added later)"}
"""Corrections that are told by the entry inside them."""


@dataclass(frozen=True)
class LastEntry:
    """The newest entry, or the newest part of the one being made, and the tap that undoes it."""

    who: str = ""
    what: str = ""
    by: str = ""
    at: datetime | None = None
    state: str = ""
    undo: Offer = NOTHING
    put_back: str = ""

    @property
    def spoken(self) -> str:
        return f"{self.who} {self.what}".strip()


def last_entry(
    pad: Pad,
    state: PadState,
    drafted: Mapping[str, Any] | None,
    newest: Sequence[ledger.LogEntry],
    undo: Offer = NOTHING,
) -> LastEntry:
    """The line above the keys; `undo` is what this phone may take back."""
    if drafted and drafted["filled"]:
        return _last_part(state, drafted, undo)
    if not newest:
        return LastEntry()
    recorded, layout = newest[-1], layout_of(pad.game)
    count = 1 if recorded.step is None else recorded.number - recorded.step + 1
    who = recorded.who.named(pad.players)
    if count > 1:
        return LastEntry("Entered together:", f"{count} entries", who, recorded.made_at, "Stored", undo)
    if recorded.entry["type"] == "void":
        target = corrections.newest_version(state.position.entries, recorded.entry["of"])
        words = " ".join(who_and_what(state, target))
        back = _put_back(state, recorded.entry["of"], target)
        return LastEntry("Undone:", words, who, recorded.made_at, "Stored", undo, put_back=back)
    if recorded.entry["type"] == "revise":
        bold, what = _revised(state, recorded.entry)
        return LastEntry(bold, what, who, recorded.made_at, "Stored", undo)
    entry = recorded.entry["entry"] if recorded.entry["type"] in NAMES_ANOTHER else recorded.entry
    bold, what = who_and_what(state, entry)
    what += NAMES_ANOTHER.get(recorded.entry["type"], "")
    place = len(state.position.entries) - 1
    points = sum(line.points for _, line in state.lines_of.get(place, []) if line.player == bold)
    if points and layout.last_entry_has_points:
        what = f"{what}, {points}"
    return LastEntry(bold, what, who, recorded.made_at, "Stored", undo)


def _revised(state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    """Several changes at once, as short as they can be told: where they are, and whose part is whose now."""
    changes, layout = changes_of(entry), layout_of(state.game)
    places = [place for target in changes if (place := state.position.places[target]) is not None]
    where = {layout.round_name(state, place) for place in places}
    name = where.pop() if len(where) == 1 else ""
    stood = corrections.standing(state.position.entries[:-1], changes)
    given = {_given(state, stood[target], instead) for target, instead in changes.items()}
    count = f"{len(changes)} entr{'y' if len(changes) == 1 else 'ies'}"
    if not any(changes.values()):
        return "Struck out:", f"{name}, {count}" if name else count
    if len(given) == 1 and (pair := given.pop()):
        count = f"{pair[0]} to {pair[1]}"
    return "Corrected:", f"{name}, {count}" if name else count


def _given(
    state: PadState, stood: Mapping[str, Any] | None, instead: Mapping[str, Any] | None
) -> tuple[str, str] | None:
    """From whom an entry was taken and to whom it was given; None where it was changed in another way."""
    one, other = (entry.get("player") if entry else None for entry in (stood, instead))
    # In a declared game a field of this name may be something else.
    if one == other or one not in state.players or other not in state.players:
        return None
    return one, other


def changes_in_words(state: PadState, most: int) -> list[str]:
    """The first changes of the newest entry, each with what stood before it; none if it changed nothing."""
    *earlier, newest = state.position.entries or ({"type": ""},)
    changes = dict(list(changes_of(newest).items())[:most]) if newest["type"] == "revise" else {}
    stood = corrections.standing(earlier, changes)
    return [_change_in_words(state, stood[target], instead) for target, instead in changes.items()]


def _change_in_words(
    state: PadState, stood: Mapping[str, Any] | None, instead: Mapping[str, Any] | None
) -> str:
    was = describe_entry(state, stood) if stood else "Nothing"
    return f"{was} becomes {describe_entry(state, instead)}" if instead else f"{was} is struck out"


def _last_part(state: PadState, drafted: Mapping[str, Any], undo: Offer) -> LastEntry:
    part = drafted["filled"][-1]
    value = drafted["entry"].get(part["field"])
    if part["player"] is not None:
        value = (value or {}).get(part["player"])
        words = describe_value(value, state.position.table.players)
        made = datetime.fromisoformat(part["made"])
        return LastEntry(
            part["player"],
            words,
            part["who"] or "",
            made,
            "Not entered yet",
            undo,
        )
    made = datetime.fromisoformat(part["made"])
    question = label(part["field"])
    return LastEntry(
        f"{question}:",
        describe_value(value, state.position.table.players),
        part["who"] or "",
        made,
        "Not entered yet",
        undo,
    )


def _put_back(state: PadState, of: str, target: Mapping[str, Any]) -> str:
    """The correction that takes back a striking out; none for a malformed entry, which could not stand."""
    return json.dumps({"type": "amend", "of": of, "entry": target}) if state.is_well_formed(target) else ""
