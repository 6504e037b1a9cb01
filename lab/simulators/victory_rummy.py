"""Victory Rummy played out with 63 cards: ten each, a VICTORY or CAPTURE uses five, two of them go out.

A card is a number: three times its colour, and 0 for a dot, 1 for a dash, 2 for a V; 9 is an AXIS card. An
aim is a colour, 0 to 2, or 3 for a CAPTURE. Seats are counted from the dealer's left, and only who plays for
the bonus knows a colour's name: to all others seats and colours are nothing but labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from engine.games.victory_rummy import AXIS_CARDS, CARDS_DEALT, CARDS_OF_A_SET, COLORS
from engine.rules import Entry
from lab.shuffle import generator, shuffled
from lab.simulators.grand_victory import worth
from lab.table_kind import Chance, Dealt, Kind, Pad, Simulator

AXIS = 9
CAPTURE = 3
AIMS = (0, 1, 2, CAPTURE)
NEEDS = ((0, 3), (1, 1), (2, 1))
#: The order in which cards of one colour are thrown: there are more dots than Vs and dashes.
DOT_V_DASH = (0, 2, 1)
MAX_TURNS = 400
HOPELESS = 1000.0

Hand = list[int]
Pack = tuple[int, ...]

#: Dots, dashes and Vs of each colour. The leaflet gives the sum, 18, and not the parts.
SPLITS = {"10/4/4": (10, 4, 4), "9/5/4": (9, 5, 4), "12/3/3": (12, 3, 3)}
PACKS = {
    "10/4/4": "10 dots, 4 dashes and 4 Vs of each colour, twice the 5, 2 and 2 of Thumbs Up: our guess",
    "9/5/4": "9 dots, 5 dashes and 4 Vs of each colour",
    "12/3/3": "12 dots, 3 dashes and 3 Vs of each colour",
}


def pack_of(name: str, colors: Sequence[int] = (0, 1, 2)) -> Pack:
    """The cards of a pack; with its colours in another order, the same pack relabelled."""
    split = SPLITS[name]
    cards = [3 * color + symbol for color in colors for symbol in range(3) for _ in range(split[symbol])]
    return (*cards, *(AXIS,) * AXIS_CARDS)


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


class Deal:
    """A deal in play. A policy may look at its own hand, at `seen` and at the top of the pile."""

    def __init__(
        self, source: Random, pack: Pack, policies: Sequence[str], runs: Sequence[str] = (), reading: str = ""
    ) -> None:
        self.source = source
        self.runs, self.reading = runs, reading
        self.size = len(pack)
        self.copies = _copies(pack)
        self.stock = shuffled(source, pack)
        seats = range(len(policies))
        self.hands = [[0] * 10 for _ in seats]
        for turn in range(CARDS_DEALT * len(policies)):
            self.hands[turn % len(policies)][self.stock.pop()] += 1
        self.pile = [self.stock.pop()]
        self.laid = [0] * 10
        self.seen = [0] * 10
        self.seen[self.pile[0]] = 1
        self.sizes = [CARDS_DEALT for _ in seats]
        self.players = [POLICIES[policy](self, _taste(source, pack)) for policy in policies]
        self.sets: list[tuple[int, int]] = []
        self.events: Counter[str] = Counter()

    def worth(self, player: Plain, aim: int) -> float:
        """The points an aim promises the player whose run of VICTORIES is known."""
        if aim == CAPTURE:
            return 50
        return worth(self.runs[self.players.index(player)] + "RWB"[aim], self.reading)

    def play(self) -> int | None:
        """The seat that goes out; None if nobody could in the turns a table would have patience for."""
        for turn in range(MAX_TURNS):
            seat = turn % len(self.hands)
            hand = self.hands[seat]
            if not self._take(hand):
                hand[self._draw()] += 1
            self._lay(seat)
            if not self.sizes[seat]:
                self.events["turns"] += turn + 1
                return seat
            card = self.players[seat].discard(hand, self.sizes[seat])
            hand[card] -= 1
            self.pile.append(card)
            self.seen[card] += 1
        return None

    def _take(self, hand: Hand) -> bool:
        """Take the open card if it completes a set: only so may it be taken."""
        if not self.pile:
            return False
        card = self.pile[-1]
        aim = aim_of(card)
        if matched(hand, aim) != CARDS_OF_A_SET - 1:
            return False
        hand[card] += 1
        if matched(hand, aim) < CARDS_OF_A_SET:
            hand[card] -= 1
            return False
        self.pile.pop()
        self.seen[card] -= 1
        return True

    def _draw(self) -> int:
        if not self.stock:
            self.events["reshuffled"] += 1
            self.stock = shuffled(self.source, self.pile)
            self.pile = [self.stock.pop()]
            self.seen = self.laid[:]
            self.seen[self.pile[0]] += 1
            if not self.stock:
                return self.pile.pop()
        return self.stock.pop()

    def _lay(self, seat: int) -> None:
        hand, player = self.hands[seat], self.players[seat]
        while self.sizes[seat]:
            complete = [aim for aim in AIMS if matched(hand, aim) == CARDS_OF_A_SET]
            if not complete:
                return
            aim = min(complete, key=player.taste.__getitem__)
            for card, need in SETS[aim]:
                hand[card] -= need
                self.laid[card] += need
                self.seen[card] += need
            self.sizes[seat] -= CARDS_OF_A_SET
            self.sets.append((seat, aim))

    def entries(self, out: int, names: Sequence[str]) -> list[Entry]:
        """The deal as the tally sheet has it; names begin at the dealer's left."""
        axis = sum(hand[AXIS] for seat, hand in enumerate(self.hands) if seat != out)
        laid: list[Entry] = [
            {"type": "capture", "player": names[seat]}
            if aim == CAPTURE
            else {"type": "victory", "player": names[seat], "color": COLORS[aim]}
            for seat, aim in self.sets
        ]
        return [*laid, {"type": "axis", "player": names[out], "cards": axis}]


