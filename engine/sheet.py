"""The tally sheet: a log of what happened at one table, replayed into points.

A sheet only grows. To correct it is one more thing that happened, and the log is then replayed as if it had
been written that way. Points are never kept: they are what the log comes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.fields import Blank, shown
from engine.games import GAMES
from engine.rules import Award, Cites, Ended, Entry, EntryType, Field, Game, Now, Refused, Table, listed

VERSION = 1
SHEET_FIELDS = frozenset(
    ("tally", "game", "options", "players", "dealer", "entries", "title", "date", "notes")
)
NAME_LENGTH_MOST = 40

TARGET = Field("of", "target", "Which entry?")
CORRECTIONS = (
    EntryType("void", "An entry that counts no longer", (TARGET,)),
    EntryType(
        "amend",
        "An entry that should have read otherwise",
        (TARGET, Field("entry", "entry", "What happened?")),
    ),
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
    """What a sheet comes to."""

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
    """Where a game stands after the entries so far. It never changes: to go on is to get the next one."""

    game: Game
    table: Table
    blanks: Mapping[str, Blank]
    entries: tuple[Entry, ...]
    places: Mapping[str, int | None]
    state: Any
    totals: tuple[int, ...]
    lines: tuple[Line, ...]
    ended: Ended | None

    def enter(self, entry: Entry) -> Position:
        """Return the position one entry later, or refuse the entry. Only a correction replays the log."""
        index, entries = len(self.entries), (*self.entries, entry)
        places = dict(self.places)
        kind = _read_entry(self.blanks, places, index, entry)
        if kind in _CORRECTIONS:
            return _replay(self.game, self.table, self.blanks, entries)
        moved = _Replay(self)
        moved.play(index, entry)
        return moved.position(entries, places)

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
            raise Refused("bad-sheet", f"A tally sheet has no field {shown(key)}. Take it out.")
    game = _game(sheet.get("game"))
    options = _options(game, sheet.get("options", {}))
    players = _players(game, options, sheet.get("players"))
    table = Table(options, players, _dealer(players, sheet.get("dealer", players[0])))
    entries = sheet.get("entries", [])
    if type(entries) is not list:
        raise Refused("bad-sheet", '"entries" must be a list: the log, in order.')
    blanks = {entry_type.key: Blank(entry_type) for entry_type in (*game.entries, *CORRECTIONS)}
    return _replay(game, table, blanks, tuple(entries))


def _game(key: object) -> Game:
    if type(key) is not str or key not in GAMES:
        raise Refused("unknown-game", f"{shown(key)} is not a game we score. We score {listed([*GAMES])}.")
    return GAMES[key]


def _options(game: Game, chosen: Any) -> dict[str, Any]:
    if type(chosen) is not dict:
        raise Refused("bad-option", '"options" must be an object of options and their values.')
    declared = {option.key: option for option in game.options}
    for key in chosen:
        if key not in declared:
            raise Refused(
                "unknown-option", f"{game.title} has no option {shown(key)}. It has {listed([*declared])}."
            )
    for key, value in chosen.items():
        if not declared[key].admits(value):
            says = f'"{key}" cannot be {shown(value)}. It takes {declared[key].range}.'
            raise Refused("bad-option", says, cites=declared[key].cites)
    options = {option.key: chosen.get(option.key, option.default) for option in game.options}
    game.option_rule(options)
    return options


def _players(game: Game, options: Mapping[str, Any], names: Any) -> tuple[str, ...]:
    if type(names) is not list:
        raise Refused("bad-players", '"players" must be a list of names in seat order.')
    least, most = game.seats_for(options)
    if not least <= len(names) <= most:
        raise Refused("bad-players", f"{game.title} seats {least} to {most} players; here are {len(names)}.")
    for name in names:
        if type(name) is not str or not 1 <= len(name) <= NAME_LENGTH_MOST:
            raise Refused(
                "bad-players", f"A name has 1 to {NAME_LENGTH_MOST} characters; {shown(name)} has not."
            )
        if name != name.strip():
            raise Refused(
                "bad-players", f"The name {shown(name)} begins or ends with white space. Take it away."
            )
        if any(_is_control(sign) for sign in name):
            raise Refused("bad-players", f"The name {shown(name)} holds a control character. Take it out.")
    if len({name.casefold() for name in names}) < len(names):
        raise Refused("bad-players", "Two players have the same name. Give each a name of their own.")
    return tuple(names)


def _dealer(players: tuple[str, ...], name: Any) -> int:
    if type(name) is not str or name not in players:
        says = f'"dealer" is {shown(name)}, who is not at this table. The players are {listed([*players])}.'
        raise Refused("unknown-player", says)
    return players.index(name)


_CORRECTIONS = frozenset(entry_type.key for entry_type in CORRECTIONS)


def _replay(game: Game, table: Table, blanks: Mapping[str, Blank], entries: tuple[Any, ...]) -> Position:
    standing: list[Entry | None] = list(entries)
    places: dict[str, int | None] = {}
    for index, entry in enumerate(entries):
        kind = _read_entry(blanks, places, index, entry)
        if kind in _CORRECTIONS:
            standing[index] = None
            _correct(standing, places, index, entry)
    totals = (table.options[game.stake] if game.stake else 0,) * len(table.players)
    moving = _Replay(Position(game, table, blanks, (), {}, game.start(table), totals, (), None))
    for index, standing_entry in enumerate(standing):
        if standing_entry is not None:
            moving.play(index, standing_entry)
    return moving.position(entries, places)


def _read_entry(blanks: Mapping[str, Blank], places: dict[str, int | None], index: int, entry: Any) -> str:
    """Read an entry into the log: its type, its id and, of a correction, its target. Return its type."""
    if type(entry) is not dict or "type" not in entry:
        raise Refused("bad-entry", 'An entry is an object with a "type".', index)
    kind = entry["type"]
    if type(kind) is not str or kind not in blanks:
        raise Refused(
            "unknown-entry", f"This game has no entry {shown(kind)}. It has {listed([*blanks])}.", index
        )
    if "id" in entry:
        name = entry["id"]
        if type(name) is not str or not name or not _is_text(name):
            raise Refused("bad-entry", 'An "id" is a text that is not empty.', index)
        if name in places:
            raise Refused(
                "duplicate-id", f"The id {shown(name)} stands in the log already. Give each its own.", index
            )
        places[name] = None if kind in _CORRECTIONS else index
    if kind in _CORRECTIONS:
        try:
            blanks[kind].check_fields(entry)
            _check_correction(blanks, places, entry)
        except Refused as refused:
            refused.entry = index
            raise
    return kind


def _check_correction(blanks: Mapping[str, Blank], places: Mapping[str, int | None], entry: Entry) -> None:
    target = entry["of"]
    if type(target) is not str:
        raise Refused("bad-entry", f'"of" must be the id of an entry, not {shown(target)}.')
    if entry["type"] == "amend":
        instead = entry["entry"]
        plain = [kind for kind in blanks if kind not in _CORRECTIONS]
        if type(instead) is not dict or instead.get("type") not in plain:
            raise Refused("bad-entry", f'"entry" must be an entry of this game: {listed(plain)}.')
        if "id" in instead:
            raise Refused(
                "bad-entry", "An entry that stands instead of another has no id: it keeps the other's."
            )
    if places.get(target) is None:
        raise Refused(
            "unknown-target", f"No earlier entry has the id {shown(target)}, so it cannot be corrected."
        )


def _correct(
    standing: list[Entry | None], places: Mapping[str, int | None], index: int, entry: Entry
) -> None:
    place = places[entry["of"]]
    assert place is not None  # _check_correction has found it
    if entry["type"] == "amend":
        standing[place] = entry["entry"]
    elif standing[place] is None:
        raise Refused("already-void", f"The entry {shown(entry['of'])} is void already.", index)
    else:
        standing[place] = None


def _is_text(name: str) -> bool:
    return name.isascii() or not any(_is_surrogate(sign) for sign in name)


def _is_surrogate(sign: str) -> bool:
    return "\ud800" <= sign <= "\udfff"


def _is_control(sign: str) -> bool:
    return sign < " " or "\x7f" <= sign <= "\x9f" or _is_surrogate(sign)


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

    def position(self, entries: tuple[Entry, ...], places: Mapping[str, int | None]) -> Position:
        lines = (*self.start.lines, *self.lines)
        return self.start._replace(
            entries=entries,
            places=places,
            state=self.state,
            totals=tuple(self.totals),
            lines=lines,
            ended=self.ended,
        )
