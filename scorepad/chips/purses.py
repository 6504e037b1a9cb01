"""Purses: the chips each player holds, after the payments of the log were made with real chips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorepad.chips import change
from scorepad.chips.change import Handed, Swap
from scorepad.pad_state import PadState

Purse = tuple[tuple[int, int], ...]
Payment = tuple[int, int, int]
"""The seat that pays, the seat that is paid, the points."""

MAX_HANDS_FOLLOWED = 200
"""In a longer game the stacks are drawn as a fair spread again: no chips are that well kept apart."""


@dataclass(frozen=True)
class Held:
    """The chips before each seat by value, and who owes whom what chips could not pay."""

    purses: tuple[Purse, ...]
    debts: tuple[Payment, ...] = ()

    def chips(self, seat: int) -> dict[int, int]:
        return dict(self.purses[seat])

    def owes(self, seat: int) -> int:
        return sum(points for debtor, _, points in self.debts if debtor == seat)

    def is_owed(self, seat: int) -> int:
        return sum(points for _, creditor, points in self.debts if creditor == seat)


@dataclass(frozen=True)
class ChipPayment:
    """One payment over the table. `set_off` was owed the other way round, `owed` stays to be paid."""

    payer: int
    taker: int
    points: int
    handed: Handed
    swap: Swap | None = None
    set_off: int = 0
    owed: int = 0
    is_debt: bool = False


def at_start(chips: Mapping[int, int], seats: int) -> Held:
    return Held((tuple(sorted(chips.items())),) * seats)


@lru_cache(maxsize=4096)
def after_hand(now: Held, payments: tuple[Payment, ...]) -> tuple[Held, tuple[ChipPayment, ...]]:
    """Make the payments of one hand in turn; then a player who owes and holds chips again pays what he can.

    Long games are drawn again with every tap, so the hands that have been worked out are remembered.
    """
    purses = [dict(purse) for purse in now.purses]
    debts = Counter({(debtor, creditor): points for debtor, creditor, points in now.debts})
    made = []
    for payer, taker, points in payments:
        set_off = min(points, debts[taker, payer])
        debts[taker, payer] -= set_off
        paid = _pay(purses, payer, taker, points - set_off)
        debts[payer, taker] += paid.owed
        made.append(ChipPayment(payer, taker, points, paid.handed, paid.swap, set_off, paid.owed))
    for (debtor, creditor), points in sorted((+debts).items()):
        paid = _pay(purses, debtor, creditor, points)
        if paid.handed.paid:
            debts[debtor, creditor] = paid.owed
            back = points - paid.owed
            made.append(ChipPayment(debtor, creditor, back, paid.handed, paid.swap, is_debt=True))
    left = tuple((*pair, points) for pair, points in sorted((+debts).items()))
    return Held(tuple(tuple(sorted(purse.items())) for purse in purses), left), tuple(made)


def _pay(purses: list[dict[int, int]], payer: int, taker: int, points: int) -> ChipPayment:
    """Exactly, with change if need be; else after a swap with a third player; else in part."""
    swap, handed = None, change.pay(points, purses[payer], purses[taker])
    owed = 0
    if handed is None and change.worth(purses[payer]) >= points:
        helped = change.find_swap(points, payer, taker, purses)
        if helped:
            swap, handed = helped
            purses[swap.seat] = change.exchange(purses[swap.seat], swap.given, swap.got)
            purses[swap.changer] = change.exchange(purses[swap.changer], swap.got, swap.given)
    if handed is None:
        part, handed = change.pay_part(points, purses[payer], purses[taker])
        owed = points - part
    purses[payer] = change.exchange(purses[payer], handed.paid, handed.back)
    purses[taker] = change.exchange(purses[taker], handed.back, handed.paid)
    return ChipPayment(payer, taker, points, handed, swap, owed=owed)


def follow(state: PadState, chips: Mapping[int, int]) -> tuple[Held | None, tuple[ChipPayment, ...]]:
    """Everyone's chips, and the payment of the last hand; None where the starting chips are not known, or
    after too many hands."""
    if not chips or len(state.standing) > MAX_HANDS_FOLLOWED:
        return None, ()
    return play_hands(state, chips)


def play_hands(state: PadState, chips: Mapping[int, int]) -> tuple[Held, tuple[ChipPayment, ...]]:
    """Pay every hand of the log in turn, beginning with these chips each."""
    now = at_start(chips, len(state.players))
    made: tuple[ChipPayment, ...] = ()
    for place, entry in state.standing.items():
        if entry["type"] == "hand":
            now, made = after_hand(now, _payments(state, place, entry["winner"]))
    return now, made


def _payments(state: PadState, place: int, winner: str) -> tuple[Payment, ...]:
    """The sum each loser pays for a hand, in sitting order."""
    owed: Counter[str] = Counter()
    for _, line in state.lines_of.get(place, []):
        if line.points < 0:
            owed[line.player] -= line.points
    seats = {name: seat for seat, name in enumerate(state.players)}
    return tuple((seats[name], seats[winner], owed[name]) for name in state.players if owed[name])


def describe_payment(paid: ChipPayment, players: Sequence[str]) -> str:
    """`Cora pays Bert 40: a 25, a 10 and a 5`."""
    payer, taker = players[paid.payer], players[paid.taker]
    start = f"{payer} pays {taker} {'back ' if paid.is_debt else ''}{paid.points}"
    if not paid.handed.paid:
        if paid.set_off == paid.points:
            return f"{start} by what {taker} owed"
        return f"{payer} owes {taker} {paid.owed}"
    chips = change.describe_chips(paid.handed.paid)
    with_chips = f" with {chips} and gets {change.describe_chips(paid.handed.back)} back"
    words = f"{start}{with_chips if paid.handed.back else f': {chips}'}"
    if paid.set_off:
        words += f", less {paid.set_off} that {taker} owed"
    if paid.owed:
        words += f", and owes {paid.owed}"
    return f"First {describe_swap(paid.swap, players)}; then {words}" if paid.swap else words


def describe_swap(swap: Swap, players: Sequence[str]) -> str:
    given, got = change.describe_chips(swap.given), change.describe_chips(swap.got)
    return f"{players[swap.seat]} changes {given} with {players[swap.changer]} for {got}"
