"""Change: how a sum is laid in chips, and how a payment is made with the chips that players hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.rules import listed

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLURALS = {5: "fives", 10: "tens"}


@dataclass(frozen=True)
class Handed:
    """The chips that are paid, and those that come back."""

    paid: Mapping[int, int]
    back: Mapping[int, int]


@dataclass(frozen=True)
class Swap:
    """Chips changed with a third player, worth the same both ways, so that a payment can be made."""

    seat: int
    changer: int
    given: Mapping[int, int]
    got: Mapping[int, int]


def as_chips(points: int, denominations: Sequence[int]) -> dict[int, int]:
    """A sum in the fewest chips, dearest first; what no chip can show is left out."""
    chips = {}
    for value in sorted(denominations, reverse=True):
        chips[value], points = divmod(points, value)
    return chips


def spread(points: int, denominations: Sequence[int]) -> dict[int, int]:
    """A sum as people hold it: a few small chips to pay with, the rest in dear ones."""
    values = sorted(denominations)
    small = dict(zip(values[:-1], (4, 5, 5, 5), strict=False))
    kept = sum(value * number for value, number in small.items())
    if kept * 2 > points:
        return as_chips(points, denominations)
    rest = as_chips(points - kept, denominations)
    return {value: rest.get(value, 0) + small.get(value, 0) for value in denominations}


def deal_out(points: int, denominations: Sequence[int]) -> dict[int, int] | None:
    """Chips to start with: about a third of the points in each value; None if no chips make this sum."""
    values = sorted(denominations, reverse=True)
    chips, left = {}, points
    for place, value in enumerate(values):
        chips[value] = left // (len(values) - place) // value
        left -= chips[value] * value
    for value in values:
        more, left = divmod(left, value)
        chips[value] += more
    return None if left or points <= 0 else dict(sorted(chips.items()))


def worth(chips: Mapping[int, int]) -> int:
    return sum(value * number for value, number in chips.items())


def describe_handed(handed: Handed) -> str:
    """`a 25 and a 10`, or `two 25s, and gets a 10 back`."""
    if not handed.back:
        return describe_chips(handed.paid)
    return f"{describe_chips(handed.paid)}, and gets {describe_chips(handed.back)} back"


def describe_sum(points: int, denominations: Sequence[int]) -> str:
    """`a 25, a 10 and a 5`, or `two 25s`; nothing where these chips cannot make the sum."""
    chips = as_chips(points, denominations)
    return describe_chips(chips) if points and worth(chips) == points else ""


def describe_chips(chips: Mapping[int, int]) -> str:
    """Chips in words, dearest first."""
    some = [_some(value, chips[value]) for value in sorted(chips, reverse=True) if chips[value]]
    return listed(some) if some else "nothing"


def _some(value: int, number: int) -> str:
    if number == 1:
        return f"a {value}"
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {PLURALS.get(value, f'{value}s')}"


def pay(points: int, payer: Mapping[int, int], taker: Mapping[int, int]) -> Handed | None:
    """Pay with chips one holds, change from chips the other holds, as few as possible; None if impossible."""
    over_most = 2 * max((*payer, *taker), default=0)
    return _best(points, fewest(points + over_most, payer), fewest(over_most, taker))


def pay_part(points: int, payer: Mapping[int, int], taker: Mapping[int, int]) -> tuple[int, Handed]:
    """As much of a sum as can be paid, and how; perhaps nothing."""
    over_most = 2 * max((*payer, *taker), default=0)
    given, returned = fewest(points + over_most, payer), fewest(over_most, taker)
    for part in range(min(points, worth(payer)), 0, -1):
        handed = _best(part, given, returned)
        if handed:
            return part, handed
    return 0, Handed({}, {})


def _best(points: int, given: Mapping[int, ChipSet], returned: Mapping[int, ChipSet]) -> Handed | None:
    ways = [
        (given[points + over].number + back.number, over)
        for over, back in returned.items()
        if points + over in given
    ]
    if not ways:
        return None
    over = min(ways)[1]
    return Handed(dict(given[points + over].chips), dict(returned[over].chips))


@dataclass(frozen=True)
class ChipSet:
    """The number of chips, and the chips."""

    number: int
    chips: tuple[tuple[int, int], ...]


def fewest(most: int, purse: Mapping[int, int]) -> dict[int, ChipSet]:
    """For every sum up to `most` that these chips can make: the fewest of them that do."""
    best = {0: ChipSet(0, ())}
    for value in sorted(purse, reverse=True):
        reached = dict(best)
        for before, chips in best.items():
            for number in range(1, min(purse[value], (most - before) // value) + 1):
                total = before + value * number
                if total not in reached or chips.number + number < reached[total].number:
                    reached[total] = ChipSet(chips.number + number, (*chips.chips, (value, number)))
        best = reached
    return best


def find_swap(
    points: int, payer: int, taker: int, purses: Sequence[Mapping[int, int]]
) -> tuple[Swap, Handed] | None:
    """The chips to change with a third player first; None if no other player can help."""
    found: list[tuple[int, int, Swap, Handed]] = []
    for swap in _swaps(payer, taker, purses):
        after = {seat: purses[seat] for seat in (payer, taker)}
        after[swap.seat] = exchange(after[swap.seat], swap.given, swap.got)
        handed = pay(points, after[payer], after[taker])
        if handed:
            chips = [*swap.given.values(), *swap.got.values(), *handed.paid.values(), *handed.back.values()]
            found.append((sum(chips), len(found), swap, handed))
    return min(found)[2:] if found else None


def _swaps(payer: int, taker: int, purses: Sequence[Mapping[int, int]]) -> Iterator[Swap]:
    for seat in (payer, taker):
        for changer in range(len(purses)):
            if changer in (payer, taker):
                continue
            for value, number in purses[seat].items():
                others = {other: have for other, have in purses[changer].items() if other != value}
                for given in range(1, min(number, 2) + 1):
                    got = fewest(value * given, others).get(value * given)
                    if got:
                        yield Swap(seat, changer, {value: given}, dict(got.chips))


def exchange(purse: Mapping[int, int], gone: Mapping[int, int], come: Mapping[int, int]) -> dict[int, int]:
    """A purse after some chips left it and others came."""
    return {value: number - gone.get(value, 0) + come.get(value, 0) for value, number in purse.items()}
