"""Comparison of what a phone entered without network with what the table has entered since.

Where both went on nothing is merged silently: the phone is told, both lists are shown with the totals each
way, and a person chooses. Nothing here is stored but a pad of its own, where that is the choice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError
from django.utils import timezone

import engine
from engine.log import changes_of
from scorepad import exports, imports, ledger, moves, twins
from scorepad.access import links
from scorepad.layouts import describe_entry
from scorepad.ledger import LogEntry, Replay, StoredEntry, Who, seals
from scorepad.models import Pad
from scorepad.pad_state import PadState
from scorepad.presentation import log_rows
from scorepad.presentation.pad import refusal_of

NAME_LENGTH = 64
SHOWN_MOST = 100
"""Entries of the table that are listed, the newest; of those before them only the number is told."""


@dataclass(frozen=True)
class Mine:
    """An entry of the phone in words. `twin` is the number of the same entry at the table."""

    id: str
    words: str
    refused: Mapping[str, Any] | None
    twin: int | None
    is_sent: bool


@dataclass(frozen=True)
class Total:
    """A player's total as the table has it, with the phone's entries after, and on the phone alone."""

    player: str
    table: int
    after: int
    alone: int


@dataclass(frozen=True)
class Comparison:
    """Both lists and the totals each way, as of this head of the table's log."""

    theirs: list[dict[str, Any]]
    earlier: int
    mine: list[Mine]
    totals: list[Total]
    head: int

    @property
    def unseen(self) -> int:
        """How many the table has that the phone has not seen."""
        return self.earlier + len(self.theirs)

    @property
    def left_out(self) -> list[str]:
        """Those that the table has too: they are not sent."""
        return [one.id for one in self.mine if not one.is_sent]


def compare(pad: Pad, seen: int, entries: Sequence[Any], another: Sequence[str], who: Who) -> Comparison:
    """Entries of a phone that saw the first `seen` of the log, beside those that came after."""
    named = [_named(pad, entry) for entry in entries]
    table, known = ledger.catch_up(pad, [entry["id"] for entry in named])
    named = [entry for entry in named if entry["id"] not in known]
    rows = ledger.read_entries(pad, 0)
    theirs = twins.unseen(pad, table, who, seen)
    seen = _last_common(table, theirs)
    base = ledger.replay_of_whole(ledger.position_at(pad, seen), rows[:seen])
    alone = ledger.judge_all(pad, base, {}, named, who)
    refused = {outcome.id for outcome in alone.outcomes if outcome.error is not None}
    standing = [entry for entry in named if entry["id"] not in refused]
    pairs = _twins(pad, theirs, standing)
    sent = [entry for entry in named if entry["id"] not in pairs or entry["id"] in another]
    after = ledger.judge_all(pad, table, {}, sent, who)
    errors = {outcome.id: outcome.error for judged in (alone, after) for outcome in judged.outcomes}
    words = _words(pad, alone.replay, standing)
    now = PadState(table.standing_position(), settings=pad.settings)
    places = {row.entry_id: row.number for row in rows}
    numbers = {row.number for row in theirs}
    told = [one for one in ledger.log(pad, after=seen) if one.number in numbers]
    earlier, told = max(0, len(told) - SHOWN_MOST), told[-SHOWN_MOST:]
    is_sent = {entry["id"] for entry in sent}
    mine = [
        Mine(
            entry["id"],
            words.get(entry["id"]) or _refused_words(now, entry),
            _told(errors.get(entry["id"])),
            pairs.get(entry["id"]),
            entry["id"] in is_sent,
        )
        for entry in named
    ]
    totals = _totals(table, after.replay, alone.replay)
    shown = [log_rows.row(pad, now, one, places) | _about(pad, one) for one in told]
    return Comparison(shown, earlier, mine, totals, table.head)


def _last_common(table: Replay, theirs: Sequence[StoredEntry]) -> int:
    """The last entry before the two parted. What the phone had sent, its answer lost, is before that."""
    return theirs[0].number - 1 if theirs else table.head


