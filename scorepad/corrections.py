"""Corrections: an old entry taken apart again, rewritten tap by tap, and turned into an entry of the log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import engine
from engine.log import changes_of
from engine.order_of_play import end_of_inserts
from scorepad import taps
from scorepad.forms import with_sum, with_tens
from scorepad.layouts import PadState, layout_of, questions
from scorepad.ledger import validators

UNREADABLE = "This correction cannot be read. Begin it again."


def versions(entries: Iterable[Mapping[str, Any]], target: str) -> list[dict[str, Any] | None]:
    """Each version of an entry without its id, as the log goes on; None where it was struck out."""
    found: list[dict[str, Any] | None] = []
    for entry in entries:
        changes = changes_of(entry)
        if target in changes:
            found.append(changes[target])
        elif entry.get("id") == target:
            made = entry["entry"] if entry["type"] == "insert" else entry
            found.append({key: value for key, value in made.items() if key != "id"})
    return found


def newest_version(entries: Iterable[Mapping[str, Any]], target: str) -> dict[str, Any]:
    """An entry of the log as it stands, or as it stood before it was struck out; without its id."""
    return next(version for version in reversed(versions(entries, target)) if version is not None)


def standing(
    entries: Sequence[Mapping[str, Any]], targets: Iterable[str]
) -> dict[str, dict[str, Any] | None]:
    """The last version of each of these entries, in one walk back; None where it was struck out."""
    wanted = set(targets)
    found: dict[str, dict[str, Any] | None] = {}
    for entry in reversed(entries):
        if not wanted:
            break
        changes = changes_of(entry)
        met = {target: changes[target] for target in wanted & changes.keys()}
        if not changes and entry.get("id") in wanted:
            made = entry["entry"] if entry["type"] == "insert" else entry
            met = {entry["id"]: {key: value for key, value in made.items() if key != "id"}}
        found |= met
        wanted -= met.keys()
    return found


def undo_of(entries: Sequence[Mapping[str, Any]], count: int = 1) -> dict[str, Any]:
    """The correction that undoes the step with which these entries end: the last, or those stored together.

    What was added by it is struck out, what was changed is put back as it stood.
    """
    earlier, last = entries[:-count], entries[-count:]
    added = [entry["id"] for entry in last if not changes_of(entry)]
    changed = [target for entry in last for target in changes_of(entry) if target not in added]
    stood: dict[str, Any] = standing(earlier, changed) | dict.fromkeys(added)
    if count > 1 or last[0]["type"] == "revise":
        now = standing(entries, stood)
        changes = [
            {"of": target, "entry": entry}
            for target, entry in stood.items()
            if entry is not None or now[target] is not None
        ]
        return {"type": "revise", "changes": changes}
    ((target, entry),) = stood.items()
    return (
        {"type": "void", "of": target} if entry is None else {"type": "amend", "of": target, "entry": entry}
    )


class Spot(NamedTuple):
    """A place in the order of play: the position there, and the id of the entry before it."""

    position: engine.Position
    after: str | None


def spot_beside(now: engine.Position, place: int, before: bool) -> Spot | None:
    """The spot right before or after an entry; None where nothing can be inserted right before it."""
    steps = now.steps
    at = next(turn for turn, step in enumerate(steps) if step[0] == place)
    parent = place if not before else steps[at - 1][0] if at else None
    follows = at if before else at + 1
    lands = end_of_inserts(steps, follows, now.parents, parent)
    if before and lands != follows:
        return None  # It was itself inserted there, and what is inserted later follows it.
    position = now.before(steps[lands][0]) if lands < len(steps) else now
    return Spot(position, None if parent is None else now.entries[parent]["id"])


def reopen(state: PadState, entry: dict[str, Any]) -> dict[str, Any]:
    """A whole entry as a partial one with all its lists finished, to be rewritten part by part. A malformed
    one, which does not stand, is begun anew."""
    if not state.is_well_formed(entry):
        return {"type": entry["type"], questions.DONE: []}
    fields = state.entry_types[entry["type"]].fields
    return {**entry, questions.DONE: [place for field in fields for place in _places(field, entry)]}


def _places(field: engine.Field, entry: dict[str, Any]) -> list[str]:
    if field.kind != "each":
        return questions.places_of(field, None)
    return [place for name in entry.get(field.key, {}) for place in questions.places_of(field, name)]


def check_partial(state: PadState, partial: Any) -> dict[str, Any]:
    """Check an entry that is being rewritten. It travels with the form, so it may come back as anything."""
    kind = partial.get("type") if isinstance(partial, dict) else None
    if not isinstance(kind, str) or kind not in state.entry_types:
        raise engine.Refused("bad-entry", UNREADABLE)
    validators.check_storable(partial)
    fields = {field.key: field for field in state.entry_types[kind].fields}
    for key, value in partial.items():
        if key in fields:
            for share in _shares(fields[key], value, state.players):
                engine.check_part(fields[key], share, state.players)
        elif key == questions.DONE:
            if not isinstance(value, list) or not all(isinstance(place, str) for place in value):
                raise engine.Refused("bad-entry", UNREADABLE)
        elif key != "type":
            raise engine.Refused("bad-entry", f'A "{kind}" has no "{key[:40]}". Begin the correction again.')
    return {**partial}


def _shares(field: engine.Field, value: Any, players: Sequence[str]) -> list[Any]:
    """Parts of an answer that can be checked: each player's share, or the whole; an empty one is open."""
    if field.kind != "each":
        return [] if value == {} else [value]
    if not isinstance(value, dict) or not value.keys() <= set(players):
        raise engine.Refused("bad-entry", f'"{field.key}" must have a value for each player. Begin it again.')
    return [share for share in value.values() if share != {}]


def apply_tap(state: PadState, partial: dict[str, Any], form: Mapping[str, str]) -> dict[str, Any]:
    """The entry after one tap of its form: another whole entry, a part of it, or nothing."""
    name = next((name for name in ("enter", "begin", "part", "units", "typed") if name in form), "")
    if not name:
        return partial
    sent = engine.read(form[name].encode())
    if not isinstance(sent, dict):
        raise engine.Refused("bad-entry", "This tap says nothing. Load the page again.")
    validators.check_storable(sent)
    if name in ("enter", "begin"):
        entry = check_partial(state, sent)
        return reopen(state, entry) if name == "enter" else entry
    if name == "units":
        sent = with_tens(sent, form.get("tens", "0"))
    if name == "typed":
        sent = with_sum(sent, form.get("sum", ""))
    layout = layout_of(state.game)
    partial = layout.partial_entry(replace(state, partial=partial))
    if partial.get("type") not in state.entry_types:
        raise engine.Refused("bad-entry", UNREADABLE)
    entry_type = state.entry_types[partial["type"]]
    taps.check_sent(partial, sent, entry_type, state.players)
    if "rest" in sent:
        asked = layout.questions(replace(state, partial=partial))
        return questions.answer_rest(partial, asked, entry_type, state.players)
    after = questions.apply_part(partial, sent, entry_type, state.players)
    return layout.without_stale(replace(state, partial=after), str(sent["at"][0]))


def correction_entry(entry_id: str, partial: Mapping[str, Any], strike: bool) -> dict[str, Any]:
    """The entry that corrects another one in the log, or strikes it out."""
    if strike:
        return {"type": "void", "of": entry_id}
    return {"type": "amend", "of": entry_id, "entry": questions.complete_entry(partial)}
