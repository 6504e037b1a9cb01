"""Tables of the lab: how many play, by which policies, with which pack; and what a simulator must offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from engine import Position
from engine.rules import Entry

NAMES = ("Ada", "Ben", "Cyd", "Dot", "Eli", "Fay", "Gus", "Hal")


class Kind(NamedTuple):
    """A kind of table: its policies, one for each seat, and its pack."""

    policies: tuple[str, ...]
    pack: str

    @property
    def players(self) -> tuple[str, ...]:
        return NAMES[: len(self.policies)]

    @property
    def cards(self) -> str:
        """The name of its shuffles: tables of one size and pack get the same cards, whoever sits there."""
        return f"{len(self.policies)} {self.pack}"


def all_alike(players: int, policy: str, pack: str) -> Kind:
    return Kind((policy,) * players, pack)


#: The score as it stands, for a policy that plays for what its table's reading awards.
Pad = Callable[[], Position]


class Chance(NamedTuple):
    """The cards of one evening: a seed, the evening's number, and the seat that deals first."""

    seed: str
    evening: int
    dealer: int = 0


class Dealt(NamedTuple):
    """One deal, played: its entries on the tally sheet, and counts of what no entry tells."""

    entries: list[Entry]
    events: Counter[str]


class Simulator(NamedTuple):
    """A game that can be played out. `deals` has no end: the score decides when an evening is over."""

    game: str
    deals: Callable[[Kind, Chance, Pad | None], Iterator[Dealt]]
    policies: Mapping[str, str]
    packs: Mapping[str, str]
    doubts: tuple[str, ...]
    """Reasons of its own to distrust its figures."""
    words: Callable[[Entry], str]
    """An entry as people at the table would say it."""
