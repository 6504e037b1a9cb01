"""Compares what was acknowledged with what the site holds, entry by entry, over HTTP."""

import sqlite3
from collections import Counter, defaultdict
from dataclasses import dataclass, fields

from tests.resilience.writers import PLAYERS


@dataclass
class Verdict:
    """How often each promise was broken. All but the first two must be nothing."""

    pads: int = 0
    entries: int = 0
    lost: int = 0
    doubled: int = 0
    unknown: int = 0
    altered: int = 0
    gaps: int = 0
    sums: int = 0

    @property
    def broken(self):
        return {field.name: count for field in fields(self)[2:] if (count := getattr(self, field.name))}

    def __str__(self):
        told = ", ".join(f"{getattr(self, field.name)} {field.name}" for field in fields(self)[2:])
        return f"{self.entries} entries on {self.pads} pads: {told}"


def judge(line, tables, sent):
    """Everything these writers say was written, against the logs and results of these pads."""
    verdict = Verdict(pads=len(tables))
    by_code = {table.code: [] for table in tables}
    for made in sent:
        by_code[made.table.code].append(made)
    for table in tables:
        status, answer = line.json("GET", table.address("log.json"), token=table.watch)
        assert status == 200, answer
        _compare(verdict, answer["log"], by_code[table.code])
        status, result = line.json("GET", table.address("result.json"), token=table.watch)
        assert status == 200, result
        verdict.sums += result["totals"] != _totals(answer["log"])
        verdict.gaps += result["head"] != len(answer["log"])
    return verdict


def _compare(verdict, log, sent):
    verdict.entries += len(log)
    rows = {row["id"]: row for row in log}
    verdict.gaps += [row["number"] for row in log] != list(range(1, len(log) + 1))
    verdict.doubled += len(log) - len(rows)
    labels = Counter(row["who"] for row in log if row["who"])
    verdict.doubled += sum(count - 1 for count in labels.values())
    verdict.unknown += len(labels.keys() - {made.label for made in sent})
    for made in sent:
        row = rows.get(made.id)
        if row is None:
            # Under another id it was doubled or is unknown; under none it is lost.
            verdict.lost += made.label not in labels
            continue
        same = row["entry"] == {"id": made.id, **made.entry} and row["who"] == made.label
        verdict.altered += not same or made.number not in (None, row["number"])


def _totals(log):
    """Rummy by hand: the counts of the losers, added up for each."""
    totals = dict.fromkeys(PLAYERS, 0)
    for row in log:
        for name, hand in row["entry"]["hands"].items():
            totals[name] += hand["count"]
    return totals


def found_in(path):
    """The ids of all entries in a file that nobody serves; its pages and its numbers must be whole."""
    database = sqlite3.connect(path)
    try:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = database.execute(
            "SELECT pad_id, number, entry_id FROM scorepad_entry ORDER BY number"
        ).fetchall()
    finally:
        database.close()
    numbers = defaultdict(list)
    for pad, number, _ in rows:
        numbers[pad].append(number)
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
    return {name for _, _, name in rows}