def _taste(source: Random, pack: Pack) -> dict[int, float]:
    """A number for each aim, by which equals are told apart, in the order of the pack."""
    return {aim: source.random() for aim in _aims_of(pack)}


@cache
def _aims_of(pack: Pack) -> list[int]:
    return list(dict.fromkeys(map(aim_of, pack)))


@cache
def _copies(pack: Pack) -> list[int]:
    return [pack.count(card) for card in range(10)]


def deals(
    kind: Kind, chance: Chance, pad: Pad | None = None, colors: Sequence[int] = (0, 1, 2)
) -> Iterator[Dealt]:
    """The deals of one evening, each dealer in turn. A deal that nobody could finish is dealt again."""
    pack, seats = pack_of(kind.pack, colors), len(kind.policies)
    events: Counter[str] = Counter()
    dealer, number = chance.dealer, 0
    while True:
        source = generator(chance.seed, "victory-rummy", kind.cards, chance.evening, number)
        order = [(dealer + 1 + turn) % seats for turn in range(seats)]
        deal = Deal(source, pack, [kind.policies[seat] for seat in order], *_known(pad, order))
        out = deal.play()
        number += 1
        if out is None:
            events["redealt"] += 1
            continue
        yield Dealt(deal.entries(out, [kind.players[seat] for seat in order]), events + deal.events)
        events.clear()
        dealer = (dealer + 1) % seats


def _known(pad: Pad | None, order: Sequence[int]) -> tuple[Sequence[str], str]:
    """Each seat's run of VICTORIES and the reading of the bonus, where the table looks at its pad."""
    if pad is None:
        return (), ""
    position = pad()
    return [position.state.runs[seat] for seat in order], position.table.options["bonus_order"]


def words(entry: Entry) -> str:
    if entry["type"] == "victory":
        return f"{entry['player']}: a VICTORY in {entry['color']}"
    if entry["type"] == "capture":
        return f"{entry['player']}: a CAPTURE"
    return f"{entry['player']} is out; AXIS cards in the other hands: {entry['cards']}"


DOUBTS = (
    "The leaflet does not say how many dots, dashes and Vs there are of each colour. We guess 10, 4 and 4; two "
    "rows of every chart show how the figures move with another pack.",
    f"A deal that nobody could finish in {MAX_TURNS} turns is dealt again. The table below counts them.",
)
SIMULATOR = Simulator("victory-rummy", deals, WORDS, PACKS, DOUBTS, words)
