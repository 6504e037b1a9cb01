"""Policies of Victory Rummy: which set a player aims at, and which card it throws.

A card is a number: three times its colour, and 0 for a dot, 1 for a dash, 2 for a V; 9 is an AXIS card. An
aim is a colour, 0 to 2, or 3 for a CAPTURE. Only who plays for the bonus knows a colour's name: to all others
colours are nothing but labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.games.victory_rummy import CARDS_DEALT, CARDS_OF_A_SET

if TYPE_CHECKING:
    from lab.simulators.victory_rummy import Deal

AXIS = 9
CAPTURE = 3
AIMS = (0, 1, 2, CAPTURE)
NEEDS = ((0, 3), (1, 1), (2, 1))
#: The order in which cards of one colour are thrown: there are more dots than Vs and dashes.
DOT_V_DASH = (0, 2, 1)
HOPELESS = 1000.0

Hand = list[int]


def aim_of(card: int) -> int:
    return card // 3


def cards_of(aim: int) -> tuple[tuple[int, int], ...]:
    """The cards of a set and how many of each it needs."""
    if aim == CAPTURE:
        return ((AXIS, CARDS_OF_A_SET),)
    return tuple((3 * aim + symbol, need) for symbol, need in NEEDS)


SETS = tuple(cards_of(aim) for aim in AIMS)


#: The number of dots, or of dashes or Vs, that a set can use, by the number held.
UP_TO_3 = (0, 1, 2, *(3,) * CARDS_DEALT)
UP_TO_1 = (0, *(1,) * (CARDS_DEALT + 2))


def matched(hand: Hand, aim: int) -> int:
    """The number of cards in this hand that the aim can use, five when it is complete."""
    if aim == CAPTURE:
        return min(hand[AXIS], CARDS_OF_A_SET)
    dot = 3 * aim
    return UP_TO_3[hand[dot]] + UP_TO_1[hand[dot + 1]] + UP_TO_1[hand[dot + 2]]


class Plain:
    """Ranks its aims by the cards it holds for them; equals by a taste of its own, new in every deal."""

    def __init__(self, deal: Deal, taste: dict[int, float]) -> None:
        self.deal = deal
        self.taste = taste

    def aims(self, hand: Hand) -> list[int]:
        """The aims, nearest first."""
        return [aim for _, _, aim in sorted([(-matched(hand, aim), self.taste[aim], aim) for aim in AIMS])]

    def discard(self, hand: Hand, size: int) -> int:
        """The card to throw: from the furthest aim on, what no set needs before the rest."""
        aims = self.aims(hand)
        free = spare(hand, aims[: size // CARDS_OF_A_SET])
        for aim in reversed(aims):
            if aim == CAPTURE:
                if free[AXIS]:
                    return AXIS
                continue
            for symbol in DOT_V_DASH:
                card = 3 * aim + symbol
                if free[card] and hand[card] > NEEDS[symbol][1]:
                    return card
        return next(
            3 * aim + symbol
            for aim in reversed(aims)
            if aim != CAPTURE
            for symbol in DOT_V_DASH
            if free[3 * aim + symbol]
        )


def spare(hand: Hand, aims: Sequence[int]) -> Hand:
    """The hand without what these aims need."""
    free = hand[:]
    for aim in aims:
        for card, need in SETS[aim]:
            free[card] -= min(free[card], need)
    return free


class Counting(Plain):
    """Remembers every card shown, and ranks its aims by how long it must wait for what they lack."""

    def aims(self, hand: Hand) -> list[int]:
        waits = {aim: self.wait(hand, aim) for aim in AIMS}
        return sorted(AIMS, key=lambda aim: (waits[aim], self.taste[aim]))

    def discard(self, hand: Hand, size: int) -> int:
        """An AXIS card that no aim keeps goes first: it is worth ten to whoever goes out."""
        if spare(hand, self.aims(hand)[: size // CARDS_OF_A_SET])[AXIS]:
            return AXIS
        return super().discard(hand, size)

    def wait(self, hand: Hand, aim: int) -> float:
        """The draws to expect until the set is complete, its cards counted one after the other."""
        deal = self.deal
        unseen = deal.size - sum(deal.seen) - sum(hand)
        draws = 0.0
        for card, need in SETS[aim]:
            left = deal.copies[card] - deal.seen[card] - hand[card]
            for found in range(need - hand[card]):
                draws += unseen / (left - found) if left > found else HOPELESS
        return draws


class Seeking(Counting):
    """Weighs the wait for a set against what it is worth by its table's reading, as the pad stood before."""

    def aims(self, hand: Hand) -> list[int]:
        prices = {aim: (10 + self.deal.worth(self, aim)) / (1 + self.wait(hand, aim)) for aim in AIMS}
        return sorted(AIMS, key=lambda aim: (-prices[aim], self.taste[aim]))


class Careless(Plain):
    """Throws any card, by chance."""

    def discard(self, hand: Hand, size: int) -> int:
        # In the order of its tastes, so that another name for a colour changes nothing.
        held = [card for card in sorted(range(10), key=self._order) for _ in range(hand[card])]
        return held[int(self.deal.source.random() * len(held))]

    def _order(self, card: int) -> tuple[float, int]:
        return self.taste[aim_of(card)], card % 3


POLICIES: dict[str, type[Plain]] = {"plain": Plain, "counting": Counting, "seeking": Seeking}
POLICIES["careless"] = Careless
WORDS = {
    "plain": (
        "keeps the cards of the two sets it is nearest to (of one, once five cards are laid), throws from "
        "the set it is furthest from, takes the open card only to lay a set with it, and lays every set at "
        "once"
    ),
    "counting": (
        "the same, but remembers every card shown and calls nearest the set it expects to wait for least; "
        "throws AXIS cards it does not collect first"
    ),
    "seeking": (
        "the same as counting, but weighs the wait against the points: 50 for a CAPTURE, and for a VICTORY "
        "what it brings towards a GRAND VICTORY and its bonus by the reading the table plays"
    ),
    "careless": "throws any card by chance, and lays every set at once",
}
