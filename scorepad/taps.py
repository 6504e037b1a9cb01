"""One tap on the entry that several phones fill in. Once it is whole it goes from the draft to the log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

import engine
from engine import EntryType, Field
from scorepad import drafts, ledger
from scorepad.layouts import PadState, layout_of, questions
from scorepad.ledger import Who, validators
from scorepad.models import Pad


@dataclass(frozen=True)
class Tapped:
    """What became of a tap: nothing more to say, or why it was refused."""

    error: engine.Refused | None = None
    stored: int | None = None


def made_of(shown: Mapping[str, Any] | None, game: engine.Game) -> dict[str, Any]:
    """The draft as the pads read it: the entry so far, and which of its lists are finished."""
    if shown is None:
        return {}
    done = []
    fields = _fields(game, shown["type"])
    for part in shown["filled"]:
        if part["open"] or part["field"] not in fields:
            continue
        done += questions.places_of(fields[part["field"]], part["player"])
    return {**shown["entry"], questions.DONE: sorted(done)}


def _fields(game: engine.Game, kind: str) -> dict[str, Field]:
    return {field.key: field for field in _entry_type(game, kind).fields}


def _entry_type(game: engine.Game, kind: str) -> EntryType:
    found = next((entry_type for entry_type in game.entries if entry_type.key == kind), None)
    if found is None:
        raise engine.Refused("unknown-entry", "This game has no such entry. Load the pad again.")
    return found


def filled_by(shown: Mapping[str, Any] | None) -> dict[str, str]:
    """Who filled which part, by its place."""
    parts = shown["filled"] if shown else ()
    return {
        part["field"] if part["player"] is None else f"{part['field']}/{part['player']}": part["who"] or ""
        for part in parts
    }


def state_of(pad: Pad, shown: Mapping[str, Any] | None, **looking: Any) -> PadState:
    game = ledger.game_of(pad)
    return PadState(
        ledger.position(pad), made_of(shown, game), filled_by(shown), settings=pad.settings, **looking
    )


def tap(pad: Pad, sent: Mapping[str, Any], who: Who, by: str = "") -> Tapped:
    """Apply one part to the draft. `for` names the draft the phone saw, `head` the log it saw without one."""
    try:
        validators.check_storable(sent)
        with transaction.atomic():
            Pad.objects.select_for_update().get(pk=pad.pk)
            shown = drafts.shown(pad)
            if _came_late(pad, shown, sent):
                return Tapped()
            state = state_of(pad, shown, by=by)
            _fill(pad, state, sent, who)
    except engine.Refused as refused:
        return Tapped(refused)
    except questions.PartError as fault:
        return Tapped(engine.Refused("bad-draft", str(fault)))
    return complete_if_whole(pad, who, by)


def _came_late(pad: Pad, shown: Mapping[str, Any] | None, sent: Mapping[str, Any]) -> bool:
    """A tap that was sent twice, or made for an entry that is in the log by now, changes nothing."""
    known = sent.get("for")
    if known is None:
        return False
    if known == "":
        return shown is None and sent.get("head") not in (None, ledger.head(pad))
    if shown is not None and shown["id"] == known:
        return False
    if pad.entries.filter(entry_id=known).exists():
        return True
    raise engine.Refused("no-draft", "What was being entered here is gone. Enter it again.")


def _fill(pad: Pad, state: PadState, sent: Mapping[str, Any], who: Who) -> None:
    layout = layout_of(pad.game)
    now = layout.partial_entry(state)
    entry_type = _entry_type(state.position.game, str(now.get("type", "")))
    check_sent(now, sent, entry_type, state.players)
    if "add" in sent and "nth" in sent and not _is_next(now, sent):
        return
    after = questions.apply_part(now, sent, entry_type, state.players)
    settled = layout.partial_entry(replace(state, partial={}))
    if "clear" in sent and not _has_answers(after, settled):
        drafts.drop(pad)
        return
    field = next(field for field in entry_type.fields if field.key == sent["at"][0])
    # What need not be asked is put with the first answer, so that every phone knows it.
    puts = [
        {"field": key, "value": value}
        for key, value in settled.items()
        if key != "type" and key not in state.partial
    ]
    drafts.fill(pad, entry_type.key, [*puts, _put_of(after, field, sent["at"])], who)


def check_sent(
    now: Mapping[str, Any], sent: Mapping[str, Any], entry_type: EntryType, players: Sequence[str]
) -> None:
    """Refuse a part that could not even be tried: no place, a list where none is, a name that is none."""
    at = sent.get("at")
    if not isinstance(at, list) or not at or not all(isinstance(step, str) for step in at):
        raise questions.PartError("This tap says nothing. Load the pad again.")
    if "add" in sent or "drop" in sent:
        there, pieces = questions.lookup(now, tuple(at))
        if there and not isinstance(pieces, list):
            raise questions.PartError("There is no list of pieces here. Load the pad again.")
    field = next((field for field in entry_type.fields if field.key == at[0]), None)
    if field is not None and field.kind == "player" and sent.get("put") is not None:
        engine.check_part(field, sent["put"], players)


def _has_answers(made: Mapping[str, Any], settled: Mapping[str, Any]) -> bool:
    return any(value != {} for key, value in made.items() if key not in settled and key != questions.DONE)


def _is_next(now: Mapping[str, Any], sent: Mapping[str, Any]) -> bool:
    there, pieces = questions.lookup(now, tuple(sent["at"]))
    return bool(len(pieces if there and pieces else []) == sent["nth"])


def _put_of(after: Mapping[str, Any], field: Field, at: list[str]) -> dict[str, Any]:
    """The share of the draft that changed, whole."""
    put: dict[str, Any] = {"field": field.key}
    path = tuple(at[:2]) if field.kind == "each" else (field.key,)
    there, value = questions.lookup(after, path)
    if field.kind == "each":
        put["player"] = at[1]
    if value in ([], {}) or (isinstance(value, dict) and [] in value.values()):
        value = None
    put["value"] = value
    if there and value is None and field.nullable and after[field.key] is None:
        put["none"] = True
    place = "/".join(at)
    leaf = next((leaf for shape in field.shapes for leaf in shape if leaf.key == at[-1]), field)
    is_list = leaf.kind == "pieces" or (field.kind == "each" and not field.shapes)
    if is_list and value is not None:
        pieces = questions.lookup(after, tuple(at))[1] or []
        full = leaf.most is not None and len(pieces) >= leaf.most
        put["open"] = not full and place not in after.get(questions.DONE, ())
    return put


def complete_if_whole(pad: Pad, who: Who, by: str = "") -> Tapped:
    shown = drafts.shown(pad)
    if shown is None:
        return Tapped()
    state = state_of(pad, shown, by=by)
    if not layout_of(pad.game).is_complete(state):
        return Tapped()
    try:
        _, outcome = drafts.complete(pad, shown["id"], who)
    except engine.Refused as refused:
        return Tapped(refused)
    return Tapped(outcome.error, outcome.number)


def undo_part(shown: Mapping[str, Any]) -> str:
    """The part that takes back what was filled last."""
    last = shown["filled"][-1]
    at = [last["field"]] if last["player"] is None else [last["field"], last["player"]]
    return json.dumps({"at": at, "clear": True})
