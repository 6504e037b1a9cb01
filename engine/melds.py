"""The best arrangement of a hand: its sets and sequences, and what the cards outside them count.

>>> arrangement = best(["B1", "B2", "B3", "D9"])
>>> arrangement.count, arrangement.melds, arrangement.rest
(9, [['B1', 'B2', 'B3']], ['D9'])
>>> count(["B7", "C7", "D7", "D8", "D9"])
14

Sequences stay within a suit, so a table knows the best ones for all that a suit can hold. Only sets join
suits: once it is settled which cards lie in sets, the tables tell the rest. A set none of whose cards could
be in a sequence is simply laid; for the others every way is tried. Where these ways are too many, as in the
whole pack, the hand is walked from its lowest rank to its highest, which takes no longer for more melds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from engine.meld_tables import SHORTEST, Meld, Pack
from engine.pack import DRAGON, SUITS
from engine.rules import passages

RAP_RUMMY = Pack(
    SUITS,
    ranks=[str(number) for number in range(1, DRAGON + 1)],
    values=range(1, DRAGON + 1),
    cites=passages("rap-rummy-1926")("the-cards"),
)
MAX_WAYS = 1000
END_OF_KEY = 999


class Arrangement:
    """A hand laid out: its melds in the order of their numbers, each suit by suit in rising order, and what
    can be read off them."""

    __slots__ = ("_hand", "_left", "_pack", "melds")

    def __init__(self, melds: list[list[str]], hand: int, left: int, pack: Pack) -> None:
        self.melds = melds
        self._hand = hand
        self._left = left  # all cards that are in no set
        self._pack = pack

    def __repr__(self) -> str:
        return f"Arrangement(count={self.count}, melds={self.melds}, rest={self.rest})"

    @property
    def count(self) -> int:
        """The count of the cards outside all melds."""
        suit, second, third, fourth, loose = self._pack.native or self._pack.tabulate()
        return sum(loose[self._left >> begin & suit] for begin in (0, second, third, fourth))

    @property
    def rest(self) -> list[str]:
        """The cards outside all melds, suit by suit in rising order."""
        return self._pack.cards(self._hand ^ sum(map(self._pack.mask, self.melds)))

    @property
    def key(self) -> tuple[int, ...]:
        """The numbers of the melds, and the end. Between hands of one count, the smaller key wins."""
        return (*(self._pack.meld(self._pack.mask(cards)).number for cards in self.melds), END_OF_KEY)


def best(cards: Sequence[str], pack: Pack = RAP_RUMMY) -> Arrangement:
    """Arrange a hand to the least count and, among the arrangements of that count, to the smallest key."""
    return best_mask(pack.mask(cards), pack)


def count(cards: Sequence[str], pack: Pack = RAP_RUMMY) -> int:
    """The least total of the cards outside melds."""
    return count_mask(pack.mask(cards), pack)


def count_mask(mask: int, pack: Pack = RAP_RUMMY) -> int:
    """The result of `count`, for a hand in its native form."""
    suit, second, third, fourth, loose = pack.native or pack.tabulate()
    # Of three suits that hold a rank, two lie beside each other and two lie apart, with one between them.
    if (
        (apart := mask & mask >> third)
        and (beside := mask & mask >> second)
        and (thrice := beside & (apart | apart >> second) | apart & beside >> third)
    ):
        mask = lay_sets(mask, thrice, mask & mask >> 1 & mask >> 2 & pack.starts, pack)
    return (
        loose[mask & suit]
        + loose[mask >> second & suit]
        + loose[mask >> third & suit]
        + loose[mask >> fourth]
    )


def best_mask(mask: int, pack: Pack = RAP_RUMMY) -> Arrangement:
    """The result of `best`, for a hand in its native form."""
    _, second, third, _, _ = pack.native or pack.tabulate()
    starts = mask & mask >> 1 & mask >> 2 & pack.starts
    if (
        (apart := mask & mask >> third)
        and (beside := mask & mask >> second)
        and (thrice := beside & (apart | apart >> second) | apart & beside >> third)
    ):
        left = lay_sets(mask, thrice, starts, pack)
    elif starts:
        left = mask
    else:
        return Arrangement([], mask, mask, pack)
    melds = melds_of(mask ^ left, left, starts, pack)
    return Arrangement([[*cards] for _, _, cards in melds], mask, left, pack)


def lay_sets(mask: int, thrice: int, starts: int, pack: Pack) -> int:
    """Lay sets of the ranks held three times, where that is best: what is left are the cards in no set."""
    cards = ((thrice | thrice >> pack.width) & pack.suit) * pack.column & mask
    if starts:
        wanted = starts | starts << 1 | starts << 2
        if wanted & cards:
            return settle(mask ^ cards, cards, wanted, pack)
    return mask ^ cards


def settle(left: int, cards: int, wanted: int, pack: Pack) -> int:
    """Divide cards between sets and the sequences that want them: what is left are the cards in no set."""
    hand = left | cards
    ways = [(0, left)]
    while cards:
        rank = cards & pack.rank_of[cards.bit_length()]
        cards ^= rank
        if rank & wanted:
            choices = pack.set_ways(rank, rank & wanted)
            ways = [(merit + more, left | given) for merit, left in ways for more, given in choices]
            if len(ways) > MAX_WAYS:
                return walk(hand, pack)
    suit, second, third, fourth, _ = pack.native or pack.tabulate()
    runs = pack.runs
    found = [
        (
            merit
            + runs[left & suit]
            + runs[left >> second & suit]
            + runs[left >> third & suit]
            + runs[left >> fourth],
            left,
        )
        for merit, left in ways
    ]
    return max(found)[1]


def melds_of(sets: int, left: int, starts: int, pack: Pack) -> list[Meld]:
    """The melds by their numbers: sets of some cards, and the best sequences of those left."""
    melds = []
    while sets:
        cards = sets & pack.rank_of[sets.bit_length()]
        melds.append(pack.meld(cards))
        sets ^= cards
    while starts:
        suit = pack.suit_of[starts.bit_length()]
        melds += pack.run_melds(left & suit)
        starts &= ~suit
    if len(melds) > 1:
        melds.sort()
    return melds


Lengths = tuple[int, ...]

#: How long the open sequence of a suit can be after one more rank, by its length before and whether the card
#: is held. Three stands for more as well. A sequence of one or two has to go on, else there is no way.
GROWTH: dict[tuple[int, bool], Lengths] = {
    (0, False): (0,),
    (1, False): (),
    (2, False): (),
    (3, False): (0,),
    (0, True): (0, 1),
    (1, True): (2,),
    (2, True): (3,),
    (3, True): (0, 1, 3),
}


def walk(hand: int, pack: Pack) -> int:
    """The result of `settle`, found rank by rank: of all that lies below, only the open sequences matter."""
    closed: Lengths = (0,) * pack.column.bit_count()
    reached = {closed: (0, hand)}
    for rank, value in enumerate(pack.values):
        held = hand >> rank & pack.column
        # The third card of a sequence makes its number known: it is that of the rank below.
        card, third = value << pack.tie_bits, pack.merit(max(rank - 1, 0), 0)
        ahead: dict[Lengths, tuple[int, int]] = {}
        for lengths, (merit, left) in reached.items():
            for after, running, thirds, free in steps(lengths, held, pack.width):
                gained = merit + running * card + thirds * third
                found = (gained, left)
                if (size := free.bit_count()) >= SHORTEST:
                    found = (gained + pack.merit(rank, size * value), left ^ free << rank)
                if after not in ahead or found > ahead[after]:
                    ahead[after] = found
        reached = ahead
    return max(found for lengths, found in reached.items() if not {1, 2} & {*lengths})[1]


@cache
def steps(lengths: Lengths, held: int, width: int) -> list[tuple[Lengths, int, int, int]]:
    """The ways past a rank: lengths after it, how many cards run, how many as a third, which are free."""
    holds = [bool(held >> width * suit & 1) for suit in range(len(lengths))]
    ways = []
    for after in product(*(GROWTH[pair] for pair in zip(lengths, holds, strict=True))):
        thirds = sum(pair == (2, 3) for pair in zip(lengths, after, strict=True))
        free = sum(1 << width * suit for suit, length in enumerate(after) if holds[suit] and not length)
        ways.append((after, sum(map(bool, after)), thirds, free))
    return ways
