"""Twins: the same entry from two phones, or two answers to one question. The second phone is asked."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import nlargest
from operator import attrgetter, itemgetter
from typing import Any

from django.utils import timezone

import engine
from scorepad import ledger
from scorepad.drafts import ADD, Part
from scorepad.layouts import PadState, questions, who_and_what
from scorepad.layouts.keys import card_words, spoken
from scorepad.ledger import Hold, Replay, StoredEntry, Told, Who
from scorepad.ledger.seals import canonical
from scorepad.limits import limit
from scorepad.models import Pad

TWIN, DIFFERS, COUNTED, WENT_ON = "twin", "differs", "counted-already", "both-went-on"
WITHIN = timedelta(seconds=20)
"""Two phones that say the same within this time may mean the same."""
OLDEST = timedelta(days=30)
"""A tap may have waited on its phone for so long; an older one is taken for new."""
MINUTE = 60
NEAR_MOST = 40
"""Entries near a tap that are looked at, the newest: nobody taps more in that time."""


class AskError(engine.Refused):
    """An entry or a part that is held back until a person has answered a question about it.

    `keep` drops what was held back; `change` sends `instead` in its place.
    """

    def __init__(self, code: str, message: str, keep: str, change: str, instead: Mapping[str, Any]) -> None:
        super().__init__(code, message)
        self.keep, self.change, self.instead = keep, change, instead

    def as_dict(self) -> dict[str, Any]:
        error = super().as_dict()["error"]
        ask = {"keep": self.keep, "change": self.change, "instead": dict(self.instead)}
        return {"error": {**error, "ask": ask}}


@dataclass(frozen=True)
class Marks:
    """What a phone tells of each tap, by its id: how old it is, and if it is another one for certain.

    `seen` is the head of the log that the phone knew, for what was tapped without network.
    """

    tapped: Mapping[str, datetime]
    others: frozenset[str]
    seen: Mapping[str, int] = field(default_factory=dict)

    def tapped_at(self, tap_id: Any) -> datetime:
        return self.tapped.get(tap_id) or timezone.now()


NO_MARKS = Marks({}, frozenset())


def read_marks(text: str) -> Marks:
    """Marks as they came with the taps; what cannot be read is left out: no tap is lost for it."""
    try:
        sent = engine.read(text.encode()) if text else {}
    except engine.Refused:
        sent = {}
    told = (
        {name: mark for name, mark in sent.items() if isinstance(mark, dict)}
        if isinstance(sent, dict)
        else {}
    )
    now, most = timezone.now(), OLDEST // timedelta(milliseconds=1)
    tapped = {
        name: now - timedelta(milliseconds=mark["age"])
        for name, mark in told.items()
        if type(mark.get("age")) is int and 0 <= mark["age"] <= most
    }
    others = frozenset(name for name, mark in told.items() if mark.get("another") is True)
    return Marks(tapped, others, {name: mark["seen"] for name, mark in told.items() if _was_away(mark)})


def _was_away(mark: Mapping[str, Any]) -> bool:
    """True for a tap of a phone without network: it was scored there, or has waited longer than twins do."""
    seen, away = mark.get("seen"), mark.get("away")
    is_long = type(away) is int and away > WITHIN // timedelta(milliseconds=1)
    return type(seen) is int and seen >= 0 and (is_long or mark.get("scored") is True)


def told(pad: Pad, who: Who, marks: Marks) -> Told:
    """What the ledger is told with these taps: when they were made, and to hold back twins."""
    tries = Tries()

    def begin(before: Replay) -> Hold:
        others = _OtherPhones(pad, before, who, marks)
        new = unseen(pad, before, who, min(marks.seen.values())) if marks.seen else []

        def hold(
            replay: Replay, entry: dict[str, Any], body: dict[str, Any], refused: engine.Refused | None
        ) -> engine.Refused | None:
            seen = marks.seen.get(entry["id"], before.head)
            _check_none(sum(row.number > seen for row in new))
            if entry["id"] in marks.others or replay.position is None or not _may_have_twin(replay, entry):
                return None
            near = others.near(marks.tapped_at(entry["id"]))
            standing = replay.position.standing if near else {}
            twin = others.twin_among(near, body, replay, standing)
            if twin is not None:
                return _counted(pad, replay, twin) if refused else _asked_twin(pad, replay, twin)
            return _asked_other_answer(pad, replay, entry, near, standing, tries) if refused else None

        return hold

    return Told(tapped=marks.tapped, begin_hold=begin)


class _OtherPhones:
    """What other phones had entered when these taps came, by the time it was tapped. It is read once for all
    taps of a request, however many they are."""

    def __init__(self, pad: Pad, replay: Replay, who: Who, marks: Marks) -> None:
        rows = {row.number: row for row in replay.recent}
        times = [*marks.tapped.values(), timezone.now()]
        first, last = min(times) - WITHIN, max(times) + WITHIN
        if replay.recent and replay.recent[0].number > 1 and ledger.tapped_at(replay.recent[0]) > first:
            # One has waited on its phone for long: the log has gone on further than what is at hand of it.
            rows |= {row.number: row for row in ledger.tapped_between(pad, first, last)}
        others = (row for row in rows.values() if not who.is_same_phone(ledger.who_of(row)))
        self.rows = sorted(((ledger.tapped_at(row), row) for row in others), key=itemgetter(0))
        self.written: dict[int, bytes] = {}

    def near(self, tapped_at: datetime) -> list[StoredEntry]:
        """Entries that were tapped at about this time, the newest first; more than a table taps are no
        twins."""
        first = bisect_left(self.rows, tapped_at - WITHIN, key=itemgetter(0))
        last = bisect_right(self.rows, tapped_at + WITHIN, key=itemgetter(0))
        return nlargest(NEAR_MOST, (row for _, row in self.rows[first:last]), key=attrgetter("number"))

    def twin_among(
        self,
        near: Sequence[StoredEntry],
        body: Mapping[str, Any],
        replay: Replay,
        standing: Mapping[int, Any],
    ) -> StoredEntry | None:
        """The newest that says the same, if it still says what it said."""
        sent = canonical(dict(body))
        same = (row for row in near if row.body.get("type") == body["type"] and self._written(row) == sent)
        return next((row for row in same if _stands(replay, row, standing)), None)

    def _written(self, row: StoredEntry) -> bytes:
        if row.number not in self.written:
            self.written[row.number] = canonical(row.body)
        return self.written[row.number]


def check_unseen(pad: Pad, replay: Replay, who: Who, seen: int | None) -> None:
    """Refuse what was entered on top of the first `seen` entries if others have gone on after them since."""
    _check_none(len(unseen(pad, replay, who, seen)) if seen is not None else 0)


def _check_none(count: int) -> None:
    if count:
        entries, them = ("1 entry", "it") if count == 1 else (f"{count} entries", "them")
        says = (
            f"The table has {entries} that this phone has not seen. Compare {them} with yours, then choose."
        )
        raise engine.Refused(WENT_ON, says)


def unseen(pad: Pad, replay: Replay, who: Who, seen: int) -> list[StoredEntry]:
    """The entries after the first `seen` that another phone has made."""
    rows: Sequence[StoredEntry] = replay.recent
    if replay.head - len(rows) > seen:
        rows = ledger.read_entries(pad, seen)
    return [row for row in rows if row.number > seen and not who.is_same_phone(ledger.who_of(row))]


def _may_have_twin(replay: Replay, entry: Mapping[str, Any]) -> bool:
    """False for what the game does not have, and for a change: the same change twice is one change."""
    kind, kinds = entry.get("type"), [declared.key for declared in replay.standing_position().game.entries]
    return kind in kinds or kind == "insert"


def _standing(standing: Mapping[int, Any], row: StoredEntry) -> dict[str, Any] | None:
    """An entry as it counts now, without its id; None if it was struck out."""
    found = standing.get(row.number - 1)
    return {key: value for key, value in found.items() if key != "id"} if found else None


def _stands(replay: Replay, row: StoredEntry, standing: Mapping[int, Any]) -> bool:
    """True if an entry still says what it said."""
    stands = _standing(standing, row)
    written = replay.standing_position().entries[row.number - 1]
    written = written["entry"] if written["type"] == "insert" else written
    return stands == {key: value for key, value in written.items() if key != "id"}


def _asked_twin(pad: Pad, replay: Replay, twin: StoredEntry) -> AskError:
    says = f"{entered(pad, replay, twin)} Was that the same one?"
    return AskError(TWIN, says, "The same", "Another one", {"another": True})


def _counted(pad: Pad, replay: Replay, twin: StoredEntry) -> engine.Refused:
    """What only can be the same one needs no question."""
    return engine.Refused(COUNTED, f"{entered(pad, replay, twin)} It counts once.")


def _asked_other_answer(
    pad: Pad,
    replay: Replay,
    entry: dict[str, Any],
    near: list[StoredEntry],
    standing: Mapping[int, Any],
    tries: "Tries",
) -> AskError | None:
    """The question that two phones have answered at the same time, each in its own way."""
    position = replay.standing_position()
    asked = {field.key for field in _fields(position, entry) if field.kind == "player"}
    for row in near:
        theirs = _standing(standing, row)
        if theirs is None or any(theirs.get(key) != entry.get(key) for key in {"type", *asked}):
            continue
        mine = {key: value for key, value in entry.items() if key != "id"}
        change = {"type": "amend", "of": row.entry_id, "entry": mine}
        try:
            tries.play(position, change)
        except engine.Refused:
            return None
        return _asked_difference(pad, replay, row, mine, {"kind": "entry", "body": change})
    return None


class Tries:
    """Changes that are tried for the questions of one request: together as cheap as a tap."""

    def __init__(self) -> None:
        self.left = limit("ENTRIES_REPLAYED_LOCKED_MOST")

    def play(self, position: engine.Position, change: dict[str, Any]) -> None:
        """Refuse a change that does not stand, or takes long to try: the pad may be locked meanwhile."""
        cost = position.replay_cost(change)
        if cost > self.left:
            raise engine.Refused("too-many-corrections", "This was entered too long ago to be changed so.")
        self.left -= cost
        position.enter(change)


def _fields(position: engine.Position, entry: Mapping[str, Any]) -> tuple[engine.Field, ...]:
    declared = (one for one in position.game.entries if one.key == entry["type"])
    return next((tuple(one.fields) for one in declared), ())


def _asked_difference(
    pad: Pad, replay: Replay, row: StoredEntry, mine: Mapping[str, Any], instead: Mapping[str, Any]
) -> AskError:
    says = f"{entered(pad, replay, row)} You said “{_words(replay, mine)}”."
    return AskError(DIFFERS, says, "Keep theirs", "Change to mine", instead)


def other_piece(
    pad: Pad,
    part: Part | None,
    partial: Mapping[str, Any],
    sent: Mapping[str, Any],
    who: Who,
    refused: str,
) -> engine.Refused | None:
    """The question for a piece that another phone has added since this one looked.

    `nth` is the number of pieces that this phone saw; `refused` says why there cannot be one more of it.
    """
    nth, at = sent.get("nth"), sent["at"]
    pieces = questions.lookup(partial, tuple(at))[1]
    if part is None or type(nth) is not int or sent.get("another") is True or not isinstance(pieces, list):
        return None
    leaf = "" if isinstance(part.value, list) else at[-1]
    phones = [stroke.phone for stroke in part.strokes if (stroke.what, stroke.leaf) == (ADD, leaf)]
    since = [*zip(pieces, phones, strict=False)][max(nth, 0) :]
    if not any(piece == sent["add"] and phone != who.phone for piece, phone in since):
        return None
    ago = _ago(timezone.now() - datetime.fromisoformat(part.made))
    by = None if who.is_same_phone(part.who) else part.who.named(pad.players)
    says = f"{phone_words(by)} added {card_words(sent['add'])}{for_whom(at)} {ago}."
    if refused:
        return engine.Refused(COUNTED, f"{says} It counts once.")
    body = {**sent, "another": True}
    says = f"{says} Was that the same one?"
    return AskError(TWIN, says, "The same", "Another one", {"kind": "part", "body": body})


def other_answer(
    pad: Pad, part: Part | None, partial: Mapping[str, Any], sent: Mapping[str, Any], who: Who
) -> AskError | None:
    """The question for an answer that another phone has given meanwhile in another way, as this part.

    `seen` is the revision of the draft that this phone saw: what it saw it may change without being asked.
    """
    seen, at = sent.get("seen"), sent["at"]
    if part is None or type(seen) is not int or sent.get("sure") is True or "put" not in sent:
        return None
    there, value = questions.lookup(partial, tuple(at))
    if not there or value == sent["put"] or part.revision <= seen or who.is_same_phone(part.who):
        return None
    ago = _ago(timezone.now() - datetime.fromisoformat(part.made))
    theirs, mine = value_words(value), value_words(sent["put"])
    says = f"{phone_words(part.who.named(pad.players))} said {theirs}{for_whom(at)} {ago}. You said {mine}."
    body = {**sent, "sure": True}
    return AskError(DIFFERS, says, f"Keep {theirs}", f"Change to {mine}", {"kind": "part", "body": body})


def entered(
    pad: Pad,
    replay: Replay,
    row: StoredEntry,
    entry: Mapping[str, Any] | None = None,
    is_own: bool = False,
) -> str:
    """Who entered this and when, as it counts now, or as `entry` says it."""
    ago = _ago(timezone.now() - ledger.tapped_at(row))
    words = _words(replay, entry or _standing(replay.standing_position().standing, row) or {})
    phone = "You" if is_own else phone_words(ledger.who_of(row).named(pad.players))
    return f"{phone} entered “{words}” {ago}."


def _words(replay: Replay, entry: Mapping[str, Any]) -> str:
    who, what = who_and_what(PadState(replay.standing_position()), entry)
    return ", ".join(word for word in (who, what) if word)


def phone_words(name: str | None) -> str:
    return f"{name}’s phone" if name else "Another phone"


def for_whom(at: list[str]) -> str:
    return f" for {at[1]}" if len(at) > 1 else ""


def value_words(value: Any) -> str:
    if value is None:
        return "nobody"
    return spoken(value) if isinstance(value, str | int) else json.dumps(value, ensure_ascii=False)


def _ago(passed: timedelta) -> str:
    seconds = max(0, round(passed.total_seconds()))
    if seconds < 1:
        return "just now"
    number, unit = (seconds, "second") if seconds < 2 * MINUTE else (seconds // MINUTE, "minute")
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
