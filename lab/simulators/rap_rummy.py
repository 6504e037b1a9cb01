"""Rap Rummy played out with the 44 cards of 1926: draw, discard, and rap when the count is low enough.

A hand is a mask of the engine's own pack, one bit for each card, so that the engine counts it. Seats are
counted from the dealer's left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine import melds
from engine.melds import RAP_RUMMY, best_mask, count_mask
from engine.pack import DRAGON, SUITS, dealt
from engine.rules import Entry, listed
from lab.shuffle import generator, shuffled
from lab.table_kind import Chance, Dealt, Kind, Pad, Simulator

PACKS = {"44": "the 44 cards that the rulebook lists"}
CAUTIONS = (0, 5, 10, 15, 20, 25, 30, 40)

Taste = dict[int, float]


def pack_of(suits: Sequence[int] = (0, 1, 2, 3)) -> list[int]:
    """The cards, each as its bit; with its suits in another order, the same pack relabelled."""
    return [1 << suit * DRAGON + rank for suit in suits for rank in range(DRAGON)]


VALUES = {bit: (bit.bit_length() - 1) % DRAGON + 1 for bit in pack_of()}
SUIT = {bit: (bit.bit_length() - 1) // DRAGON for bit in pack_of()}


def _neighbours(card: int) -> int:
    """The cards that can lie beside this one in a set, or within two places in a sequence."""
    suit, rank = SUIT[card], VALUES[card] - 1
    level = sum(1 << other * DRAGON + rank for other in range(len(SUITS)) if other != suit)
    ranks = [rank + step for step in (-2, -1, 1, 2) if 0 <= rank + step < DRAGON]
    return level | sum(1 << suit * DRAGON + near for near in ranks)


NEIGHBOURS = {card: _neighbours(card) for card in VALUES}


class Policy(NamedTuple):
    """A player: raps with a count of at most `caution`, and pays `patience` points for a promising card."""

    caution: int
    patience: float = 0.0

    def discard(self, hand: int, taste: Taste) -> tuple[int, int]:
        """The card to throw and the count without it: the lowest count, then the dearest card."""
        best: tuple[float, int, float] | None = None
        thrown, count = 0, 0
        rest = hand
        while rest:
            card = rest & -rest
            rest ^= card
            left = count_mask(hand ^ card)
            promise = self.patience * (NEIGHBOURS[card] & hand).bit_count() if self.patience else 0
            key = (left + promise, -VALUES[card], taste[SUIT[card]])
            if best is None or key < best:
                best, thrown, count = key, card, left
        return thrown, count

    def takes(self, hand: int, card: int, taste: Taste) -> bool:
        """Take the open card only if it joins a set or a sequence: its count falls by more than a swap's."""
        thrown, count = self.discard(hand | card, taste)
        return thrown != card and count_mask(hand) - count > VALUES[thrown] - VALUES[card]


POLICIES: dict[str, Policy] = {f"raps at {caution}": Policy(caution) for caution in CAUTIONS}
POLICIES["patient, raps at 25"] = Policy(25, patience=1.0)
WORDS = {
    "raps at N": (
        "throws the card that leaves the lowest count, of equals the dearest; takes the open card only where "
        "it joins a set or a sequence; raps as soon as its count is N or less, at its first turn before it "
        "draws, later after it has discarded; looks neither at what others take nor at the score"
    ),
    "patient, raps at N": (
        "the same, but in choosing the card to throw it reckons one point more for every card in the hand "
        "that could lie beside the thrown one in a set or a sequence"
    ),
}


class Deal:
    """A deal in play. A policy may look at its own hand and at the top of the pile."""

    def __init__(self, source: Random, pack: Sequence[int], policies: Sequence[str]) -> None:
        self.stock = shuffled(source, pack)
        self.hands = [0 for _ in policies]
        for turn in range(dealt(len(policies)) * len(policies)):
            self.hands[turn % len(policies)] |= self.stock.pop()
        self.pile = [self.stock.pop()]
        self.policies = [POLICIES[policy] for policy in policies]
        suits = list(dict.fromkeys(SUIT[card] for card in pack))
        self.tastes = [{suit: source.random() for suit in suits} for _ in policies]
        self.turns = 0

    def play(self) -> int | None:
        """The seat that raps; None if the pack runs out first."""
        seats = len(self.hands)
        while self.stock:
            seat = self.turns % seats
            if self.turns < seats and count_mask(self.hands[seat]) <= self.policies[seat].caution:
                return seat
            self.turns += 1
            if self._turn(seat) <= self.policies[seat].caution:
                return seat
        return None

    def _turn(self, seat: int) -> int:
        """Draw and discard; the count that is left."""
        policy, taste = self.policies[seat], self.tastes[seat]
        hand = self.hands[seat]
        hand |= (self.pile if policy.takes(hand, self.pile[-1], taste) else self.stock).pop()
        thrown, count = policy.discard(hand, taste)
        self.hands[seat] = hand ^ thrown
        self.pile.append(thrown)
        return count


def _entry(deal: Deal, rapper: int | None, names: Sequence[str]) -> Entry:
    hands = {name: {"cards": RAP_RUMMY.cards(hand)} for name, hand in zip(names, deal.hands, strict=True)}
    return {"type": "hand", "rapper": None if rapper is None else names[rapper], "hands": hands}


def deals(
    kind: Kind, chance: Chance, pad: Pad | None = None, suits: Sequence[int] = (0, 1, 2, 3)
) -> Iterator[Dealt]:
    """The deals of one evening, each dealer in turn. No policy looks at the pad."""
    pack, seats = pack_of(suits), len(kind.policies)
    number = 0
    while True:
        source = generator(chance.seed, "rap-rummy", kind.cards, chance.evening, number)
        order = [(chance.dealer + number + 1 + turn) % seats for turn in range(seats)]
        deal = Deal(source, pack, [kind.policies[seat] for seat in order])
        events = _ties("dealt ", deal.hands, None)
        rapper = deal.play()
        events += Counter({"turns": deal.turns, "raps": rapper is not None})
        events += _ties("", deal.hands, rapper)
        yield Dealt([_entry(deal, rapper, [kind.players[seat] for seat in order])], events)
        number += 1


def _ties(prefix: str, hands: Sequence[int], rapper: int | None) -> Counter[str]:
    """The ties for the lowest count, and those that the tie-break leaves; none where a rap fails."""
    counts = [count_mask(hand) for hand in hands]
    lowest = min(counts)
    if rapper is not None and counts[rapper] > lowest:
        return Counter({f"{prefix}failed raps": 1})
    tied = [best_mask(hand).key for hand, count in zip(hands, counts, strict=True) if count == lowest]
    if len(tied) == 1:
        return Counter()
    return Counter({f"{prefix}ties": 1, f"{prefix}unbroken ties": int(tied.count(min(tied)) > 1)})


def words(entry: Entry) -> str:
    counts = [f"{name} counts {melds.count(hand['cards'])}" for name, hand in entry["hands"].items()]
    rapper = entry["rapper"]
    return f"{f'{rapper} raps' if rapper else 'The pack runs out'}: {listed(counts)}"


DOUBTS = (
    "Nearly everything depends on how boldly people rap, and we do not know how boldly they did. So every "
    "chart has a row of cautions: “raps at 10” raps as soon as its count is 10 or less.",
)
SIMULATOR = Simulator("rap-rummy", deals, WORDS, PACKS, DOUBTS, words)
