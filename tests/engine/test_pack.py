"""What no hand of the pack of 1926 can come to."""

import random

import pytest

from engine import melds, pack

SPREAD = {  # Two of each number, so that no three of a suit are in sequence.
    3: ["B11", "D11", "B10", "D10", "C9", "F9", "C8"],
    2: ["B11", "D11", "B10", "D10", "C9", "F9", "C8", "F8", "B7"],
}


@pytest.mark.parametrize(("seats", "most"), [(2, 84), (3, 64), (6, 64)])
def test_the_highest_cards_of_rummy(seats, most):
    assert sum(pack.highest_unplayed(seats)) == most
    assert len(pack.highest_unplayed(seats)) == pack.dealt(seats)


@pytest.mark.parametrize(("seats", "most"), [(2, 83), (3, 68), (6, 68)])
def test_the_highest_count_of_rap_rummy_can_be_held(seats, most):
    assert sum(pack.highest_outside_melds(seats)) == most
    hand = SPREAD[min(seats, 3)]
    assert (len(hand), melds.count(hand)) == (pack.dealt(seats) + 1, most)


def test_no_hand_of_rap_rummy_counts_more():
    """Hands of high cards, dealt at random: those that could."""
    chance = random.Random(1926)
    high = [card for card in pack.CARDS if int(card[1:]) > 5]
    for seats in (2, 3):
        number, most = pack.dealt(seats) + 1, sum(pack.highest_outside_melds(seats))
        counts = [melds.count(chance.sample(high, number)) for _ in range(4000)]
        assert most - 12 < max(counts) <= most


def test_every_suit_has_its_printed_colour():
    assert {pack.SUIT_NAMES[suit]: pack.SUIT_COLORS[suit] for suit in pack.SUITS} == {
        "Bamboos": "green",
        "Dots": "red",
        "Characters": "blue",
        "Flowers": "yellow",
    }
