"""The report on a game: everything one must know to distrust its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lab.findings import DuelResult, Results, label_of
from lab.intervals import share
from lab.panel import Panel
from lab.sentences import COUNTED, percent, share_words, span, whole
from lab.simulators import SIMULATORS


class Column(NamedTuple):
    words: str
    is_number: bool = False


class Table(NamedTuple):
    """A table of figures: the first cell of a row names it."""

    label: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[str | int, ...]]

    @property
    def cells(self) -> list[list[tuple[Column, str | int]]]:
        """Every row, each cell with its column."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]


class Report(NamedTuple):
    """A study in words and numbers."""

    seed: str
    engine: str
    policies: list[tuple[str, str]]
    packs: list[tuple[str, str]]
    doubts: tuple[str, ...]
    tables: Table
    duels: Table
    apart: Table
    checks: list[str]


def report(results: Results) -> Report:
    document = results.document
    return Report(
        document["seed"],
        document["engine"],
        [*document["policies"].items()],
        [*document["packs"].items()],
        SIMULATORS[document["game"]].doubts,
        _tables(document),
        _duels(results.duels),
        _apart(document),
        _checks(document),
    )


def readings(panel: Panel) -> Table:
    """One reading against the default, at every table."""
    columns = (
        Column("Table"),
        Column("Evenings", True),
        Column("Someone else won"),
        Column("Shared or not", True),
        Column("A number differed"),
        Column("Longer"),
        Column("Wider margin"),
    )
    rows = [
        (row.label, row.evenings, row.other, row.shared, row.parted, row.longer, row.wider)
        for row in panel.rows
    ]
    return Table(f"{panel.result.option}: {panel.result.value}", columns, rows)


def _tables(document: dict[str, Any]) -> Table:
    columns = (
        Column("Table"),
        Column("Evenings", True),
        Column("Deals each", True),
        Column("Margin", True),
        Column("Shared wins", True),
        Column("Dealt again"),
    )
    return Table("Tables", columns, [_table_row(document, table) for table in document["tables"]])


def _table_row(document: dict[str, Any], table: dict[str, Any]) -> tuple[str | int, ...]:
    figures = table["all"]
    default, number = figures["default"], figures["evenings"]
    redealt = default["events"].get("redealt", 0)
    words = share_words(redealt, share(redealt, default["deals"] + redealt)) if redealt else "none"
    return (
        label_of(document, table),
        whole(number),
        f"{default['deals'] / number:.1f}",
        f"{default['margin'] / number:.0f}",
        default["shared"],
        words,
    )


def _duels(duels: Sequence[DuelResult]) -> Table:
    columns = (
        Column("Duel"),
        Column("Players", True),
        Column("Won", True),
        Column("Lost", True),
        Column("Shared", True),
        Column("Finding"),
    )
    rows = [
        (f"{one.one} against {one.other}", one.players, one.won, one.lost, one.shared, _duel_words(one))
        for one in duels
    ]
    return Table("Duels", columns, rows)


def _duel_words(duel: DuelResult) -> str:
    if not duel.winner:
        return "Neither is stronger, as far as these evenings can tell."
    weaker = duel.other if duel.winner == duel.one else duel.one
    return f"“{duel.winner}” is stronger than “{weaker}” at a table of {COUNTED[duel.players]}."


def _apart(document: dict[str, Any]) -> Table:
    """Evenings that are compared with no others: their length and margin, in quarters."""
    columns: tuple[Column, ...] = (
        Column("Played by"),
        Column("Table"),
        Column("Evenings", True),
        Column("Deals"),
        Column("Margin"),
        Column("GRAND VICTORIES with the bonus"),
    )
    rows = [_apart_row(document, one) for one in document["apart"]]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    return Table("Evenings side by side", columns, rows)


def _apart_row(document: dict[str, Any], one: dict[str, Any]) -> tuple[str | int, ...]:
    figures = one["all"]
    grand = figures["lines"].get("G", 0)
    bonus = figures["lines"].get("RWB", 0)
    words = f"{whole(bonus)} of {whole(grand)} ({span(share(bonus, grand))})" if grand else ""
    return (
        one["title"],
        label_of(document, one),
        whole(figures["evenings"]),
        _quarters(figures["deals"]),
        _quarters(figures["margins"]),
        words,
    )


def _quarters(histogram: dict[str, int]) -> str:
    """The middle, and between which numbers half of the evenings lie."""
    values = sorted(int(value) for value, number in histogram.items() for _ in range(number))
    first, middle, last = (values[len(values) * part // 4] for part in (1, 2, 3))
    return str(middle) if first == last else f"{middle} (half of them {first} to {last})"


def _checks(document: dict[str, Any]) -> list[str]:
    """Figures that theory knows too."""
    found = []
    for table in document["tables"]:
        lines = table["all"]["default"]["lines"]
        if "G" in lines:
            bonus = share(lines["RWB"], lines["G"])
            found.append(
                f"{label_of(document, table)}: {whole(lines['RWB'])} of {whole(lines['G'])} GRAND VICTORIES "
                f"brought the bonus, {percent(bonus.figure)} % (95 % interval {span(bonus)}). Players who do "
                f"not look at colours must come to one in six, 16.7 %."
            )
    return found + _ties(document)


def _ties(document: dict[str, Any]) -> list[str]:
    """How many ties for the lowest count stay unbroken: in hands as dealt, and in hands that were played."""
    found = []
    for table in document["tables"]:
        default = table["all"]["default"]
        events = default["events"]
        dealt = f"{table['players']} players, hands as dealt, before anyone draws"
        played = f"{label_of(document, table)}, hands as played"
        for prefix, hands in (("dealt ", dealt), ("", played)):
            ties, unbroken = events.get(f"{prefix}ties", 0), events.get(f"{prefix}unbroken ties", 0)
            if ties:
                found.append(
                    f"{hands}: {whole(unbroken)} of {whole(ties)} ties for the lowest count stay unbroken, "
                    f"{percent(unbroken / ties)} % (95 % interval {span(share(unbroken, ties))}), "
                    f"in {whole(default['deals'])} hands."
                )
    # The same cards are dealt to every kind of player.
    return list(dict.fromkeys(found))
