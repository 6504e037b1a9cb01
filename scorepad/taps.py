"""Taps on the pad: whole entries go to the log, parts into the draft, which is appended once it is whole."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import engine
from engine import EntryType, Field
from scorepad import drafts, late_parts, ledger, twins, undo
from scorepad.layouts import Layout, PadState, layout_of, questions
from scorepad.ledger import Who, validators
from scorepad.ledger.retry import retry_transaction
from scorepad.live import notify
from scorepad.models import Pad
from scorepad.snapshots import Snapshot


@dataclass(frozen=True)
class Tapped:
    """The outcome of a tap: why it was refused, if it was, and the pad after it, as far as it was read."""

    error: engine.Refused | None = None
    snapshot: Snapshot | None = None
    refused_id: str | None = None


def enter(pad: Pad, entries: Sequence[Any], who: Who, marks: twins.Marks = twins.NO_MARKS) -> Tapped:
    """Append whole entries in order, up to the first that is refused: those after it may build on it."""
    told = twins.told(pad, who, marks)
    appended = ledger.append_and_replay(pad, entries, who, stop_at_refusal=True, told=told)
    last, draft = appended.outcomes[-1], drafts.find(pad)
    stored = {one.id for one in appended.outcomes if one.error is None}
    if draft is not None and not draft.parts and draft.entry_id in stored:
        # What was begun by this name was made whole on a phone without network: nothing of it is open.
        draft = drafts.drop_unanswered(pad, draft.entry_id)
    return Tapped(last.error, Snapshot(pad, drafts.as_dict(pad, draft), appended.replay), last.id)


def begin(pad: Pad, kind: Any, who: Who, tap_id: str, marks: twins.Marks = twins.NO_MARKS) -> Tapped:
    """Begin an entry of this kind, unless others have gone on since: then a person chooses first."""
    seen = marks.seen.get(tap_id)
    if seen is None:
        drafts.begin(pad, kind, who, tap_id)
    else:
        _begin_unseen(pad, kind, who, tap_id, seen)
    return Tapped()


@retry_transaction
def _begin_unseen(pad: Pad, kind: Any, who: Who, tap_id: str, seen: int) -> None:
    def begin(base: ledger.Replay) -> None:
        replay, known = ledger.catch_up_locked(pad, [tap_id], base)
        if not known:
            twins.check_unseen(pad, replay, who, seen)
        drafts.begin(pad, kind, who, tap_id)

    ledger.with_lock(pad, begin)


def tap(
    pad: Pad, sent: Mapping[str, Any], who: Who, by: str = "", marks: twins.Marks = twins.NO_MARKS
) -> Tapped:
    """Put one part into the draft, and append it once it is whole.

    `for` names the draft the phone saw, `head` the log it saw without one; `id` the tap, so that it counts
    once however often it is sent. A draft that it begins has the same id: a phone without network knows what
    it will be called.
    """
    try:
        validators.check_storable(sent)
        if "reopen" in sent:
            return _reopen(pad, sent, who, marks)
        _place_in(sent)
        return _tap(pad, sent, who, by, marks)
    except engine.Refused as refused:
        return Tapped(refused)
    except questions.PartError as fault:
        return Tapped(engine.Refused("bad-draft", str(fault)))


@retry_transaction
def _tap(pad: Pad, sent: Mapping[str, Any], who: Who, by: str, marks: twins.Marks) -> Tapped:
    tap_id = validators.entry_id(sent.get("id"))

    def put(base: ledger.Replay) -> Tapped:
        draft = drafts.find(pad)
        answers = list(draft.parts) if draft else []
        ids = [draft.entry_id if draft else None, sent.get("for"), tap_id]
        names = [name for name in ids if isinstance(name, str) and name]
        replay, known = ledger.catch_up_locked(pad, names, base)
        before = Snapshot(pad, drafts.as_dict(pad, draft), replay)
        if tap_id in known or (draft is not None and sent.get("id") in (draft.taps or ())):
            return Tapped(snapshot=before)
        if not known:
            twins.check_unseen(pad, replay, who, marks.seen.get(tap_id))
        if late_parts.is_late(draft, replay, sent):
            return Tapped(late_parts.judge(pad, replay, known, sent, who), before)
        state = before.state(by=by)
        if draft is None and (ended := state.position.ended) is not None:
            raise engine.Refused("game-over", f"The game is over: {ended.why}", cites=ended.cites)
        kind, puts = _parts_to_put(state, sent)
        asked = _asked(pad, drafts.part_at(pad, draft, sent["at"]), state, sent, who)
        if asked is not None:
            return Tapped(asked, before)
        if puts is None:
            drafts.drop(pad)
            return Tapped(snapshot=replace(before, draft=None))
        draft = drafts.put_parts(pad, draft, kind, puts, who, tap_id)
        after = replace(before, draft=drafts.as_dict(pad, draft))
        appended = None
        if after.draft is not None and layout_of(pad.game).is_complete(after.state(by=by)):
            appended = drafts.append_entry(pad, draft, replay, known, who, answers)
            if appended.outcomes[0].error is None:
                return Tapped(snapshot=Snapshot(pad, None, appended.replay))
        drafts.save(pad, draft)
        return Tapped(appended.outcomes[0].error if appended else None, after)

    return ledger.with_lock(pad, put)


def _asked(
    pad: Pad, part: drafts.Part | None, state: PadState, sent: Mapping[str, Any], who: Who
) -> engine.Refused | None:
    """The question about this answer, if there is one: another phone said something else, or the same."""
    if "add" in sent:
        refused = _refusal_of_piece(state, sent) if sent.get("nth") != _count_pieces(state, sent) else ""
        asked = twins.other_piece(pad, part, state.partial, sent, who, refused)
        return asked or (engine.Refused("bad-entry", f"{refused}.") if refused else None)
    return twins.other_answer(pad, part, state.partial, sent, who) or _doubt(state, sent)


def _count_pieces(state: PadState, sent: Mapping[str, Any]) -> int:
    return len(questions.lookup(state.partial, tuple(sent["at"]))[1] or [])


def _refusal_of_piece(state: PadState, sent: Mapping[str, Any]) -> str:
    """The refusal on the key of a piece, as it would be drawn now: this phone saw the one before."""
    panel = layout_of(state.game).panel(replace(state, at="/".join(sent["at"]), again=True))
    wanted = {"at": sent["at"], "add": sent["add"]}
    keys = panel.keys if panel is not None else ()
    return next((key.refusal for key in keys if key.refusal and json.loads(key.value) == wanted), "")


def _doubt(state: PadState, sent: Mapping[str, Any]) -> twins.AskError | None:
    """The question for an answer that can hardly be right. Once a person has confirmed it, it is taken."""
    if "put" not in sent or sent.get("meant") is True:
        return None
    words = layout_of(state.game).doubt(state, tuple(sent["at"]), sent["put"])
    if not words:
        return None
    instead = {"kind": "part", "body": {**sent, "meant": True}}
    return twins.AskError("doubtful", words, "Count again", f"Enter {sent['put']} all the same", instead)


@retry_transaction
def _reopen(pad: Pad, sent: Mapping[str, Any], who: Who, marks: twins.Marks) -> Tapped:
    """Undo of an entry that was answered part by part: it is struck out, and its last answer asked again."""
    of, tap_id = sent["reopen"], sent.get("id")
    if not isinstance(of, str) or not isinstance(tap_id, str):
        raise questions.PartError("This tap says nothing. Load the pad again.")

    def reopen(base: ledger.Replay) -> Tapped:
        draft = drafts.find(pad)
        replay, known = ledger.catch_up_locked(pad, [of, tap_id], base)
        before = Snapshot(pad, drafts.as_dict(pad, draft), replay)
        if tap_id in known or of not in known:
            return Tapped(snapshot=before)
        twins.check_unseen(pad, replay, who, marks.seen.get(tap_id))
        if known[of].phone not in (None, who.phone):
            raise engine.Refused("not-yours", "Another phone entered that. Correct that entry instead.")
        target = undo.reopenable(replay, before.draft, known[of])
        if target is None:
            raise engine.Refused("entered-since", "Something was entered since. Correct that entry instead.")
        entry, answers = replay.standing_position().standing[target.place], ledger.answers_of(pad, of)
        void = {"id": tap_id, "type": "void", "of": target.entry_id}
        appended = ledger.append_locked(pad, replay, known, [void], who)
        if appended.outcomes[0].error is not None:
            return Tapped(appended.outcomes[0].error, before)
        made = drafts.reopened(pad, draft, entry, target.entry_id, answers, tap_id)
        drafts.save(pad, made)
        notify.wake(pad.code, notify.ENTRY)
        return Tapped(snapshot=Snapshot(pad, drafts.as_dict(pad, made), appended.replay))

    return ledger.with_lock(pad, reopen)


def _parts_to_put(state: PadState, sent: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]] | None]:
    """The kind of entry and the parts a tap puts into it.

    None instead of a list: the tap cleared the last answer, and the draft goes.
    """
    layout = layout_of(state.game)
    now = layout.partial_entry(state)
    entry_type = _entry_type(state.position.game, str(now.get("type", "")))
    check_sent(now, sent, entry_type, state.players)
    if "rest" in sent:
        return entry_type.key, _parts_of_rest(layout, state, now, entry_type)
    after = questions.apply_part(now, sent, entry_type, state.players)
    settled = layout.partial_entry(replace(state, partial={}))
    if "clear" in sent and not _has_answers(after, settled):
        return entry_type.key, None
    field = next(field for field in entry_type.fields if field.key == sent["at"][0])
    # What need not be asked is put with the first answer, so that every phone knows it.
    puts = [
        {"field": key, "value": value}
        for key, value in settled.items()
        if key != "type" and key not in state.partial
    ]
    return entry_type.key, [*puts, _put_of(after, field, sent["at"])]


def _parts_of_rest(
    layout: Layout, state: PadState, now: Mapping[str, Any], entry_type: EntryType
) -> list[dict[str, Any]]:
    """The parts that say nothing where nothing was said and may be said."""
    open_now = [asked for asked in layout.questions(state) if asked.is_optional and not asked.answered]
    after = questions.answer_rest(now, open_now, entry_type, state.players)
    fields = {field.key: field for field in entry_type.fields}
    paths = {asked.about: asked.path for asked in open_now}
    return [_put_of(after, fields[path[0]], list(path)) for path in paths.values()]


def _entry_type(game: engine.Game, kind: str) -> EntryType:
    found = next((entry_type for entry_type in game.entries if entry_type.key == kind), None)
    if found is None:
        raise engine.Refused("unknown-entry", "This game has no such entry. Load the pad again.")
    return found


def check_sent(
    now: Mapping[str, Any], sent: Mapping[str, Any], entry_type: EntryType, players: Sequence[str]
) -> None:
    """Refuse a part that could not even be tried: no place, a list where none is, a name that is none."""
    at = _place_in(sent)
    if "add" in sent or "drop" in sent:
        there, pieces = questions.lookup(now, tuple(at))
        if there and not isinstance(pieces, list):
            raise questions.PartError("There is no list of pieces here. Load the pad again.")
    field = next((field for field in entry_type.fields if field.key == at[0]), None)
    if field is not None and field.kind == "player" and sent.get("put") is not None:
        engine.check_part(field, sent["put"], players)


def _place_in(sent: Mapping[str, Any]) -> list[str]:
    """The place a part is for; raises PartError if it names none."""
    at = sent.get("at")
    if not isinstance(at, list) or not at or not all(isinstance(step, str) for step in at):
        raise questions.PartError("This tap says nothing. Load the pad again.")
    return at


def _has_answers(partial: Mapping[str, Any], settled: Mapping[str, Any]) -> bool:
    return any(value != {} for key, value in partial.items() if key not in settled and key != questions.DONE)


def _put_of(after: Mapping[str, Any], field: Field, at: list[str]) -> dict[str, Any]:
    """The share of the draft that changed, whole."""
    put: dict[str, Any] = {"field": field.key}
    path = tuple(at[:2]) if field.kind == "each" else (field.key,)
    there, value = questions.lookup(after, path)
    if field.kind == "each":
        put["player"] = at[1]
    done = after.get(questions.DONE, ())
    if isinstance(value, dict):
        # An empty list that nobody has finished is no answer; what stands beside it is.
        value = {key: one for key, one in value.items() if one != [] or "/".join((*path, key)) in done}
    if value == {} or (value == [] and "/".join(path) not in done):
        value = None
    put["value"] = value
    if there and value is None and field.nullable and after[field.key] is None:
        put["none"] = True
    place = "/".join(at)
    leaf = next((leaf for shape in field.shapes for leaf in shape if leaf.key == at[-1]), field)
    is_list = leaf.kind == "pieces" or (field.kind == "each" and not field.shapes)
    pieces = questions.lookup(after, tuple(at))[1]
    if is_list and value is not None and isinstance(pieces, list):
        full = leaf.most is not None and len(pieces) >= leaf.most
        put["open"] = not full and place not in done
    return put
