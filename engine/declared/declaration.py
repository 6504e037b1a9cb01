"""Records of a declaration that was read: what it asks, what it awards, when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.declared.blanks import Sentence
from engine.declared.calculation import Function
from engine.declared.sums import Sum
from engine.rules import Cites, EntryType, Field, Game, Option

EVERYBODY = "everybody"
OTHERS_OF = "others of "


class Worked(NamedTuple):
    """A sum as it was written, for reading it back, and what works it out."""

    tree: Sum
    work_out: Function


class Check(NamedTuple):
    """What must hold in an entry, and the sentence that refuses it otherwise."""

    that: Worked
    says: str
    cites: Cites


class AwardRule(NamedTuple):
    """Points for somebody: `to` and `source` name a field, `others of …` a field, or everybody."""

    to: str
    points: Worked
    symbol: str
    why: Sentence
    cites: Cites
    when: Worked | None = None
    source: str | None = None
    share: str | None = None
    """The `each` whose shares the sum is worked out in: that of the receivers, or of those who give."""


class EntryRule(NamedTuple):
    """One thing that can happen, and what it brings."""

    type: EntryType
    ends_hand: bool
    once: tuple[str, ...]
    checks: tuple[Check, ...]
    awards: tuple[AwardRule, ...]

    @property
    def each(self) -> Field | None:
        return next((field for field in self.type.fields if field.kind == "each"), None)


class EndRule(NamedTuple):
    """When a game is over and who has won it."""

    after: Worked | None
    reaches: Worked | None
    falls: Worked | None
    at_once: bool
    wins: str
    plays_on: bool
    why: Sentence
    cites: Cites
    of_sides: bool = False
    """Several people sit in one seat: one side alone “have won” too."""


class Declaration(NamedTuple):
    """A game declared as data: its text, the game it makes, and its rules for reading them back."""

    text: str
    digest: str
    key: str
    title: str
    book: str
    by: str
    seat: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    tables: Mapping[str, Mapping[str, int]]
    entries: tuple[EntryRule, ...]
    end: EndRule
    game: Game
    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name a sheet gives it, which no other text has."""
        return f"{self.key}@{self.digest}"
