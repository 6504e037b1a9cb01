"""The tally sheet: a log of what happened at one table, replayed into points.

A sheet only grows. To correct it is one more thing that happened, and the log is then replayed as if it had
been written that way. Points are never kept: they are what the log comes to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.fields import Blank, quote
from engine.head import read_head
from engine.log import CORRECTIONS, read_log
from engine.position import Position, play_log
from engine.result import VERSION, Result
from engine.rules import Refused

SHEET_FIELDS = frozenset(
    (
        "tally",
        "game",
        "declaration",
        "options",
        "players",
        "dealer",
        "entries",
        "title",
        "date",
        "notes",
    )
)


def score(sheet: Any) -> Result:
    """Score a whole tally sheet, or raise Refused with the first fault in it."""
    return replay(sheet).result()


def replay(sheet: Any) -> Position:
    """Check a tally sheet from its head to its last entry and return where the game stands."""
    *_, position = replay_in_parts(sheet)
    assert position is not None
    return position


def replay_in_parts(sheet: Any) -> Iterator[Position | None]:
    """The same in small parts, for callers that have no time for the whole: None after each part, and the
    position in the end. Raises Refused where the fault is reached."""
    if type(sheet) is not dict:
        raise Refused("bad-sheet", "A tally sheet is a JSON object, and this is not one.")
    if type(sheet.get("tally")) is not int or sheet["tally"] != VERSION:
        raise Refused("bad-sheet", f'"tally" must be the number {VERSION}, the version of this format.')
    for key in sheet:
        if key not in SHEET_FIELDS:
            raise Refused("bad-sheet", f"A tally sheet has no field {quote(key)}. Take it out.")
    game, table = read_head(sheet)
    entries = sheet.get("entries", [])
    if type(entries) is not list:
        raise Refused("bad-sheet", '"entries" must be a list: the log, in order.')
    blanks = {entry_type.key: Blank(entry_type) for entry_type in (*game.entries, *CORRECTIONS)}
    yield from play_log(game, table, blanks, tuple(entries), read_log(blanks, entries))
