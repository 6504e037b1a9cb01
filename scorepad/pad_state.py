"""State a pad is drawn from: where the game stands, the entry being made, and what this phone looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import engine
from engine import EntryType, Line, Position, Result
from engine.log import changes_of


@dataclass(frozen=True)
class PadState:
    """`partial` is the entry being made, `filled_by` says who answered which part of it.

    `at` is the question this phone turned to (`again`, if it is to be answered anew), `by` its way of
    answering, `own` the name at its seat; `amending` is the id of the entry being corrected. `settings` are
    those of the pad that are no rules, such as its chips.
    """

    position: Position
    partial: Mapping[str, Any] = field(default_factory=dict)
    filled_by: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    by: str = ""
    again: bool = False
    may_write: bool = True
    amending: str = ""
    own: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def result(self) -> Result:
        return self.position.result()

    @property
    def game(self) -> str:
        return self.position.game.key

    @property
    def players(self) -> tuple[str, ...]:
        return self.position.table.players

    @property
    def options(self) -> Mapping[str, Any]:
        return self.position.table.options

    @property
    def anew(self) -> str:
        """The part this phone answers anew, perhaps another way."""
        return self.at if self.again else ""

    @property
    def finished(self) -> bool:
        return self.position.ended is not None

    @property
    def entry_types(self) -> dict[str, EntryType]:
        return {entry_type.key: entry_type for entry_type in self.position.game.entries}

    @cached_property
    def standing(self) -> dict[int, dict[str, Any]]:
        """The entries that count, by their place in the log, in order of play, as corrections left them."""
        return self.position.standing

    @cached_property
    def turns(self) -> dict[int, int]:
        """For the place of every entry, void or not, how many that count were played before it."""
        turns, played = {}, 0
        for place, entry in self.position.steps:
            turns[place] = played
            played += entry is not None
        return turns

    def played_before(self, place: int) -> list[dict[str, Any]]:
        """The entries that count and come before this one, in order of play."""
        return [*self.standing.values()][: self.turns[place]]

    @property
    def last_place(self) -> int:
        """The place of the last entry that counts, in order of play; -1 where there is none."""
        return next(reversed(self.standing), -1)

    def newest_among(self, places: Iterable[int]) -> frozenset[int]:
        """Those of these places that the log's newest entry wrote or corrected; else the last of them."""
        entries, known = self.position.entries, [*places]
        touched = {self.position.places[of] for of in changes_of(entries[-1])} if entries else set()
        newest = [place for place in known if place in (touched or {len(entries) - 1})]
        return frozenset(newest or known[-1:])

    @cached_property
    def lines_of(self) -> dict[int, list[tuple[int, Line]]]:
        """The numbers each entry brought, with their place among all numbers; entries in order of play."""
        lines: dict[int, list[tuple[int, Line]]] = {}
        for number, line in enumerate(self.result.lines):
            lines.setdefault(line.entry, []).append((number, line))
        return lines

    def entry_id(self, place: int) -> str:
        return str(self.position.entries[place].get("id", ""))

    def dealer_of(self, hand: int) -> str:
        """The name that dealt a hand, counted from 0, where the deal goes round the table."""
        return self.players[(self.position.table.dealer + hand) % len(self.players)]

    def is_well_formed(self, entry: Mapping[str, Any]) -> bool:
        """False for an entry that lacks a field, or has one of another kind: the engine does not look into
        those that were struck out or replaced."""
        blank = self.position.blanks[entry["type"]]
        try:
            blank.check_fields(dict(entry))
            blank.check_names(dict(entry), self.players)
            blank.check_kinds(dict(entry), self.players)
        except engine.Refused:
            return False
        return True

    def refusal(self, entry: Mapping[str, Any]) -> engine.Refused | None:
        """The engine's objection to this entry now; None if it would stand."""
        try:
            self.position.enter(dict(entry))
        except engine.Refused as refused:
            return refused
        return None
