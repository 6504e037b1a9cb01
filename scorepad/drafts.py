"""Drafts: the entry that several phones fill in together, stored beside the log until it is appended whole.

A part is one field, or one player's share of a field that asks every player. Who filled what is kept; totals
do not move until the draft is complete and appended. Its id becomes the entry's: completing it twice is once.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

import engine
from engine import EntryType, Field
from scorepad import ledger
from scorepad.exports import stamp
from scorepad.ledger import Who, seat_names, validators
from scorepad.ledger.retry import retry_transaction
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Draft, Entry, Pad


class Stroke(NamedTuple):
    """One tap that a part still shows: on which phone, in which revision, what it did, and to which leaf."""

    phone: str
    revision: int
    what: str
    leaf: str


ADD, PUT, DONE = "add", "put", "done"
TAPS_KEPT = 50
"""Taps of a draft whose ids are known: one of them that comes again is no other."""


@dataclass(frozen=True)
class Part:
    """One filled blank. `of` is the seat whose share it is, when the field asks everyone."""

    field: str
    of: int | None
    value: Any
    who: Who
    made: str
    is_open: bool = False
    """More is to come: cards are still being picked, so the part does not count as filled yet."""
    is_none: bool = False
    """Filled with nothing, where nothing is an answer: no player rapped."""
    revision: int = 0
    """The revision of the draft that brought it."""
    strokes: tuple[Stroke, ...] = ()

    def as_stored(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "of": self.of,
            "value": self.value,
            "seat": self.who.seat,
            "device": self.who.device,
            "made": self.made,
            "open": self.is_open,
            "none": self.is_none,
            "phone": self.who.phone,
            "revision": self.revision,
            "strokes": [list(stroke) for stroke in self.strokes],
        }


def current(pad: Pad) -> dict[str, Any] | None:
    """The draft of a pad as people read it, or None."""
    return as_dict(pad, find(pad))


def find(pad: Pad) -> Draft | None:
    return Draft.objects.filter(pad=pad).first()


def _is_of_game(pad: Pad, draft: Draft) -> bool:
    """False for a draft of a kind that this game does not have any more: it is as good as none."""
    return any(declared.key == draft.kind for declared in ledger.game_of(pad).entries)


@retry_transaction
def fill(pad: Pad, kind: Any, puts: Any, who: Who, tap_id: Any = None) -> dict[str, Any] | None:
    """Put parts into the draft, beginning one when there is none; returns it as people read it."""
    with transaction.atomic():
        ledger.lock(pad)
        draft = find(pad)
        # What this tap has begun is whole by now: a draft of its name would count as entered already.
        if _entered_as(pad, tap_id) is None:
            draft = put_parts(pad, draft, kind, puts, who, tap_id)
            save(pad, draft)
    return as_dict(pad, draft)


def put_parts(pad: Pad, draft: Draft | None, kind: Any, puts: Any, who: Who, tap_id: Any = None) -> Draft:
    """The draft with these parts, not saved yet; one that is begun by them is named by the tap. A put with a
    null value clears its part.

    With "none" the answer is nothing, and that is an answer; with "open" more is to come.
    """
    declared = _declared(pad, kind)
    if not isinstance(puts, list) or len(puts) > limit("DRAFT_PUTS_MOST"):
        raise engine.Refused("bad-draft", '"put" must be a list of parts: {"field", "player", "value"}.')
    ledger.check_open(pad)
    if draft is None or not _is_of_game(pad, draft):
        # A row that is as good as none is used again: a pad has one.
        row = draft.pk if draft is not None else None
        own_id = validators.entry_id(tap_id) or ledger.new_id()
        draft = Draft(pk=row, pad=pad, entry_id=own_id, kind=declared.key, revision=0)
    elif draft.kind != declared.key:
        raise engine.Refused("other-draft", f'A "{draft.kind}" is being filled in. Finish or drop it first.')
    parts = {(part.field, part.of): part for part in _parts(pad, draft)}
    for put in puts:
        part = _read_part(pad, declared, put, who)
        before = parts.pop((part.field, part.of), None)
        if part.value is not None or part.is_none:
            strokes = strokes_after(before, part, draft.revision + 1)
            parts[part.field, part.of] = replace(part, revision=draft.revision + 1, strokes=strokes)
    draft.parts = [part.as_stored() for part in parts.values()]
    if len(json.dumps(draft.parts)) > limit("DRAFT_BYTES_MOST"):
        raise engine.Refused("bad-draft", "This draft is too long.")
    if isinstance(tap_id, str) and len(tap_id) <= limit("ENTRY_ID_LENGTH_MOST"):
        draft.taps = [*(draft.taps or ()), tap_id][-TAPS_KEPT:]
    draft.revision += 1
    draft.changed_at = timezone.now()
    return draft


def strokes_after(before: Part | None, part: Part, revision: int) -> tuple[Stroke, ...]:
    """The taps that a part shows: those of before that are still there, and the new ones."""
    old, new = _leaves(before.value) if before else {}, _leaves(part.value)
    strokes = [stroke for stroke in (before.strokes if before else ()) if stroke.leaf in new]
    for leaf, value in new.items():
        had = old.get(leaf)
        if leaf in old and had == value:
            continue
        if not isinstance(value, list):
            strokes = [stroke for stroke in strokes if stroke.leaf != leaf]
            strokes.append(Stroke(part.who.phone, revision, PUT, leaf))
            continue
        own = [stroke for stroke in strokes if stroke.leaf == leaf and stroke.what == ADD]
        own = _aligned(own, had if isinstance(had, list) else [], value)
        own += [Stroke(part.who.phone, revision, ADD, leaf)] * (len(value) - len(own))
        strokes = [stroke for stroke in strokes if stroke.leaf != leaf] + own
    if part.is_open:
        return tuple(stroke for stroke in strokes if stroke.what != DONE)
    if before is not None and before.is_open and old == new:
        strokes.append(Stroke(part.who.phone, revision, DONE, next(iter(new), "")))
    return tuple(strokes)


def _leaves(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"": value}


def _aligned(strokes: list[Stroke], had: list[Any], has: list[Any]) -> list[Stroke]:
    """The taps of the pieces that are still in a list."""
    if len(strokes) != len(had):
        return []
    if has[: len(had)] == had:
        return strokes
    for gone in range(len(had)):
        if had[:gone] + had[gone + 1 :] == has:
            return strokes[:gone] + strokes[gone + 1 :]
    return []


def part_at(pad: Pad, draft: Draft | None, at: Sequence[str]) -> Part | None:
    """The part that holds the answer at this place."""
    if draft is None or not _is_of_game(pad, draft):
        return None
    names = [*pad.players, None]
    places = ((part, None if part.of is None else names[part.of]) for part in _parts(pad, draft))
    return next((part for part, name in places if part.field == at[0] and name in (None, *at[1:2])), None)


def reopened(
    pad: Pad, draft: Draft | None, entry: Mapping[str, Any], of: str, answers: list[Any], tap_id: str
) -> Draft:
    """A draft with these answers of an entry, to be amended with it; not saved yet. Its id follows from that
    of the tap, which is the id of the striking out."""
    row = draft.pk if draft is not None else None
    revision = max((part.get("revision", 0) for part in answers), default=0) + 1
    own_id = hashlib.sha256(f"again {tap_id}".encode()).hexdigest()[:32]
    made = Draft(pk=row, pad=pad, entry_id=own_id, kind=entry["type"], amends=of, parts=answers)
    made.revision, made.changed_at = revision, timezone.now()
    return made


def save(pad: Pad, draft: Draft) -> None:
    draft.save()
    notify.wake(pad.code, notify.DRAFT)


def drop(pad: Pad) -> None:
    Draft.objects.filter(pad=pad).delete()
    notify.wake(pad.code, notify.DRAFT)


def begin(pad: Pad, kind: Any, who: Who, tap_id: Any = None) -> None:
    """Begin an entry of this kind; with none, take back one that was begun and has no answer yet."""
    if kind is None:
        drop_unanswered(pad)
    else:
        fill(pad, kind, [], who, tap_id)


@retry_transaction
def drop_unanswered(pad: Pad, entry_id: str | None = None) -> Draft | None:
    """Drop the draft if it has no answer yet, and this name if one is given; return the draft that stays."""
    with transaction.atomic():
        ledger.lock(pad)
        draft = find(pad)
        if draft is None or _parts(pad, draft) or entry_id not in (None, draft.entry_id):
            return draft
        drop(pad)
    return None


@retry_transaction
def complete(pad: Pad, entry_id: Any, who: Who) -> tuple[int, ledger.Outcome]:
    """Append the draft as one entry. When another phone was quicker, the answer is that it is known."""

    def append(base: ledger.Replay) -> tuple[int, ledger.Outcome]:
        draft = find(pad)
        if draft is None or not _is_of_game(pad, draft) or draft.entry_id != entry_id:
            return _completed_before(pad, entry_id)
        replay, known = ledger.catch_up_locked(pad, [draft.entry_id], base)
        appended = append_entry(pad, draft, replay, known, who)
        return appended.replay.head, appended.outcomes[0]

    return ledger.with_lock(pad, append)


def append_entry(
    pad: Pad,
    draft: Draft,
    replay: ledger.Replay,
    known: dict[str, ledger.StoredEntry],
    who: Who,
    answers: list[Any] | None = None,
) -> ledger.Appended:
    """Append the draft of a locked pad as one entry; the draft is deleted unless the entry is refused.

    `answers` are its parts before the last one, with which it can be opened again.
    """
    entry = _entry(pad, draft)
    if draft.amends:
        entry = {"type": "amend", "of": draft.amends, "entry": entry}
    told = ledger.Told(answers={draft.entry_id: answers}) if answers else ledger.Told()
    appended = ledger.append_locked(pad, replay, known, [{"id": draft.entry_id, **entry}], who, told)
    if appended.outcomes[0].status != ledger.REFUSED:
        if draft.pk is not None:
            draft.delete()
        notify.wake(pad.code, *([notify.ENTRY] if appended.has_stored else []), notify.DRAFT)
    return appended


def _entered_as(pad: Pad, entry_id: Any) -> Entry | None:
    is_id = isinstance(entry_id, str) and validators.is_storable_text(entry_id)
    return pad.entries.filter(entry_id=entry_id).first() if is_id else None


def _completed_before(pad: Pad, entry_id: Any) -> tuple[int, ledger.Outcome]:
    row = _entered_as(pad, entry_id)
    if row is None:
        raise engine.Refused("no-draft", "This draft is no longer there. Begin the entry again.")
    return ledger.head(pad), ledger.Outcome(row.entry_id, ledger.KNOWN, row.number)


def _declared(pad: Pad, kind: Any) -> EntryType:
    for declared in ledger.game_of(pad).entries:
        if declared.key == kind:
            return declared
    raise engine.Refused("unknown-entry", "This game has no such entry.")


def _read_part(pad: Pad, declared: EntryType, put: Any, who: Who) -> Part:
    if not isinstance(put, dict) or not put.keys() <= {"field", "player", "value", "open", "none"}:
        raise engine.Refused(
            "bad-draft", 'A part is {"field", "value"}, with "player" where everyone is asked.'
        )
    validators.check_storable(put)
    field = next((field for field in declared.fields if field.key == put.get("field")), None)
    if field is None:
        raise engine.Refused("bad-draft", f'A "{declared.key}" has no such field.')
    of = _seat(pad, field, put.get("player"))
    value = put.get("value")
    whole = {field.key: {put["player"]: value} if of is not None else value, "type": declared.key}
    if value is not None:
        lookup = seat_names.seats_by_name(pad.players, pad.former_names)
        engine.check_part(field, value, list(lookup))
        coded = seat_names.to_seats(ledger.game_of(pad), whole, lookup)[field.key]
        value = coded[str(of)] if of is not None else coded
    is_none = put.get("none") is True and field.nullable and value is None
    return Part(field.key, of, value, who, stamp(timezone.now()), put.get("open") is True, is_none)


def _seat(pad: Pad, field: Field, player: Any) -> int | None:
    if field.kind != "each":
        if player is not None:
            raise engine.Refused("bad-draft", f'"{field.key}" is asked once, not of each player.')
        return None
    lookup = seat_names.seats_by_name(pad.players, pad.former_names)
    if not isinstance(player, str) or player not in lookup:
        raise engine.Refused("unknown-player", f'Say whose share of "{field.key}" this is.')
    return lookup[player]


def _parts(pad: Pad, draft: Draft) -> list[Part]:
    """The parts filled in. One that does not fit its blank is left out: it must not take the pad down."""
    fields = {field.key: field for field in _declared(pad, draft.kind).fields}
    parts = [
        Part(
            row["field"],
            row["of"],
            row["value"],
            Who(row["seat"], row["device"], row.get("phone", "")),
            row["made"],
            row.get("open", False),
            row.get("none", False),
            row.get("revision", 0),
            tuple(Stroke(*stroke) for stroke in row.get("strokes", ())),
        )
        for row in draft.parts
    ]
    return [part for part in parts if part.field in fields and _fits(pad, fields[part.field], part)]


def fitting_parts(pad: Pad, kind: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of these stored parts that fit a blank of such an entry."""
    return [part.as_stored() for part in _parts(pad, Draft(pad=pad, kind=kind, parts=rows))]


