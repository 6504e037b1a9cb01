"""Results of the lab as kept in fixtures/lab: whole numbers, read into shares with their intervals."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from lab.intervals import Interval, mean, share

Document = dict[str, Any]


class Row(NamedTuple):
    """One reading at one kind of table, against the default on the same cards."""

    players: int
    policy: str
    label: str
    evenings: int
    other: int
    shared: int
    parted: int
    longer: Interval
    wider: Interval
    default_deals: float

    @property
    def share(self) -> Interval:
        """Evenings that somebody else won."""
        return share(self.other, self.evenings)

    @property
    def parted_share(self) -> Interval:
        """Evenings in which a number was different."""
        return share(self.parted, self.evenings)


class ReadingResult(NamedTuple):
    """A reading at every kind of table; the first row is the one that sentences speak of."""

    game: str
    option: str
    value: str
    rows: tuple[Row, ...]
    examples: tuple[int, ...]

    @property
    def key(self) -> str:
        return f"{self.option}={self.value}"


class DuelResult(NamedTuple):
    """Two policies against each other on the same cards, seats exchanged."""

    one: str
    other: str
    players: int
    evenings: int
    won: int
    lost: int
    shared: int

    @property
    def share(self) -> Interval:
        return share(self.won, self.won + self.lost)

    @property
    def winner(self) -> str:
        """The stronger policy; empty where so many evenings cannot tell."""
        if self.share.low > 1 / 2:
            return self.one
        return self.other if self.share.high < 1 / 2 else ""


class Results(NamedTuple):
    """All that the lab has found out about a game."""

    document: Document
    readings: dict[str, ReadingResult]
    duels: tuple[DuelResult, ...]

    def of_option(self, option: str) -> list[ReadingResult]:
        return [found for found in self.readings.values() if found.option == option]

    def of(self, option: str, value: object) -> ReadingResult | None:
        return self.readings.get(f"{option}={value}")


@lru_cache(maxsize=16)
def results(folder: Path, game: str) -> Results | None:
    """The results of a game; None for one that is not simulated."""
    path = folder / f"{game}.json"
    if not path.exists():
        return None
    document: Document = json.loads(path.read_text(encoding="utf-8"))
    duels = tuple(_duel(one) for one in document["duels"])
    return Results(document, {found.key: found for found in _readings(document)}, duels)


def _readings(document: Document) -> list[ReadingResult]:
    tables = document["tables"]
    home = tables[0]["all"]
    found = []
    for key in home["readings"]:
        option, _, value = key.partition("=")
        numbers = home["examples"].get(key) or home["partings"].get(key) or ()
        rows = tuple(_row(document, table, key) for table in tables)
        found.append(ReadingResult(document["game"], option, value, rows, tuple(numbers)))
    return found


def _row(document: Document, table: dict[str, Any], key: str) -> Row:
    figures = table["all"]
    number, found = figures["evenings"], figures["readings"][key]
    return Row(
        table["players"],
        table["policy"],
        label_of(document, table),
        number,
        found["other"],
        found["shared"],
        found["parted"],
        mean(found["deals_more"], found["deals_squares"], number),
        mean(found["margin_more"], found["margin_squares"], number),
        figures["default"]["deals"] / number,
    )


def label_of(document: Document, table: dict[str, Any]) -> str:
    """A kind of table in a few words; the pack is named where it is not the usual one."""
    usual = document["tables"][0]["pack"]
    pack = "" if table["pack"] == usual else f", {table['pack']}"
    return f"{table['players']} players, {table['policy']}{pack}"


def _duel(kept: dict[str, Any]) -> DuelResult:
    figures = kept["all"]
    return DuelResult(
        kept["one"],
        kept["other"],
        kept["players"],
        figures["evenings"],
        figures["won"],
        figures["lost"],
        figures["shared"],
    )
