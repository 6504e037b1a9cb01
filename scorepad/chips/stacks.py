"""Stacks of chips as they are drawn: one pile for each value, with the height of each chip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MAX_DRAWN = 11
"""A pile that would be too high is drawn at this height."""

DRAWN_WIDTH = 68


@dataclass(frozen=True)
class ChipStack:
    """One pile of chips of one value: how far from the left it stands, and how high each chip lies."""

    value: int
    left: int
    chips: tuple[float, ...]
    number: int

    @property
    def top(self) -> float:
        """The height of the number over the pile."""
        return (self.chips[-1] if self.chips else 33) - 1.75


def draw_stacks(purse: Mapping[int, int]) -> tuple[ChipStack, ...]:
    """Piles by value, the dearest chips first, in the middle of the seat."""
    first = (DRAWN_WIDTH - 20 * len(purse) + 4) // 2
    return tuple(
        ChipStack(value, first + 20 * column, _heights(purse[value]), purse[value])
        for column, value in enumerate(sorted(purse, reverse=True))
    )


def _heights(number: int) -> tuple[float, ...]:
    return tuple(30.25 - 2.75 * chip for chip in range(min(number, MAX_DRAWN)))
