"""Undo: what the phone that asks may take back. Its own last tap; what others have entered is corrected."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.log import MAX_CHANGES, changes_of
from scorepad import corrections, drafts
from scorepad.layouts import PadState, describe_entry
from scorepad.layouts.keys import card_words, label, spoken
from scorepad.ledger import Replay, StoredEntry


@dataclass(frozen=True)
class Offer:
    """A key that takes back one tap: the form field it sends, as JSON, and what that tap was.

    `correct` is the entry to open for correction instead, where undoing it would touch what came after it.
    """

    name: str = ""
    value: str = ""
    words: str = ""
    correct: str = ""


NOTHING = Offer()


@dataclass(frozen=True)
class Target:
    """An entry that can be opened again: its id, and its place in the log."""

    entry_id: str
    place: int


def offer(state: PadState, drafted: Mapping[str, Any] | None, replay: Replay, phone: str) -> Offer:
    """The last tap of this phone that still shows, and how to take it back."""
    if drafted and (found := _offer_part(drafted, state, phone)):
        return found
    is_begun = bool(drafted and drafted["filled"])
    for row in reversed(replay.recent):
        # An entry of an older version, or of a program, is of no phone: anybody may take it back.
        if row.phone in (None, phone) and (found := _offer_entry(state, replay, row, is_begun)):
            return found
    last = state.last_place
    return _correction(state, last) if last >= 0 and not is_begun else NOTHING


def _offer_part(drafted: Mapping[str, Any], state: PadState, phone: str) -> Offer | None:
    """The newest tap of this phone in the entry being made."""
    own = [(stroke, part) for part in drafted["filled"] for stroke in part["strokes"] if stroke[0] == phone]
    if not own:
        return None
    newest = max(stroke[1] for stroke, _ in own)
    stroke, part = [(stroke, part) for stroke, part in own if stroke[1] == newest][-1]
    _, _, what, leaf = stroke
    at = [part["field"], *([part["player"]] if part["player"] is not None else [])]
    value = drafted["entry"].get(part["field"])
    value = (value or {}).get(part["player"]) if part["player"] is not None else value
    inside = value.get(leaf) if leaf and isinstance(value, Mapping) else value
    at += [leaf] if leaf else []
    whose = part["player"] or f"{label(part['field'])}:"
    if what == drafts.ADD and isinstance(inside, list):
        place = _place_of(part["strokes"], stroke)
        sent = {"at": at, "drop": place, "piece": inside[place]}
        return Offer("part", json.dumps(sent), f"{whose} {describe_value(inside[place], state.players)}")
    if what == drafts.DONE:
        return Offer("part", json.dumps({"at": at, "open": True}), f"{whose} that is all")
    words = f"{whose} {describe_value(inside, state.players)}"
    return Offer("part", json.dumps({"at": at, "clear": True}), words)


def _place_of(strokes: Sequence[Sequence[Any]], stroke: Sequence[Any]) -> int:
    """The place of the piece that a tap added: pieces and their taps are in the same order."""
    added = [one for one in strokes if one[2] == drafts.ADD and one[3] == stroke[3]]
    return max(place for place, one in enumerate(added) if list(one) == list(stroke))


def _offer_entry(state: PadState, replay: Replay, row: StoredEntry, is_begun: bool) -> Offer | None:
    """The way to take back one entry of the log; None if there is nothing of it left."""
    kind, place = row.body["type"], row.number - 1
    if row.step is not None and row.number == replay.head and not is_begun:
        return _offer_step(state, row.number - row.step + 1)
    if kind == "void":
        return None
    is_last = not is_begun and not _is_entered_since(replay, row)
    targets = list(changes_of(row.body))
    if not targets and place not in state.standing:
        return None
    if row.has_answers and is_last and made_whole(replay, row) is not None:
        words = describe_entry(state, state.standing[_place_in(replay, row)])
        return Offer("part", json.dumps({"reopen": row.entry_id}), words)
    if targets:
        return _offer_change(state, replay, row, targets[0], is_last)
    words = describe_entry(state, state.standing[place])
    if is_last:
        return Offer("enter", json.dumps({"type": "void", "of": row.entry_id}), words)
    return Offer(words=words, correct=row.entry_id)


def _offer_step(state: PadState, count: int) -> Offer | None:
    """Entries that were stored together are taken back together; None where one correction cannot do it."""
    undoing = _without_malformed(state, corrections.undo_of(state.position.entries, count))
    if not 1 <= len(undoing["changes"]) <= MAX_CHANGES:
        return None
    return Offer("enter", json.dumps(undoing), f"{count} entries")


def _offer_change(
    state: PadState, replay: Replay, row: StoredEntry, target: str, is_last: bool
) -> Offer | None:
    """A correction is taken back by what stood before it, while it is the newest."""
    entries = state.position.entries
    if is_last and row.number == replay.head:
        undoing = _without_malformed(state, corrections.undo_of(entries))
        return Offer("enter", json.dumps(undoing), "the correction")
    place = state.position.places.get(target)
    return _correction(state, place) if place is not None and place in state.standing else None


def _correction(state: PadState, place: int) -> Offer:
    entry_id = state.entry_id(place)
    words = describe_entry(state, state.standing[place])
    return Offer(words=words, correct=entry_id) if entry_id else NOTHING


def _is_entered_since(replay: Replay, row: StoredEntry) -> bool:
    """True if anything that counts came after this row. What was struck out again leaves nothing behind."""
    later = [one for one in replay.recent if one.number > row.number and one.body["type"] != "void"]
    standing = replay.standing_position().standing if later else {}
    return any(one.body["type"] in ("amend", "revise") or one.number - 1 in standing for one in later)


def reopenable(replay: Replay, drafted: Mapping[str, Any] | None, row: StoredEntry) -> Target | None:
    """The entry that opens again, if nothing was entered or begun since."""
    is_begun = bool(drafted and drafted["filled"])
    if is_begun or not row.has_answers or _is_entered_since(replay, row):
        return None
    return made_whole(replay, row)


def made_whole(replay: Replay, row: StoredEntry) -> Target | None:
    """The entry that a row has made whole: itself, or the one it amends."""
    target = str(row.body["of"]) if row.body["type"] == "amend" else row.entry_id
    place = _place_in(replay, row)
    return Target(target, place) if place in replay.standing_position().standing else None


def _place_in(replay: Replay, row: StoredEntry) -> int:
    if row.body["type"] != "amend":
        return row.number - 1
    place = replay.standing_position().places.get(row.body["of"])
    return -1 if place is None else place


def describe_value(value: Any, players: Sequence[str]) -> str:
    """A value as one speaks of it; a name is left as it is."""
    if value is None:
        return "nobody"
    if isinstance(value, dict):
        return ", ".join(describe_value(part, players) for part in value.values() if part is not None)
    if isinstance(value, list):
        return ", ".join(card_words(piece) for piece in value) or "nothing"
    return str(value) if value in players else spoken(card_words(value) if type(value) is str else value)


def _without_malformed(state: PadState, undo: dict[str, Any]) -> dict[str, Any]:
    """The same correction; what was malformed before it strikes out instead, since that could not stand."""
    if undo["type"] == "revise":
        changes = [
            change if change["entry"] and state.is_well_formed(change["entry"]) else {**change, "entry": None}
            for change in undo["changes"]
        ]
        return {**undo, "changes": changes}
    if undo["type"] == "amend" and not state.is_well_formed(undo["entry"]):
        return {"type": "void", "of": undo["of"]}
    return undo