def _named(pad: Pad, sent: Any) -> dict[str, Any]:
    entry, _ = ledger.read_entry(pad, sent)
    return entry


def _told(error: engine.Refused | None) -> dict[str, Any] | None:
    return refusal_of(error) if error is not None else None


def _twins(pad: Pad, theirs: Sequence[StoredEntry], mine: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The entries of the phone that the table has too, each with the number of its twin: in order, each once.

    One that another of the phone's entries corrects or follows is its own: it is needed under its id.
    """
    needed = {target for entry in mine for target in (*changes_of(entry), entry.get("after"))}
    free = {row.number: seals.canonical(row.body) for row in theirs}
    found: dict[str, int] = {}
    for entry in mine:
        if entry["id"] in needed or entry["type"] in seals.CORRECTIONS:
            continue
        body = seals.canonical(ledger.read_entry(pad, entry)[1])
        twin = next((number for number, other in free.items() if other == body), None)
        if twin is not None:
            found[entry["id"]] = twin
            del free[twin]
    return found


def _words(pad: Pad, alone: Replay, entries: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The phone's entries in words, as they stand on the phone."""
    state = PadState(alone.standing_position(), settings=pad.settings)
    log = [entry["id"] for entry in alone.standing_position().entries]
    places = {name: number for number, name in enumerate(log, start=1)}
    return {
        entry["id"]: log_rows.row(
            pad, state, LogEntry(places[entry["id"]], entry["id"], entry, Who(), timezone.now(), ""), places
        )["words"]
        for entry in entries
    }


def _refused_words(now: PadState, entry: Mapping[str, Any]) -> str:
    """An entry that does not stand on the phone either: as far as it can be told."""
    kind = entry.get("type")
    if isinstance(kind, str) and kind in now.entry_types:
        return describe_entry(now, entry)
    return "A correction" if isinstance(kind, str) and kind in seals.CORRECTIONS else str(kind)


def _about(pad: Pad, recorded: LogEntry) -> dict[str, Any]:
    return {"number": recorded.number, "who": recorded.who.named(pad.players), "at": recorded.made_at}


def _totals(*replays: Replay) -> list[Total]:
    results = [replay.standing_position().result().totals for replay in replays]
    return [Total(player, *(result[player] for result in results)) for player in results[0]]


def own_pad(pad: Pad, name: str, seen: int, entries: Sequence[Any], who: Who) -> dict[str, str]:
    """A pad with the entries of this one before the two parted, and those of the phone after them.

    The phone gives it a name that nobody else can know: asked for twice, it is one pad.
    """
    if len(name) != NAME_LENGTH:
        raise engine.Refused("bad-request", "This phone gave its pad no name. Load the pad again.")
    hashed = links.hashed(f"{pad.code} {name}")
    there = Pad.objects.filter(moved_from=hashed, removed_at=None).first()
    if there is None:
        table = ledger.replay(pad)
        last = _last_common(table, twins.unseen(pad, table, who, seen))
        brought = imports.read(_file(pad, last, [_named(pad, entry) for entry in entries]))
        brought[0].moved_from, brought[0].trial_until = hashed, pad.trial_until
        try:
            return imports.store(brought).as_dict()
        except IntegrityError:
            # It came by another request at the same moment.
            there = Pad.objects.get(moved_from=hashed)
    return moves.addresses_again(there)


def _file(pad: Pad, seen: int, mine: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The file of a pad after its first `seen` entries, gone on by what the phone has entered."""
    file = exports.pad_json(pad)
    sheet, log = file["sheet"], file["log"][:seen]
    first = sheet["entries"][:seen]
    there = {entry["id"] for entry in first}
    new = [entry for entry in mine if entry["id"] not in there]
    return {
        **file,
        "sheet": {**sheet, "entries": [*first, *new]},
        "log": [*log, *({} for _ in new)],
        "checks": [check for check in file["checks"] if check["head"] <= seen],
        "stopped": None,
    }
