"""Thumbs Up played out with the fifty blocks of 1941: five each, draw or take the open block, throw one.

A block is a number: four times its colour, and 0 for a dot, 1 for a dash, 2 for a V, 3 for a Liberty. Seats
are counted from the first player, and nobody here knows a colour's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from engine.games.thumbs_up import COLORS, COPIES, HAND, VALUES
from engine.rules import Entry
from lab.shuffle import generator, one_of, shuffled
from lab.table_kind import Chance, Dealt, Kind, Pad, Simulator

SYMBOLS = tuple(VALUES)
COSTS = tuple(VALUES.values())
LIBERTY = 3
NEEDS = (3, 1, 1, 1)
BOX = len(COLORS) * sum(COPIES.values())
KINDS = 4 * len(COLORS)
MAX_TURNS = 600
#: Turns without a better fit after which a colour is given up: two players may wait for the same last block.
MAX_WAIT = 15
HOPELESS = 1000.0

BOXES = {"one box": 1, "two boxes": 2}
PACKS = {
    "one box": "the fifty blocks that the rulebook lists",
    "two boxes": "two boxes combined, a hundred blocks",
}

Hand = list[int]
Box = Sequence[int]


def box_of(name: str, colors: Sequence[int] = (0, 1, 2, 3, 4)) -> list[int]:
    """The blocks on the table; with its colours in another order, the same box relabelled."""
    copies = [number * BOXES[name] for number in COPIES.values()]
    return [4 * color + symbol for color in colors for symbol in range(4) for _ in range(copies[symbol])]


#: The number of dots, or of another symbol, that a winning hand can use, by the number held.
UP_TO_3 = (0, 1, 2, 3, 3, 3, 3)
UP_TO_1 = (0, 1, 1, 1, 1, 1, 1)


def matched(hand: Hand, color: int) -> int:
    """The number of blocks of this colour that fit the winning hand, one Liberty filling a gap."""
    dot = 4 * color
    fits = UP_TO_3[hand[dot]] + UP_TO_1[hand[dot + 1]] + UP_TO_1[hand[dot + 2]] + UP_TO_1[hand[dot + 3]]
    return fits if fits < HAND else HAND


def is_won(hand: Hand) -> bool:
    return HAND in [matched(hand, color) for color in range(len(COLORS))]


class Plain:
    """Draws to the colour of which most blocks fit; equals by a taste of its own, new in every hand."""

    def __init__(self, deal: Deal, taste: dict[int, float]) -> None:
        self.deal = deal
        self.taste = taste
        self.waited = self.best = 0
        self.given_up: int | None = None

    def aim(self, hand: Hand) -> int:
        return max([(self._fit(hand, color), taste, color) for color, taste in self.taste.items()])[2]

    def _fit(self, hand: Hand, color: int) -> float:
        return matched(hand, color) - (HAND if color == self.given_up else 0)

    def consider(self, hand: Hand) -> None:
        """Give up a colour in which nothing has come for a long while."""
        best = max([matched(hand, color) for color in self.taste if color != self.given_up])
        if best > self.best:
            self.best, self.waited = best, 0
            return
        self.waited += 1
        if self.waited > MAX_WAIT:
            self.given_up, self.best, self.waited = self.aim(hand), 0, 0

    def takes(self, hand: Hand, block: int) -> bool:
        """Take the open block only if it fits the colour drawn to."""
        color = self.aim(hand)
        if block // 4 != color:
            return False
        before = matched(hand, color)
        hand[block] += 1
        better = matched(hand, color) > before
        hand[block] -= 1
        return better

    def throw(self, hand: Hand) -> int:
        """The block to throw from six: one that does not fit, and of these the one it would pay most for."""
        color = self.aim(hand)
        free = [
            block for block in range(KINDS) if hand[block] > (NEEDS[block % 4] if block // 4 == color else 0)
        ]
        # Six that all fit are three dots, a dash, a V and the Liberty: won, without the Liberty.
        return max(free, key=lambda block: self.wish(hand, color, block), default=4 * color + LIBERTY)

    def wish(self, hand: Hand, color: int, block: int) -> tuple[float, ...]:
        other = block // 4
        cost = COSTS[block % 4] if other != color or block % 4 == LIBERTY else 0
        return cost, -matched(hand, other), self.taste[other], block % 4


class Hoarding(Plain):
    """Keeps dear blocks of other colours as long as it can: throws the cheapest first."""

    def wish(self, hand: Hand, color: int, block: int) -> tuple[float, ...]:
        return -COSTS[block % 4], self.taste[block // 4], block % 4


class Counting(Plain):
    """Remembers the blocks thrown, and draws to the colour it expects to wait for least."""

    def aim(self, hand: Hand) -> int:
        return min(self.taste, key=lambda color: (self._wait(hand, color), self.taste[color]))

    def _wait(self, hand: Hand, color: int) -> float:
        seen, copies = self.deal.seen, self.deal.copies
        unseen = self.deal.size - sum(seen) - HAND
        draws = []
        for block in range(4 * color, 4 * color + LIBERTY):
            left = copies[block] - seen[block] - hand[block]
            for found in range(NEEDS[block % 4] - hand[block]):
                draws.append(unseen / (left - found) if left > found else HOPELESS)
        if hand[4 * color + LIBERTY] and draws:
            draws.remove(max(draws))
        return sum(draws) + (HOPELESS * HAND if color == self.given_up else 0)


POLICIES: dict[str, type[Plain]] = {"plain": Plain, "counting": Counting, "hoarding": Hoarding}
WORDS = {
    "plain": (
        "draws to the colour of which most blocks fit, takes the open block only if it fits that colour, "
        "throws what does not fit, the dearest first, and gives a colour up after 15 turns without a better "
        "fit"
    ),
    "counting": (
        "the same, but remembers the blocks thrown and draws to the colour it expects to wait for least"
    ),
    "hoarding": "the same as plain, but throws the cheapest block first",
}


class Deal:
    """A hand in play. A policy may look at its own blocks, at `seen` and at the top of the pile."""

    def __init__(self, source: Random, box: Box, policies: Sequence[str]) -> None:
        self.source = source
        self.size = len(box)
        self.copies = [COPIES[SYMBOLS[block % 4]] * len(box) // BOX for block in range(KINDS)]
        self.stock = shuffled(source, box)
        self.hands = [[0] * KINDS for _ in policies]
        for turn in range(HAND * len(policies)):
            self.hands[turn % len(policies)][self.stock.pop()] += 1
        colors = list(dict.fromkeys(block // 4 for block in box))
        self.players = [
            POLICIES[policy](self, {color: source.random() for color in colors}) for policy in policies
        ]
        self.pile: list[int] = []
        self.seen = [0] * KINDS
        self.events: Counter[str] = Counter()

    def play(self) -> int | None:
        """The seat that wins; None if nobody did in the turns a table would have patience for."""
        for turn in range(MAX_TURNS):
            seat = turn % len(self.hands)
            hand = self.hands[seat]
            if not is_won(hand):
                self._turn(hand, self.players[seat])
            if is_won(hand):
                self.events["turns"] += turn + 1
                return seat
        return None

    def _turn(self, hand: Hand, player: Plain) -> None:
        player.consider(hand)
        if self.pile and player.takes(hand, self.pile[-1]):
            block = self.pile.pop()
            self.seen[block] -= 1
        else:
            block = self._draw()
        hand[block] += 1
        thrown = player.throw(hand)
        hand[thrown] -= 1
        self.pile.append(thrown)
        self.seen[thrown] += 1

    def _draw(self) -> int:
        if not self.stock:
            self.events["reshuffled"] += 1
            top = self.pile.pop()
            self.stock, self.pile = shuffled(self.source, self.pile), [top]
            self.seen = [0] * KINDS
            self.seen[top] = 1
        return self.stock.pop()

    def entry(self, winner: int, names: Sequence[str]) -> Entry:
        """The hand as the tally sheet has it. Who notices last is chance, every loser alike."""
        losers = [seat for seat in range(len(names)) if seat != winner]
        return {
            "type": "hand",
            "winner": names[winner],
            "losers": {names[seat]: {"blocks": _named(self.hands[seat])} for seat in losers},
            "winning": _named(self.hands[winner]),
            "last": names[one_of(self.source, losers)],
        }


def _named(hand: Hand) -> list[str]:
    return [
        f"{COLORS[block // 4]} {SYMBOLS[block % 4]}" for block in range(KINDS) for _ in range(hand[block])
    ]


def deals(
    kind: Kind, chance: Chance, pad: Pad | None = None, colors: Sequence[int] = (0, 1, 2, 3, 4)
) -> Iterator[Dealt]:
    """The hands of one evening; the first player changes to the left. A hand nobody won is played again."""
    box, seats = box_of(kind.pack, colors), len(kind.policies)
    events: Counter[str] = Counter()
    first, number = chance.dealer, 0
    while True:
        source = generator(chance.seed, "thumbs-up", kind.cards, chance.evening, number)
        order = [(first + turn) % seats for turn in range(seats)]
        deal = Deal(source, box, [kind.policies[seat] for seat in order])
        winner = deal.play()
        number += 1
        if winner is None:
            events["redealt"] += 1
            continue
        events += deal.events
        events["liberties"] += any(
            hand[4 * color + LIBERTY] for hand in _losing(deal, winner) for color in range(5)
        )
        yield Dealt([deal.entry(winner, [kind.players[seat] for seat in order])], events)
        events = Counter()
        first = (first + 1) % seats


def _losing(deal: Deal, winner: int) -> list[Hand]:
    return [hand for seat, hand in enumerate(deal.hands) if seat != winner]


def words(entry: Entry) -> str:
    return f"{entry['winner']} shows Thumbs Up; {entry['last']} is the last to notice"


DOUBTS = (
    f"Who notices the winner last is drawn by lot, every loser alike. A hand that nobody won in {MAX_TURNS} "
    "turns is played again.",
    "If the blocks in the middle run out, the thrown ones are shuffled: the rulebook does not say.",
)
SIMULATOR = Simulator("thumbs-up", deals, WORDS, PACKS, DOUBTS, words)
