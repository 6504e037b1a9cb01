"""The pack of cards of 1926, 44 cards in four suits, and how many the two Rummies and Rap Rummy deal."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules import Cites, Refused

SUITS = "BDCF"
SUIT_NAMES = {"B": "Bamboos", "D": "Dots", "C": "Characters", "F": "Flowers"}
SUIT_COLORS = {"B": "green", "D": "red", "C": "blue", "F": "yellow"}
DRAGON = 11
CARDS = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, DRAGON + 1))


def dealt(seats: int) -> int:
    """The number of cards each player is dealt."""
    return 8 if seats == 2 else 6


def highest_unplayed(seats: int) -> tuple[int, ...]:
    """The highest cards that a player of Rummy can be left with: all that he was dealt."""
    return _highest(dealt(seats), len(SUITS))


def highest_outside_melds(seats: int) -> tuple[int, ...]:
    """The highest cards that count in Rap Rummy, before the discard. Three of a number would be turned down;
    two of each can lie so that no three of a suit are in sequence.
    """
    return _highest(dealt(seats) + 1, 2)


def _highest(cards: int, of_each_number: int) -> tuple[int, ...]:
    numbers = [number for number in range(DRAGON, 0, -1) for _ in range(of_each_number)]
    return tuple(numbers[:cards])


def check_each_once(hands: Iterable[Iterable[str]], cites: Cites) -> None:
    """Refuse a card that lies in two hands, or twice in one: the pack has each once."""
    seen: set[str] = set()
    for hand in hands:
        for card in hand:
            if card in seen:
                raise Refused(
                    "impossible", f"{card} is there twice, and the pack has each card once.", cites=cites
                )
            seen.add(card)
