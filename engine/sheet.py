"""The tally sheet: a log of what happened at one table, replayed into points.

A sheet only grows. To correct it is one more thing that happened, and the log is then replayed as if it had
been written that way. Points are never kept: they are what the log comes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.fields import Blank, quote
from engine.head import read_head
from engine.log import CORRECTION_KINDS, CORRECTIONS, Places, read_entry, read_log, standing
from engine.rules import Award, Cites, Ended, Entry, Game, Now, Refused, Table

VERSION = 1
SHEET_FIELDS = frozenset(
    ("tally", "game", "options", "players", "dealer", "entries", "title", "date", "notes")
)


class Line(NamedTuple):
    """One number on the pad: the entry it comes from, whose it is, and the passages that award it."""

    entry: int
    player: str
    points: int
    symbol: str
    cites: Cites
    why: str

    def as_dict(self) -> dict[str, Any]:
        return self._asdict() | {"cites": list(self.cites)}


class Result(NamedTuple):
    """The result of a sheet."""

    game: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    status: str
    totals: dict[str, int]
    winners: tuple[str, ...]
    ended: Ended | None
    lines: tuple[Line, ...]
    state: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        ended = self.ended and {"why": self.ended.why, "cites": list(self.ended.cites)}
        return {
            "tally": VERSION,
            "game": self.game,
            "options": dict(self.options),
            "players": list(self.players),
            "status": self.status,
            "totals": self.totals,
            "winners": list(self.winners),
            "ended": ended,
            "lines": [line.as_dict() for line in self.lines],
            "state": self.state,
        }


class Position(NamedTuple):
    """The position of a game after the entries so far. It never changes: to go on is to get the next one."""

    game: Game
    table: Table
    blanks: Mapping[str, Blank]
    entries: tuple[Entry, ...]
    places: Places
    state: Any
    totals: tuple[int, ...]
    lines: tuple[Line, ...]
    ended: Ended | None

    def enter(self, entry: Entry) -> Position:
        """Return the position one entry later, or refuse the entry. Only a correction replays the log."""
        index, entries = len(self.entries), (*self.entries, entry)
        places = dict(self.places)
        if read_entry(self.blanks, places, index, entry) in CORRECTION_KINDS:
            return _replay(self.game, self.table, self.blanks, entries)
        moved = _Replay(self)
        moved.play(index, entry)
        return moved.position(entries, places)

    @property
    def standing(self) -> list[Entry | None]:
        """The entry at each place of the log: None for a correction, and for an entry that is void."""
        return standing(self.entries, self.places)

    def result(self) -> Result:
        names = self.table.players
        return Result(
            game=self.game.key,
            options=self.table.options,
            players=names,
            status="finished" if self.ended else "playing",
            totals=dict(zip(names, self.totals, strict=True)),
            winners=tuple(names[seat] for seat in self.ended.winners) if self.ended else (),
            ended=self.ended,
            lines=self.lines,
            state=self.game.show(self.table, self.state, self.ended is not None),
        )


def score(sheet: Any) -> Result:
    """Score a whole tally sheet, or raise Refused with the first fault in it."""
    return replay(sheet).result()


def replay(sheet: Any) -> Position:
    """Check a tally sheet from its head to its last entry and return where the game stands."""
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
    return _replay(game, table, blanks, tuple(entries))


def _replay(game: Game, table: Table, blanks: Mapping[str, Blank], entries: tuple[Any, ...]) -> Position:
    kept, places = read_log(blanks, entries)
    totals = (table.options[game.stake] if game.stake else 0,) * len(table.players)
    moving = _Replay(Position(game, table, blanks, (), {}, game.start(table), totals, (), None))
    for index, entry in enumerate(kept):
        if entry is not None:
            moving.play(index, entry)
    return moving.position(entries, places)


class _Replay:
    """A position being moved on, entry by entry; the one place where a game's rules are asked."""

    def __init__(self, position: Position) -> None:
        self.start = position
        self.state = position.state
        self.totals = [*position.totals]
        self.lines: list[Line] = []
        self.ended = position.ended

    def play(self, index: int, entry: Entry) -> None:
        game, table = self.start.game, self.start.table
        kind = entry["type"]
        blank = self.start.blanks[kind]
        try:
            if self.ended:
                raise Refused("game-over", f"The game is over: {self.ended.why}", cites=self.ended.cites)
            blank.check_fields(entry)
            blank.check_names(entry, table.players)
            now = Now(table, self.state, self.totals, kind, place=index)
            game.turn(now, entry)
            blank.check_kinds(entry, table.players)
            self.state, awards, self.ended = game.play(now, entry)
        except Refused as refused:
            refused.entry = index
            raise
        self._write(index, awards)

    def _write(self, index: int, awards: Iterable[Award]) -> None:
        players = self.start.table.players
        for seat, points, symbol, cites, why in awards:
            self.totals[seat] += points
            self.lines.append(Line(index, players[seat], points, symbol, cites, why))

    def position(self, entries: tuple[Entry, ...], places: Places) -> Position:
        lines = (*self.start.lines, *self.lines)
        return self.start._replace(
            entries=entries,
            places=places,
            state=self.state,
            totals=tuple(self.totals),
            lines=lines,
            ended=self.ended,
        )
