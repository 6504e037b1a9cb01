"""Chips by value: how a sum is laid in chips, and how a payment is made with the chips people hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.rules import listed

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Handed:
    """Which chips go over the table, and which come back."""

    paid: Mapping[int, int]
    back: Mapping[int, int]


def as_chips(points: int, denominations: Sequence[int]) -> dict[int, int]:
    """A sum in the fewest chips, dearest first; what no chip can show is left out."""
    chips = {}
    for value in sorted(denominations, reverse=True):
        chips[value], points = divmod(points, value)
    return chips


def held(points: int, denominations: Sequence[int]) -> dict[int, int]:
    """A sum as people hold it: a few small chips to pay with, the rest in dear ones."""
    values = sorted(denominations)
    small = dict(zip(values[:-1], (4, 5, 5, 5), strict=False))
    kept = sum(value * number for value, number in small.items())
    if kept * 2 > points:
        return as_chips(points, denominations)
    rest = as_chips(points - kept, denominations)
    return {value: rest.get(value, 0) + small.get(value, 0) for value in denominations}


def handed_words(handed: Handed) -> str:
    """`a 25 and a 10`, or `two 25s, and gets a 10 back`."""
    paid = listed([_some(value, number) for value, number in handed.paid.items()])
    if not handed.back:
        return paid
    return f"{paid}, and gets {listed([_some(value, number) for value, number in handed.back.items()])} back"


def spoken(points: int, denominations: Sequence[int]) -> str:
    """`a 25, a 10 and a 5`, or `two 25s`."""
    chips = {value: number for value, number in as_chips(points, denominations).items() if number}
    if sum(value * number for value, number in chips.items()) != points:
        return ""
    return listed([_some(value, number) for value, number in chips.items()]) if chips else ""


def _some(value: int, number: int) -> str:
    if number == 1:
        return f"a {value}"
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {value}s"


def paid_with(points: int, payer: Mapping[int, int], taker: Mapping[int, int]) -> Handed | None:
    """Pay with chips one holds, change from chips the other holds, as few as possible; None if impossible."""
    values = sorted({*payer, *taker}, reverse=True)
    best: Handed | None = None
    for over in range(max(values, default=0) * 2 + 1):
        paid = _sum_of(points + over, payer)
        back = _sum_of(over, taker) if over else {}
        if paid is not None and back is not None:
            handed = Handed(paid, back)
            if best is None or _chips(handed) < _chips(best):
                best = handed
    return best


def _chips(handed: Handed) -> int:
    return sum(handed.paid.values()) + sum(handed.back.values())


def _sum_of(points: int, held: Mapping[int, int]) -> dict[int, int] | None:
    """The fewest of these chips that make exactly this sum."""
    best: dict[int, dict[int, int]] = {0: {}}
    for value in sorted(held, reverse=True):
        for before, chips in sorted(best.items(), reverse=True):
            for number in range(1, held[value] + 1):
                reached = before + value * number
                if reached > points:
                    break
                new = {**chips, value: number}
                if reached not in best or sum(new.values()) < sum(best[reached].values()):
                    best[reached] = new
    return best.get(points)
