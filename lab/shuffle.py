"""Chance of a simulated evening: a generator for each deal, and the shuffle.

Only `random()` is asked: its sequence is the one that Python promises to keep from version to version.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Card = TypeVar("Card")


def generator(*parts: object) -> Random:
    """The generator of one deal; whatever else is simulated, the same parts bring the same cards."""
    return Random("/".join(map(str, parts)))  # noqa: S311 - cards, not secrets


def shuffled(source: Random, cards: Sequence[Card]) -> list[Card]:
    """The cards in another order, each order equally likely (Fisher and Yates)."""
    mixed = list(cards)
    for place in range(len(mixed) - 1, 0, -1):
        other = int(source.random() * (place + 1))
        mixed[place], mixed[other] = mixed[other], mixed[place]
    return mixed


def one_of(source: Random, choices: Sequence[Card]) -> Card:
    return choices[int(source.random() * len(choices))]
