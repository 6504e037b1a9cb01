"""Stored entries as people read them, with names instead of seats; the log and the tally sheet of a pad."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.dateparse import parse_datetime

import engine
from scorepad import declarations
from scorepad.ledger import seat_names, sql
from scorepad.ledger.cache import Replay
from scorepad.ledger.sql import StoredEntry
from scorepad.models import Entry, Pad


@dataclass(frozen=True)
class Who:
    """The author of an entry: a seat, or the name of a device, or neither; and the name of the phone.

    A phone may have said that it only watches: then its pad has no keys, whatever its link allows.
    """

    seat: int | None = None
    device: str = ""
    phone: str = ""
    watches: bool = False

    def named(self, players: Sequence[str]) -> str:
        return players[self.seat] if self.seat is not None and self.seat < len(players) else self.device

    def is_same_phone(self, other: "Who") -> bool:
        """True for what comes from one phone; programs are known by what they call themselves."""
        if self.phone or other.phone:
            return self.phone == other.phone
        return (self.seat, self.device) == (other.seat, other.device)


@dataclass(frozen=True)
class LogEntry:
    """An entry of the log as people read it."""

    number: int
    id: str
    entry: dict[str, Any]
    who: Who
    made_at: datetime
    scored: str
    step: int | None = None


def game_of(pad: Pad) -> engine.Game:
    found = declarations.game_of(pad.game)
    if found is None:
        raise KeyError(pad.game)
    return found


def sheet_head(pad: Pad) -> dict[str, Any]:
    """The tally sheet of a pad, before its first entry."""
    return {
        "tally": 1,
        **declarations.named_in_sheet(pad.game),
        "options": pad.options,
        "players": list(pad.players),
        "dealer": pad.players[pad.dealer],
        **pad.heading,
    }


def log(pad: Pad, after: int = 0, most: int | None = None) -> list[LogEntry]:
    """The entries from number after + 1 on, with the names the seats have now."""
    rows = pad.entries.filter(number__gt=after).order_by("number")
    if most is not None:
        rows = rows.filter(number__lte=most)
    game = game_of(pad)
    reread_settled_seats(pad, rows)
    return [
        LogEntry(
            row.number,
            row.entry_id,
            {"id": row.entry_id, **seat_names.to_names(game, row.body, pad.players)},
            Who(row.seat, row.device, row.phone or ""),
            row.made_at,
            row.scored,
            row.step,
        )
        for row in rows
    ]


def last_entry(pad: Pad, replay: Replay) -> LogEntry | None:
    """The entry a replay ends with, read together with it; its digest is not."""
    row = replay.last
    if row is None:
        return None
    entry = {"id": row.entry_id, **seat_names.to_names(game_of(pad), row.body, pad.players)}
    made_at = parse_time(row.made_at)
    return LogEntry(row.number, row.entry_id, entry, who_of(row), made_at, "", row.step)


def who_of(row: StoredEntry) -> Who:
    return Who(row.seat, row.device, row.phone or "")


def tapped_at(row: StoredEntry) -> datetime:
    """The time a stored entry was tapped, as far as its phone has told."""
    return parse_time(row.tapped_at or row.made_at)


def answers_of(pad: Pad, entry_id: str) -> list[Any]:
    """The parts of an entry's draft before its last answer."""
    return list(pad.entries.values_list("answers", flat=True).get(entry_id=entry_id) or [])


def parse_time(text: str) -> datetime:
    """Times in plain SQL are texts: SQLite writes them in UTC and does not say so."""
    found = parse_datetime(text)
    if found is None:
        raise ValueError(f"{text!r} is not a time.")
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def sheet(pad: Pad, most: int | None = None) -> dict[str, Any]:
    """The whole tally sheet, or its first entries."""
    rows = sql.read_entries(pad, 0) if most is None else sql.read_first_entries(pad, most)
    reread_settled_seats(pad, rows)
    return {**sheet_head(pad), "entries": named(pad, rows)}


def named(pad: Pad, rows: Sequence[StoredEntry]) -> list[dict[str, Any]]:
    """Stored entries as they are in a sheet: with an id, and with the names the seats have now."""
    game = game_of(pad)
    return [{"id": row.entry_id, **seat_names.to_names(game, row.body, pad.players)} for row in rows]


def head(pad: Pad) -> int:
    """The number of the last entry; 0 for an empty log."""
    last = pad.entries.order_by("-number").values_list("number", flat=True).first()
    return last or 0


def end_of_step(pad: Pad, number: int) -> int:
    """The number of the last entry that was stored together with this one; its own if it stands alone."""
    step = pad.entries.filter(number=number).values_list("step", flat=True).first()
    if step is None:
        return number
    last: int | None = pad.entries.filter(step=step).aggregate(last=Max("number"))["last"]
    return last or number


def reread_settled_seats(pad: Pad, rows: Sequence[Any] | QuerySet[Entry]) -> None:
    """Read a pad again that was read before its first entry: until then its seats may have changed."""
    if pad.table_seal is None and len(rows):
        pad.refresh_from_db()
