"""Prospects: what the correction page would store, with its consequences; and what belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorepad import ledger, previews, rounds
from scorepad.layouts import PadState, describe_entry
from scorepad.models import Pad
from scorepad.rounds import Changes, Round

ADDED_MOST = 4
"""Entries struck out at most beside the one that is corrected: more is no correction but another game."""


@dataclass(frozen=True)
class Prospect:
    """Entries to store, several of them together; in words; and what is foreseen of them.

    `instead_of` is why the one correction that was asked for cannot stand alone.
    """

    entries: Sequence[dict[str, Any]]
    words: str
    foreseen: Mapping[str, Any]
    parts: Sequence[str] = ()
    instead_of: Mapping[str, Any] | None = None

    @property
    def stands(self) -> bool:
        return self.foreseen["error"] is None


def foresee(pad: Pad, entries: Sequence[dict[str, Any]], words: str, parts: Sequence[str] = ()) -> Prospect:
    return Prospect(entries, words, previews.preview_together(pad, entries), parts)


def foresee_changes(pad: Pad, state: PadState, changes: Changes, words: str) -> Prospect:
    """Several changes at once, each of them in words."""
    return foresee(pad, [rounds.revise_of(changes)], words, describe_changes(state, changes))


def describe_changes(state: PadState, changes: Changes) -> list[str]:
    said = []
    for target, instead in changes.items():
        place = state.position.places[target]
        assert place is not None
        stood = state.standing.get(place)
        was = describe_entry(state, rounds.bare(stood)) if stood else "Nothing"
        said.append(f"{was} {'becomes ' + describe_entry(state, instead) if instead else 'is struck out'}")
    return said


def belonging(pad: Pad, whole: Round, of: str, old: Mapping[str, Any], alone: Prospect) -> Prospect:
    """The correction of one entry as it is, or the set it can stand with if it cannot stand alone."""
    correction = alone.entries[0]
    new = correction.get("entry")
    candidates = rounds.belonging(whole, of, old, new)
    for changes in (*candidates, _with_those_at_fault(pad, whole.state, {of: new}, alone)):
        if len(changes) > 1:
            found = foresee_changes(pad, whole.state, changes, "These belong together")
            if found.stands:
                return Prospect(
                    found.entries, found.words, found.foreseen, found.parts, alone.foreseen["error"]
                )
    return alone


def _with_those_at_fault(pad: Pad, state: PadState, changes: Changes, alone: Prospect) -> Changes:
    """The change, and each later entry that cannot stand after it struck out; itself if that is no way."""
    found, foreseen = dict(changes), alone.foreseen
    for _ in range(ADDED_MOST):
        at = foreseen.get("at")
        if foreseen["error"] is None:
            return found
        if not at or not at["id"] or at["id"] in found or at["entry"] not in state.standing:
            return changes
        found[at["id"]] = None
        foreseen = previews.preview(pad, rounds.revise_of(found))
    return found if foreseen["error"] is None else changes


def following(correction: Mapping[str, Any], follows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A correction and what follows from it at once, each after the one before."""
    entries = [dict(correction)]
    after = correction["id"] if correction["type"] == "insert" else correction["of"]
    for entry in follows:
        entries.append({"id": ledger.new_id(), "type": "insert", "after": after, "entry": entry})
        after = entries[-1]["id"]
    return entries
