"""The pack of cards of 1926, 44 cards in four suits, and how many the two Rummies and Rap Rummy deal."""

from __future__ import annotations

from collections.abc import Iterable

from engine.rules import Cites, Refused

SUITS = "BDCF"
DRAGON = 11
CARDS = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, DRAGON + 1))


def dealt(seats: int) -> int:
    """The number of cards each player is dealt."""
    return 8 if seats == 2 else 6


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
