"""Tables of sets and sequences of a pack, which find the best arrangement of a hand.

Natively a hand is an integer, the *mask*, with one bit per card: suit after suit, each from its lowest rank
up. The cards of one suit are then a number of `width` bits, and a table knows the best sequences of each.

Two wishes rank the arrangements of a hand: first the least count, then the tie-break, which lists the melds
as numbers (the sum of their three lowest cards) in rising order and prefers the smallest list. Both add up,
meld by meld, in one integer, the *merit*. Its high part is the value that a meld takes out of the count. Its
low part has a digit for every number, the lowest number first, and a meld adds one to its own: of two lists,
the smaller is the one with more melds at the first number where they differ. So the greatest sum of merits
is the best arrangement, exactly, and tables and searches only add and compare integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engine.rules import Refused, listed

MAX_SUITS = 4  # A number then forms one set at most.
MAX_RANKS = 16  # A table has two to this power rows.
DIGIT_BITS = 3  # Four sequences and a set can share a number, and a digit holds five.
SHORTEST = 3
LONGEST = 5  # Six cards in sequence are better as twice three.


class Meld(NamedTuple):
    """A set or a sequence; melds sort by their numbers."""

    number: int
    mask: int
    cards: tuple[str, ...]


class Native(NamedTuple):
    """For every count: the mask of a suit, where the others begin, and what is loose in each mask."""

    suit: int
    second: int
    third: int
    fourth: int
    loose: list[int]


class Pack:
    """Suits, ranks in rising order and what each rank counts; at most four suits."""

    def __init__(
        self, suits: Sequence[str], ranks: Sequence[str], values: Sequence[int], cites: tuple[str, ...] = ()
    ) -> None:
        if not (1 <= len(suits) <= MAX_SUITS and 1 <= len(ranks) <= MAX_RANKS):
            raise ValueError(f"A pack has 1 to {MAX_SUITS} suits of 1 to {MAX_RANKS} ranks.")
        if len(values) != len(ranks) or min(values) < 1:
            raise ValueError("Every rank of a pack has a value of 1 or more.")
        self.names = tuple(suit + rank for suit in suits for rank in ranks)
        self.bits = {name: 1 << place for place, name in enumerate(self.names)}
        if len(self.bits) != len(self.names):
            raise ValueError("Every card of a pack has a name of its own.")
        self.bit = self.bits.__getitem__
        self.values = tuple(values)
        self.cites = cites
        self.width = width = len(ranks)
        self.tie_bits = DIGIT_BITS * width
        self.suit = (1 << width) - 1  # all cards of the first suit
        self.column = sum(1 << width * place for place in range(len(suits)))  # the lowest card of each suit
        self.starts = (self.suit >> SHORTEST - 1) * self.column  # the cards that can begin a sequence
        # All cards of the rank, or of the suit, of the highest card in a mask: by the mask's bit length.
        self.rank_of = [0, *(self.column << place % width for place in range(len(self.names)))]
        self.suit_of = [0, *(self.suit << place - place % width for place in range(len(self.names)))]
        self.set_ways = cache(self._set_ways)
        self.meld = cache(self._meld)
        self.run_melds = cache(self._run_melds)
        # The tables wait for the first hand, so that importing the engine stays cheap.
        self.runs: list[int] = []
        self.native: Native | None = None

    def mask(self, cards: Sequence[str]) -> int:
        """The hand as an integer; Refused if a card is not in the pack, or is there twice."""
        try:
            mask = sum(map(self.bit, cards))
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

    def merit(self, rank: int, value: int) -> int:
        """The merit of a meld with so much value; `rank` is that of its second card, counted from 0."""
        return (value << self.tie_bits) + (1 << DIGIT_BITS * (self.width - 1 - rank))

    def tabulate(self) -> Native:
        """Make the tables, which have a row for every mask of one suit.

        `runs` is the greatest merit of disjoint sequences in it, `loose` is what counts outside of those.
        """
        worth, runs = [0], [0]
        for top, value in enumerate(self.values):
            worth += [value + below for below in worth]
            # A card more on top doubles the table. In the new half that card stays out, as if it were not
            # there, or it ends a sequence: in the last rows, which hold that sequence and any cards below.
            new = runs.copy()
            for run, merit in self.runs_to(top):
                rows = run & -run
                new[-rows:] = map(max, new[-rows:], [merit + below for below in runs[:rows]])
            runs += new
        loose = [whole - (merit >> self.tie_bits) for whole, merit in zip(worth, runs, strict=True)]
        self.runs = runs
        self.native = Native(self.suit, self.width, 2 * self.width, 3 * self.width, loose)
        return self.native

    def runs_to(self, top: int) -> list[tuple[int, int]]:
        """The sequences of the first suit that end at a rank, with their merits."""
        lows = range(top + 1 - SHORTEST, max(-1, top - LONGEST), -1)
        return [
            ((2 << top) - (1 << low), self.merit(low + 1, sum(self.values[low : top + 1]))) for low in lows
        ]

    def _run_melds(self, cards: int) -> list[Meld]:
        """The sequences of greatest merit among cards of one suit."""
        shift = max(0, cards.bit_length() - 1) // self.width * self.width
        suit = cards >> shift
        melds = []
        while merit := self.runs[suit]:
            top = suit.bit_length() - 1
            for run, own in self.runs_to(top):
                if suit & run == run and own + self.runs[suit ^ run] == merit:
                    melds.append(self.meld(run << shift))
                    break
            else:
                run = 1 << top
            suit ^= run
        return melds

    def _set_ways(self, cards: int, wanted: int) -> list[tuple[int, int]]:
        """Ways to lay cards of one rank, some wanted by sequences: each set's merit, and what they get."""
        rank = (cards.bit_length() - 1) % self.width
        ways = {}
        given = wanted
        while True:
            size = (cards ^ given).bit_count()
            if size < SHORTEST:
                ways[cards] = 0
            else:
                ways[given] = self.merit(rank, size * self.values[rank])
            if not given:
                return [(merit, given) for given, merit in ways.items()]
            given = given - 1 & wanted  # the next smaller part of those that are wanted

    def _meld(self, mask: int) -> Meld:
        # The three lowest cards sum up to three times the second one, in a sequence and in a set.
        low = mask & -mask
        rank = (low.bit_length() - 1) % self.width + 1
        return Meld(3 * (rank + 1 if mask & low << 1 else rank), mask, tuple(self.cards(mask)))

    def _bad_card(self, cards: Sequence[object]) -> Refused:
        bad = next(card for card in cards if not isinstance(card, str) or card not in self.bits)
        what = f"{bad[:20]!r} is not a card of this pack" if isinstance(bad, str) else "A card is a text"
        how = f"write {self.names[0]}, {self.names[1]} and so on to {self.names[-1]}"
        return Refused("bad-card", f"{what}: {how}.", cites=self.cites)

    def _card_twice(self, cards: Sequence[str]) -> Refused:
        twice = listed([card for card in self.names if cards.count(card) > 1])
        message = f"Given more than once: {twice}. The pack has each card once."
        return Refused("impossible", message, cites=self.cites)
