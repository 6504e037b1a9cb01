"""The best arrangement of a hand: its sets and sequences, and what the cards outside them count.

>>> arrangement = best(["B1", "B2", "B3", "D9"])
>>> arrangement.count, arrangement.melds, arrangement.rest
(9, [['B1', 'B2', 'B3']], ['D9'])
>>> count(["B7", "C7", "D7", "D8", "D9"])
14

Sequences stay within a suit, so a table knows the best ones of every suit. Only sets join suits, and a hand has few:
every way of laying them is tried, and the tables say what the cards left over are worth. A hand so full of sets that
the ways grow too many is walked once from the lowest number to the highest, which takes the same time for any hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from engine.cards import DRAGON, SUITS
from engine.pack import Laid, Pack
from engine.rules import passages

RAP_RUMMY = Pack(
    SUITS,
    ranks=[str(number) for number in range(1, DRAGON + 1)],
    values=range(1, DRAGON + 1),
    cites=passages("rap-rummy-1926")("the-cards"),
)
WAYS_MOST = 200
END_OF_KEY = 999


def gin_rummy() -> Pack:
    """The pack of 52 in which the court cards count ten, the common one for comparisons: `SA`, `CT`, `HK`."""
    return Pack("SCDH", "A23456789TJQK", [*range(1, 11), 10, 10, 10])


class Arrangement:
    """A hand laid out: what it counts, and on asking its melds, the rest and its key among hands that tie."""

    __slots__ = ("_hand", "_left", "_pack", "count")

    def __init__(self, pack: Pack, count: int, hand: int, left: int) -> None:
        self.count = count
        self._pack = pack
        self._hand = hand
        self._left = left

    def __repr__(self) -> str:
        return f"Arrangement(count={self.count}, melds={self.melds}, rest={self.rest})"

    @property
    def melds(self) -> list[list[str]]:
        """The melds in the order of the key, each from its lowest card up."""
        return [self._pack.cards(meld) for meld in self._masks()]

    @property
    def rest(self) -> list[str]:
        """The cards outside all melds, suit by suit in rising order."""
        return self._pack.cards(self._hand ^ sum(self._masks()))

    @property
    def key(self) -> tuple[int, ...]:
        """The melds as numbers, rising, and the end: among hands of one count the smallest key wins."""
        return (*map(self._pack.number, self._masks()), END_OF_KEY)

    def _masks(self) -> list[int]:
        pack, left = self._pack, self._left
        melds = []
        if sets := self._hand ^ left:
            columns = (sets & pack.column << rank for rank in range(pack.width))
            melds += [column for column in columns if column]
        if pack.in_runs(left):
            for shift in range(0, len(pack.names), pack.width):
                melds += [run << shift for run in pack.split_runs(left >> shift & pack.suit)]
        return sorted(melds, key=lambda meld: (pack.number(meld), meld)) if melds else melds


def best(cards: Sequence[str], pack: Pack = RAP_RUMMY) -> Arrangement:
    """Arrange the hand to the least count and, among arrangements of that count, to the smallest key."""
    return best_mask(pack.mask(cards), pack)


def count(cards: Sequence[str], pack: Pack = RAP_RUMMY) -> int:
    """The least total of cards left outside melds."""
    return count_mask(pack.mask(cards), pack)


def best_mask(mask: int, pack: Pack = RAP_RUMMY) -> Arrangement:
    """What `best` gives, for a hand in its native form."""
    suit, width, loose = pack.suit, pack.width, pack.loose
    a = mask & suit
    b = mask >> width & suit
    c = mask >> 2 * width & suit
    d = mask >> 3 * width
    if thrice := a & b & (c | d) | c & d & (a | b):
        merit, left = lay_sets(mask, thrice, pack)
        worth = pack.worth
        count = worth[a] + worth[b] + worth[c] + worth[d] - (merit >> pack.tie_bits)
        return Arrangement(pack, count, mask, left)
    return Arrangement(pack, loose[a] + loose[b] + loose[c] + loose[d], mask, mask)


def count_mask(mask: int, pack: Pack = RAP_RUMMY) -> int:
    """What `count` gives, for a hand in its native form."""
    suit, width, loose = pack.suit, pack.width, pack.loose
    a = mask & suit
    b = mask >> width & suit
    c = mask >> 2 * width & suit
    d = mask >> 3 * width
    if thrice := a & b & (c | d) | c & d & (a | b):
        worth = pack.worth
        merit, _ = lay_sets(mask, thrice, pack)
        return worth[a] + worth[b] + worth[c] + worth[d] - (merit >> pack.tie_bits)
    return loose[a] + loose[b] + loose[c] + loose[d]


def lay_sets(mask: int, thrice: int, pack: Pack) -> Laid:
    """Lay sets of the ranks held three times: the greatest merit, and the cards then left for sequences."""
    wanted = pack.in_runs(mask)
    ways = [(0, mask)]
    while thrice:
        rank = thrice & -thrice
        thrice ^= rank
        cards = mask & rank * pack.column
        sets = pack.sets(cards, cards & wanted)
        ways = [(merit + more, left ^ laid) for merit, left in ways for more, laid in sets]
        if len(ways) > WAYS_MOST:
            return walk(mask, pack)
    suit, width, runs = pack.suit, pack.width, pack.runs
    second, third, fourth = width, 2 * width, 3 * width
    return max(
        [
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
    )


#: How long a suit's open sequence may be after the next rank, if it was so long and the card is held or not. Three
#: stands for more, too. A sequence of one or two has to go on; an empty tuple is a dead end.
GROWTH: dict[tuple[int, bool], tuple[int, ...]] = {
    (0, False): (0,),
    (1, False): (),
    (2, False): (),
    (3, False): (0,),
    (0, True): (0, 1),
    (1, True): (2,),
    (2, True): (3,),
    (3, True): (0, 1, 3),
}
Lengths = tuple[int, ...]


def walk(mask: int, pack: Pack) -> Laid:
    """What `lay_sets` gives, found rank by rank: of the ranks below, only the open sequences matter."""
    start: Lengths = (0,) * pack.column.bit_count()
    reached: dict[Lengths, Laid] = {start: (0, mask)}
    for rank, value in enumerate(pack.values):
        held = mask >> rank & pack.column
        # The number of a sequence is known at its third card: it is the rank below.
        card, third = value << pack.tie_bits, pack.merit(rank - 1, 0) if rank else 0
        ahead: dict[Lengths, Laid] = {}
        for lengths, (merit, left) in reached.items():
            for after, running, thirds, free in steps(lengths, held, pack.width):
                gain = running * card + thirds * third
                if free.bit_count() >= 3:
                    found = merit + gain + pack.merit(rank, free.bit_count() * value), left ^ free << rank
                else:
                    found = merit + gain, left
                if after not in ahead or found > ahead[after]:
                    ahead[after] = found
        reached = ahead
    return max(laid for lengths, laid in reached.items() if not {1, 2} & {*lengths})


@cache
def steps(lengths: Lengths, held: int, width: int) -> list[tuple[Lengths, int, int, int]]:
    """The ways past a rank: the lengths after it, how many cards run on, how many as thirds, and which are free."""
    holds = [bool(held >> width * suit & 1) for suit in range(len(lengths))]
    found = []
    for after in product(*(GROWTH[pair] for pair in zip(lengths, holds, strict=True))):
        free = sum(1 << width * suit for suit, held in enumerate(holds) if held and not after[suit])
        thirds = sum(pair == (2, 3) for pair in zip(lengths, after, strict=True))
        found.append((after, sum(map(bool, after)), thirds, free))
    return found
