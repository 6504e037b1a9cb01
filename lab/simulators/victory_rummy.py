"""Victory Rummy played out with 63 cards: ten each, a VICTORY or CAPTURE uses five, two of them go out.

Cards and aims are numbers, as the policies have them; seats are counted from the dealer's left, and are
nothing but labels.
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
from lab.simulators.victory_policies import (
    AIMS,
    AXIS,
    CAPTURE,
    POLICIES,
    SETS,
    WORDS,
    Hand,
    Plain,
    aim_of,
    matched,
)
from lab.table_kind import Chance, Dealt, Kind, Pad, Simulator

MAX_TURNS = 400

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
    "The rulebook does not say how many dots, dashes and Vs there are of each colour. We guess 10, 4 and 4; "
    "two rows of every chart show how the figures move with another pack.",
    f"A deal that nobody could finish in {MAX_TURNS} turns is dealt again. The table below counts them.",
)
SIMULATOR = Simulator("victory-rummy", deals, WORDS, PACKS, DOUBTS, words)
