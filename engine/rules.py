"""The words in which a game is written down: what it asks, what it awards, what it refuses.

Nothing here knows a game. A game file states its options, its entries and its rules in these terms, and the
sheet, the pads, the archive and the command line are drawn from the same statements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

Entry = dict[str, Any]

#: How far a statement is carried by the book, from a plain sentence to our own choice.
AUTHORITIES = {
    "text": "stated in the text",
    "reading": "open to interpretation",
    "sample": "shown only by an example",
    "editor": "not covered; our choice",
}


class Citation(str):
    """A passage of a book, written `book/anchor`."""

    __slots__ = ()

    @property
    def book(self) -> str:
        return self.partition("/")[0]

    @property
    def anchor(self) -> str:
        return self.partition("/")[2]


Cites = tuple[Citation, ...]


def passages(book: str) -> Callable[..., Cites]:
    """Return the function that cites passages of this book by their anchors."""

    @cache
    def cite(*anchors: str) -> Cites:
        return tuple(Citation(f"{book}/{anchor}") for anchor in anchors)

    return cite


class Refused(Exception):
    """Something that cannot be scored: what is wrong, in a sentence that says what to do."""

    def __init__(
        self, code: str, message: str, entry: int | None = None, cites: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.entry = entry
        self.cites = cites

    def as_dict(self) -> dict[str, Any]:
        error = {"code": self.code, "message": self.message, "entry": self.entry, "cites": list(self.cites)}
        return {"error": error}


class Option(NamedTuple):
    """One reading a table can choose: a word from `values`, or a whole number from `least` to `most`."""

    key: str
    question: str
    default: str | int
    authority: str
    cites: Cites
    readings: Mapping[str, str] = {}
    numbers: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def values(self) -> tuple[str | int, ...] | None:
        """The values in order, the default first; None for a whole range of numbers."""
        return tuple(self.readings) or self.numbers or None

    def admits(self, value: object) -> bool:
        if type(value) is str:
            return value in self.readings
        if type(value) is not int:
            return False
        if self.least is None or self.most is None:
            return value in self.numbers
        return self.least <= value <= self.most

    @property
    def range(self) -> str:
        if self.values is not None:
            return ", ".join(str(value) for value in self.values)
        return f"{self.least} to {self.most}"

    def as_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"key": self.key, "question": self.question, "default": self.default}
        if self.values is not None:
            shown["values"] = list(self.values)
        else:
            shown |= {"least": self.least, "most": self.most}
        return shown | {
            "readings": dict(self.readings),
            "authority": self.authority,
            "cites": list(self.cites),
        }


class Field(NamedTuple):
    """One blank of an entry, with the question that fills it.

    Kinds: `player` (a name), `choice` (one of values), `number` (least to most, by step), `flag` (true or
    false), `piece` (one of values), `pieces` (a list of them, least to most long), `record` (an object with
    the fields of one of `shapes`), `each` (such an object, or a list of pieces, for every player but the one
    named in the field `but`). A value that is not one of `values` is refused with `code`.
    """

    key: str
    kind: str
    question: str
    required: bool = True
    nullable: bool = False
    values: Sequence[str | int] = ()
    least: int | None = None
    most: int | None = None
    step: int = 1
    code: str = "bad-entry"
    but: str | None = None
    shapes: tuple[tuple[Field, ...], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"key": self.key, "kind": self.kind, "question": self.question}
        shown["required"] = self.required
        if self.nullable:
            shown["nullable"] = True
        if self.values:
            shown["values"] = list(self.values)
        if self.least is not None:
            shown["least"] = self.least
        if self.most is not None:
            shown["most"] = self.most
        if self.step != 1:
            shown["step"] = self.step
        if self.but:
            shown["but"] = self.but
        if self.shapes:
            shown["shapes"] = [[field.as_dict() for field in shape] for shape in self.shapes]
        return shown


class EntryType(NamedTuple):
    """One thing that can happen at the table."""

    key: str
    question: str
    fields: tuple[Field, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "question": self.question,
            "fields": [field.as_dict() for field in self.fields],
        }


class Award(NamedTuple):
    """One number given to one seat, and the passages that give it."""

    seat: int
    points: int
    symbol: str
    cites: Cites
    why: str


class Ended(NamedTuple):
    """Why the game is over and who has won it."""

    winners: tuple[int, ...]
    why: str
    cites: Cites


class Table(NamedTuple):
    """The setup before the first card: the readings chosen, the seats, who deals first."""

    options: Mapping[str, Any]
    players: tuple[str, ...]
    dealer: int

    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.players)

    def have(self, seats: Sequence[int], are_sides: bool = False) -> str:
        """The players in these seats as the beginning of a sentence: "Ada has", "Ada and Ben have"."""
        names = listed([self.players[seat] for seat in seats])
        return f"{names} has" if len(seats) == 1 and not are_sides else f"{names} have"


class Now(NamedTuple):
    """The moment an entry is made: the table, what stands, and the entry's kind and place in the log."""

    table: Table
    state: Any
    totals: Sequence[int]
    kind: str
    place: int


class Happened(NamedTuple):
    """The effect of one entry: the state after it, what was awarded, and the end if it brought one."""

    state: Any
    awards: tuple[Award, ...] = ()
    ended: Ended | None = None


def no_turns(now: Now, entry: Entry) -> None:
    """Let every player make any entry: the rule of games that do not say whose move it is."""


def seats_as_printed(seats: tuple[int, int], options: Mapping[str, Any]) -> tuple[int, int]:
    return seats


def any_options(options: Mapping[str, Any]) -> None:
    """Let every combination of options stand."""


class Game(NamedTuple):
    """A game as the engine plays it. `play` is pure: a state and an entry in, what happened out."""

    key: str
    title: str
    book: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    entries: tuple[EntryType, ...]
    start: Callable[[Table], Any]
    play: Callable[[Now, Entry], Happened]
    show: Callable[[Table, Any, bool], dict[str, Any]]
    turn: Callable[[Now, Entry], None] = no_turns
    seat_rule: Callable[[tuple[int, int], Mapping[str, Any]], tuple[int, int]] = seats_as_printed
    option_rule: Callable[[Mapping[str, Any]], None] = any_options
    stake: str | None = None
    declaration: str | None = None
    """The text that declares the game, of one that is data and not code."""
    by: str = ""
    """Who declared it."""
    lowest_wins: bool = False
    """The fewest points win."""
    seat_word: str = "player"
    """What sits in one seat: a player or a side of several."""

    def seats_for(self, options: Mapping[str, Any]) -> tuple[int, int]:
        return self.seat_rule(self.seats, options)

    def as_dict(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "book": self.book,
            "seats": list(self.seats),
            "options": [option.as_dict() for option in self.options],
            "entries": [entry.as_dict() for entry in self.entries],
        }


def listed(words: list[str]) -> str:
    """Join words as one says them: a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def after(totals: Sequence[int], awards: Sequence[Award]) -> tuple[int, ...]:
    """The totals once these awards are written down."""
    sums = list(totals)
    for award in awards:
        sums[award.seat] += award.points
    return tuple(sums)


def leaders(totals: Sequence[int], best: Callable[..., int] = max) -> tuple[int, ...]:
    """The seats with the most points, or the fewest, in seat order; ties are shared."""
    goal = best(totals)
    return tuple(seat for seat, total in enumerate(totals) if total == goal)
