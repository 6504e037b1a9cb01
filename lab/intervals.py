"""Intervals of 95 %: what a share or a mean may be, as far as so many evenings can tell."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.96


class Interval(NamedTuple):
    """A figure between its bounds."""

    figure: float
    low: float
    high: float

    def overlaps(self, other: Interval) -> bool:
        return self.low <= other.high and other.low <= self.high


def share(found: int, number: int) -> Interval:
    """The share of so many, with Wilson's interval, which holds for shares near 0 and 1 too."""
    portion = found / number
    middle = portion + Z * Z / (2 * number)
    reach = Z * sqrt(portion * (1 - portion) / number + Z * Z / (4 * number * number))
    below = 1 + Z * Z / number
    return Interval(portion, max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below))


def mean(total: int, squares: int, number: int) -> Interval:
    """The mean of so many whole numbers, from their sum and the sum of their squares."""
    middle = total / number
    spread = max(0.0, squares / number - middle * middle)
    reach = Z * sqrt(spread / number)
    return Interval(middle, middle - reach, middle + reach)
