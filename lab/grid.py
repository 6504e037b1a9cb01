"""The grid: which readings are compared, at which kinds of table, over how many evenings."""

from __future__ import annotations

from typing import Any, NamedTuple

import engine
from lab.table_kind import Kind, all_alike

SEED = "tallyroom 1"
MANY, FEW, DUEL, ALONE = 10_000, 4_000, 500, 400
"""Evenings of the table that sentences speak of, of other tables, of a duel, and of what stands alone."""

FIRST, FIRST_OF_OTHERS = 200, 20
"""The evenings that the tests play again: of the table that sentences speak of, and of everything else."""

STAKE = 300
"""The chips of a table that pays what it can, as in our variant of that name."""


class Reading(NamedTuple):
    """One value of an option, and the options that play it."""

    option: str
    value: str
    options: dict[str, Any]

    @property
    def key(self) -> str:
        return f"{self.option}={self.value}"


class Cell(NamedTuple):
    """A kind of table and how many evenings it plays; `base` is what it plays by all readings."""

    kind: Kind
    evenings: int
    base: dict[str, Any] = {}


class Duel(NamedTuple):
    """Two policies at one table, seat by seat in turn."""

    one: str
    other: str
    players: int
    evenings: int = DUEL


class Apart(NamedTuple):
    """Evenings that no log can be shared by: each with options, a table and words of its own."""

    title: str
    kind: Kind
    evenings: int
    options: dict[str, Any]


class Study(NamedTuple):
    """Everything the lab asks of one game. The first cell is the table that sentences speak of."""

    game: str
    cells: tuple[Cell, ...]
    numbers: dict[str, tuple[int, ...]] = {}
    duels: tuple[Duel, ...] = ()
    apart: tuple[Apart, ...] = ()

    @property
    def readings(self) -> list[Reading]:
        """Every reading but the defaults, and the numbers that are looked at like readings."""
        found = []
        for option in engine.GAMES[self.game].options:
            values = [value for value in option.readings if value != option.default]
            for value in (*values, *self.numbers.get(option.key, ())):
                stake = {"stake": STAKE} if value == "pay-what-you-can" else {}
                found.append(Reading(option.key, str(value), {option.key: value, **stake}))
        return found


def _victory(players: int, policy: str, pack: str = "10/4/4") -> Kind:
    return all_alike(players, policy, pack)


def _rap(players: int, caution: int) -> Kind:
    return all_alike(players, f"raps at {caution}", "44")


VICTORY_RUMMY = Study(
    "victory-rummy",
    (
        Cell(_victory(4, "plain"), MANY),
        Cell(_victory(3, "plain"), FEW),
        Cell(_victory(2, "plain"), FEW),
        Cell(_victory(4, "counting"), FEW),
        Cell(_victory(4, "plain", "9/5/4"), FEW),
        Cell(_victory(4, "plain", "12/3/3"), FEW),
    ),
    duels=(
        Duel("plain", "careless", 2),
        Duel("counting", "plain", 2),
        Duel("counting", "plain", 4),
        Duel("seeking", "counting", 4),
    ),
    apart=tuple(
        Apart(f"{option}={value}", _victory(4, "seeking"), ALONE, {option: value})
        for option, value in (
            ("bonus_order", "first-of-each"),
            ("bonus_order", "last-three"),
            ("bonus_order", "in-order"),
            ("bonus_order", "exact"),
            ("bonus_order", "unbroken"),
            ("grand_victory_clears", "scorer"),
        )
    ),
)

BOLDEST_THAT_PAYS = 25
"""The count to rap with that won its duels against more caution and against less."""

RAP_RUMMY = Study(
    "rap-rummy",
    (
        Cell(_rap(4, BOLDEST_THAT_PAYS), MANY),
        *(Cell(_rap(4, caution), FEW) for caution in (0, 5, 10, 15, 20, 30, 40)),
        *(Cell(_rap(players, BOLDEST_THAT_PAYS), FEW) for players in (2, 3, 6)),
        Cell(all_alike(4, f"patient, raps at {BOLDEST_THAT_PAYS}", "44"), FEW),
    ),
    duels=(
        Duel("raps at 10", "raps at 0", 4),
        Duel("raps at 15", "raps at 10", 4),
        Duel("raps at 25", "raps at 15", 4),
        Duel("raps at 25", "raps at 40", 4),
        Duel("raps at 25", "patient, raps at 25", 4),
    ),
)

THUMBS_UP = Study(
    "thumbs-up",
    (
        Cell(all_alike(4, "plain", "one box"), MANY),
        Cell(all_alike(3, "plain", "one box"), FEW),
        Cell(all_alike(2, "plain", "one box"), FEW),
        Cell(all_alike(4, "hoarding", "one box"), FEW),
        Cell(all_alike(4, "counting", "one box"), FEW),
        Cell(all_alike(8, "plain", "two boxes"), FEW, {"sets": 2}),
    ),
    numbers={"chip_value": (10, 25)},
    duels=(
        Duel("plain", "hoarding", 2),
        Duel("plain", "hoarding", 4),
        Duel("plain", "counting", 2),
        Duel("plain", "counting", 4),
    ),
    apart=(
        Apart("sets=1", all_alike(4, "plain", "one box"), ALONE, {"sets": 1}),
        Apart("sets=2", all_alike(4, "plain", "two boxes"), ALONE, {"sets": 2}),
    ),
)

STUDIES = {study.game: study for study in (VICTORY_RUMMY, RAP_RUMMY, THUMBS_UP)}
