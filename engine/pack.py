"""A pack of cards, and its tables for melds.

Natively a hand is an integer, the *mask*, with one bit per card: suit after suit, each from its lowest rank up. The
cards of one suit are then a number of `width` bits, and all that can be said about its sequences fits in a table.

Two wishes rank the arrangements of a hand: first the least count, then the tie-break, which lists the melds as
numbers (the sum of their three lowest cards) in rising order and prefers the smallest list. Both add up, meld by
meld, in one integer, the *merit*. Its high part is the value that the meld takes out of the count. Its low part has
a digit for every number, the lowest number first, and a meld adds one to its own: of two lists the smaller is the
one with more melds at the first number where they differ. So the greatest sum of merits is the best arrangement,
exactly, and every table and every search only adds and compares integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

from engine.rules import Refused, listed

SUITS_MOST = 4  # A number then forms one set at most.
RANKS_MOST = 16  # A table has two to this power rows.
DIGIT_BITS = 3  # Four sequences and a set can share a number, and a digit holds five.
SHORTEST = 3
LONGEST = 5  # Six cards in sequence are better as twice three.

Laid = tuple[int, int]  # a merit, and the cards it comes from


class Pack:
    """Suits, ranks in rising order and what each rank counts. Tables are made when they are first needed."""

    def __init__(
        self, suits: Sequence[str], ranks: Sequence[str], values: Sequence[int], cites: tuple[str, ...] = ()
    ) -> None:
        if not (1 <= len(suits) <= SUITS_MOST and 1 <= len(ranks) <= RANKS_MOST):
            raise ValueError(f"A pack has 1 to {SUITS_MOST} suits of 1 to {RANKS_MOST} ranks.")
        if len(values) != len(ranks) or min(values) < 1:
            raise ValueError("Every rank of a pack has a value of 1 or more.")
        self.names = tuple(suit + rank for suit in suits for rank in ranks)
        self.bits = {name: 1 << place for place, name in enumerate(self.names)}
        if len(self.bits) != len(self.names):
            raise ValueError("Every card of a pack has a name of its own.")
        self.values = tuple(values)
        self.cites = cites
        self.width = width = len(ranks)
        self.suit = (1 << width) - 1  # all cards of the first suit
        self.column = sum(1 << width * place for place in range(len(suits)))  # all cards of the lowest rank
        self.starts = (self.suit >> SHORTEST - 1) * self.column  # all cards that can begin a sequence
        self.tie_bits = DIGIT_BITS * width
        self.sets = cache(self._sets)

    def mask(self, cards: Sequence[str]) -> int:
        """The hand as an integer; Refused if a card is not in the pack, or is there twice."""
        try:
            mask = sum(map(self.bits.__getitem__, cards))
        except (KeyError, TypeError):
            raise self._bad_card(cards) from None
        # A sum of powers of two has as many bits as terms only when they all differ.
        if mask.bit_count() != len(cards):
            raise self._card_twice(cards)
        return mask

    def cards(self, mask: int) -> list[str]:
        """The names of the cards in a mask, suit by suit in rising order."""
        names = []
        while mask:
            low = mask & -mask
            names.append(self.names[low.bit_length() - 1])
            mask ^= low
        return names

    def number(self, meld: int) -> int:
        """The sum of a meld's three lowest cards, the lowest rank being 1: three times the second of them."""
        low = meld & -meld
        rank = (low.bit_length() - 1) % self.width + 1
        return 3 * (rank + 1 if meld & low << 1 else rank)

    def merit(self, rank: int, value: int) -> int:
        """The merit of a meld with so much value; `rank` is that of its second card, counted from 0."""
        return (value << self.tie_bits) + (1 << DIGIT_BITS * (self.width - 1 - rank))

    @cached_property
    def worth(self) -> list[int]:
        """For every mask of one suit, what its cards count together."""
        worth = [0]
        for value in self.values:
            worth += [value + below for below in worth]
        return worth

    @cached_property
    def runs(self) -> list[int]:
        """For every mask of one suit, the greatest merit of disjoint sequences in it."""
        runs = [0]
        for top in range(self.width):
            # With one card more on top there are twice as many masks. In the last of the new half that card is
            # the end of a longer and longer sequence, and below it any cards may follow.
            new = runs.copy()
            for length, merit in self.runs_to(top):
                size = 1 << top + 1 - length
                new[-size:] = map(max, new[-size:], [merit + below for below in runs[:size]])
            runs += new
        return runs

    @cached_property
    def loose(self) -> list[int]:
        """For every mask of one suit, what it counts when its best sequences are laid."""
        return [worth - (merit >> self.tie_bits) for worth, merit in zip(self.worth, self.runs, strict=True)]

    def runs_to(self, top: int) -> list[tuple[int, int]]:
        """The sequences that end at a rank: their lengths and merits."""
        lengths = range(SHORTEST, min(LONGEST, top + 1) + 1)
        return [(n, self.merit(top + 2 - n, sum(self.values[top + 1 - n : top + 1]))) for n in lengths]

    def split_runs(self, suit: int) -> list[int]:
        """The sequences of greatest merit in a mask of one suit."""
        laid = []
        while merit := self.runs[suit]:
            top = suit.bit_length() - 1
            suit ^= 1 << top
            if self.runs[suit] == merit:
                continue
            for length, own in self.runs_to(top):
                run = (1 << length) - 1 << top + 1 - length
                below = suit & ~run
                if suit | 1 << top == below | run and own + self.runs[below] == merit:
                    laid.append(run)
                    suit = below
                    break
        return laid

    def in_runs(self, mask: int) -> int:
        """The cards that lie in some sequence of the hand."""
        starts = mask & mask >> 1 & mask >> 2 & self.starts
        return starts | starts << 1 | starts << 2

    def _sets(self, cards: int, wanted: int) -> tuple[Laid, ...]:
        """The ways to lay a set from these cards of one rank, if sequences may take those that are wanted."""
        rank = ((cards & -cards).bit_length() - 1) % self.width
        ways = {}
        away = wanted
        while True:
            size = (cards ^ away).bit_count()
            if size < SHORTEST:
                ways[0] = 0
            else:
                ways[cards ^ away] = self.merit(rank, size * self.values[rank])
            if not away:
                return tuple((merit, laid) for laid, merit in ways.items())
            away = away - 1 & wanted

    def _bad_card(self, cards: Sequence[str]) -> Refused:
        first, last = self.names[0], self.names[-1]
        advice = f"Write a card like {first} or {last}: {len(self.names)} are in the pack."
        for card in cards if isinstance(cards, Sequence) else ():
            if not isinstance(card, str):
                return Refused("bad-card", f"A card is written as a text. {advice}", cites=self.cites)
            if card not in self.bits:
                return Refused("bad-card", f"{card[:20]!r} is not a card. {advice}", cites=self.cites)
        return Refused("bad-card", f"A hand is a list of cards. {advice}", cites=self.cites)

    def _card_twice(self, cards: Sequence[str]) -> Refused:
        twice = listed([card for card in self.names if cards.count(card) > 1])
        return Refused("impossible", f"{twice}: the pack has each card once.", cites=self.cites)