def _fits(pad: Pad, field: Field, part: Part) -> bool:
    if (field.kind == "each") != (part.of is not None):
        return False
    if part.of is not None and not 0 <= part.of < len(pad.players):
        return False
    if part.is_none and part.value is None:
        return field.nullable
    named = seat_names.value_to_names(field, part.value, pad.players)
    try:
        engine.check_part(field, named, pad.players)
    except engine.Refused:
        return False
    return named is not None


def _entry(pad: Pad, draft: Draft) -> dict[str, Any]:
    """The entry as far as it is filled, with names; a share of the one who is left out is left out."""
    body: dict[str, Any] = {"type": draft.kind}
    for part in _parts(pad, draft):
        if part.of is None:
            body[part.field] = part.value
        else:
            body.setdefault(part.field, {})[str(part.of)] = part.value
    for field in _declared(pad, draft.kind).fields:
        if field.kind == "each" and field.but and isinstance(body.get(field.but), int) and field.key in body:
            body[field.key].pop(str(body[field.but]), None)
    return seat_names.to_names(ledger.game_of(pad), body, pad.players)


def _missing(pad: Pad, draft: Draft, entry: dict[str, Any]) -> list[dict[str, Any]]:
    missing: list[dict[str, Any]] = []
    for field in _declared(pad, draft.kind).fields:
        if field.kind == "each" and field.required:
            left_out = entry.get(field.but) if field.but else None
            absent = [
                name for name in pad.players if name != left_out and name not in entry.get(field.key, {})
            ]
            missing += [{"field": field.key, "player": name} for name in absent]
        elif field.required and field.key not in entry:
            missing.append({"field": field.key, "player": None})
    for part in _parts(pad, draft):
        if part.is_open:
            missing.append({"field": part.field, "player": None if part.of is None else pad.players[part.of]})
    return missing


def as_dict(pad: Pad, draft: Draft | None) -> dict[str, Any] | None:
    """A draft as people read it: the entry so far, who filled what, what is missing."""
    if draft is None or not _is_of_game(pad, draft):
        return None
    entry = _entry(pad, draft)
    missing = _missing(pad, draft, entry)
    filled = [
        {
            "field": part.field,
            "player": pad.players[part.of] if part.of is not None else None,
            "who": part.who.named(pad.players) or None,
            "made": part.made,
            "open": part.is_open,
            "strokes": [list(stroke) for stroke in part.strokes],
        }
        for part in _parts(pad, draft)
    ]
    return {
        "id": draft.entry_id,
        "type": draft.kind,
        "revision": draft.revision,
        "entry": entry,
        "filled": filled,
        "missing": missing,
        "complete": not missing,
    }


def told(draft: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A draft for programs and streams, without its taps: which phone made them is nobody else's matter."""
    if draft is None:
        return None
    filled = [{key: value for key, value in part.items() if key != "strokes"} for part in draft["filled"]]
    return {**draft, "filled": filled}
