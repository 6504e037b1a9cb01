"""`manage.py sample_pad`: reconstruct the sample pad of 1942 again, and print what fits."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from archive.sample_pad import Completion, reconstruct_all

SHOWN_MAX = 12


class Command(BaseCommand):
    help = "Reconstruct the sample pad of Victory Rummy, 1942, and print the completions that fit."

    def handle(self, *args: Any, **options: Any) -> None:
        columns, moved, counts = reconstruct_all()
        for found in (*columns, moved):
            few = len(found.cheapest)
            name = f"Column {found.column.player}" + (", last sign above the tally" if found is moved else "")
            self.stdout.write(f"{name}: {few} cheapest completion{'s' if few > 1 else ''}, cost {found.cost}")
            for one in found.cheapest[:SHOWN_MAX]:
                self.stdout.write(f"  {written(one)}")
            if few > SHOWN_MAX:
                self.stdout.write(f"  and {few - SHOWN_MAX} more")
        self.stdout.write(
            f"Signs of column B: {counts.all:,} rows fit the figures, {counts.in_order} have the five signs "
            f"of the file in order, {counts.allowed} are allowed by the rules."
        )


def written(one: Completion) -> str:
    """A column in one line: entries, the tally between bars, entries."""
    above, below = (
        " ".join(f"{entry.points} {entry.sign}" for entry in part) for part in (one.above, one.below)
    )
    return f"{above} | {one.tally} | {below}".rstrip()
