"""Late parts: answers that come when their entry is whole by now, or gone. None is dropped unsaid."""

from collections.abc import Collection, Mapping
from typing import Any

import engine
from scorepad import ledger, twins, undo
from scorepad.layouts import questions
from scorepad.ledger import Replay, StoredEntry, Who
from scorepad.ledger.seals import CORRECTIONS
from scorepad.models import Draft, Pad

GONE = "What was being entered here is gone. Enter it again."
STRUCK_OUT = "What was being entered here was struck out meanwhile. Enter it again if it happened."


def is_late(draft: Draft | None, replay: Replay, sent: Mapping[str, Any]) -> bool:
    """True for a part of an entry that is in the log by now, or of one that was taken back meanwhile.

    `for` names the draft the phone saw; where it saw none, `head` is the log it saw.
    """
    draft_id, head = sent.get("for"), sent.get("head")
    # What was opened again is the same entry to those who have not heard of it yet; and what two phones
    # have begun is called by one of them as it began it.
    known_as = (draft.entry_id, draft.amends, *(draft.taps or ())) if draft else ()
    if draft_id is None:
        return False
    if draft_id:
        return draft_id not in known_as
    # What is begun now is no answer to corrections.
    return head not in (None, replay.head) and not _has_only(replay, head, known_as)


def _has_only(replay: Replay, head: Any, names: Collection[str | None]) -> bool:
    """True if nothing was entered since but corrections and these entries."""
    since = [row for row in replay.recent if type(head) is int and row.number > head]
    made = {row.entry_id for row in since if _was_made(row)}
    return bool(since) and len(since) == replay.head - head and made <= {*names}


def _was_made(row: StoredEntry) -> bool:
    """True for an entry of the game, and for one that was opened again and made whole anew."""
    return row.body["type"] not in CORRECTIONS or row.has_answers


def judge(
    pad: Pad, replay: Replay, known: Mapping[str, StoredEntry], sent: Mapping[str, Any], who: Who
) -> engine.Refused | None:
    """What to say to a late part; None if what it says is there or was there: it was sent twice."""
    row = _row_of(replay, known, sent)
    if row is None:
        # What was to be taken back is gone with its entry.
        is_gone = not {"clear", "drop", "open"}.isdisjoint(sent)
        return None if is_gone else engine.Refused("no-draft", GONE)
    target = undo.made_whole(replay, row)
    if target is None:
        written = replay.standing_position().entries[row.number - 1]
        is_said = _agrees(written.get("entry") or written, sent)
        return None if is_said else engine.Refused("struck-out", STRUCK_OUT)
    theirs = replay.standing_position().standing[target.place]
    theirs = {key: value for key, value in theirs.items() if key != "id"}
    return None if _agrees(theirs, sent) else _answer(pad, replay, row, target.entry_id, theirs, sent, who)


def _row_of(replay: Replay, known: Mapping[str, StoredEntry], sent: Mapping[str, Any]) -> StoredEntry | None:
    """The entry that was made whole before this part came."""
    if sent["for"]:
        return known.get(sent["for"]) if isinstance(sent["for"], str) else None
    since = [row for row in replay.recent if type(sent["head"]) is int and row.number > sent["head"]]
    return next(filter(_was_made, since), None)


def _agrees(theirs: Mapping[str, Any], sent: Mapping[str, Any]) -> bool:
    """True if an entry has what a tap says. That something is all, or taken back, says nothing new of it."""
    there, value = questions.lookup(theirs, tuple(sent["at"]))
    if "put" in sent:
        return there and bool(value == sent["put"])
    return "add" not in sent or (isinstance(value, list) and sent["add"] in value)


def _answer(
    pad: Pad,
    replay: Replay,
    row: StoredEntry,
    of: str,
    theirs: Mapping[str, Any],
    sent: Mapping[str, Any],
    who: Who,
) -> engine.Refused:
    """The question which of two answers is right; where there is nothing to choose, what counts."""
    is_own = who.is_same_phone(ledger.who_of(row))
    says = twins.entered(pad, replay, row, theirs, is_own)
    counted = engine.Refused(twins.COUNTED, f"{says} Correct it if it was something else.")
    if is_own or "put" not in sent:
        return counted
    position = replay.standing_position()
    entry_type = next(one for one in position.game.entries if one.key == theirs["type"])
    try:
        mine = questions.apply_part(theirs, sent, entry_type, position.table.players)
        change = {"type": "amend", "of": of, "entry": questions.complete_entry(mine)}
        twins.Tries().play(position, change)
    except (engine.Refused, questions.PartError):
        return counted
    says = f"{says} You said {twins.value_words(sent['put'])}{twins.for_whom(sent['at'])}."
    instead = {"kind": "entry", "body": change}
    return twins.AskError(twins.DIFFERS, says, "Keep theirs", "Change to mine", instead)
