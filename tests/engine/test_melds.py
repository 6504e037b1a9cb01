"""The best arrangement of a hand, held against brute force and against what every arrangement must be."""

import os
import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import melds
from engine.melds import RAP_RUMMY, Pack, best, best_mask, count, count_mask
from engine.rules import Refused
from tests.engine.gin_rummy import GIN_RUMMY

SOAK = "SOAK" in os.environ
HANDS = 100_000 if SOAK else 4_000

rap_hands = st.lists(st.sampled_from(RAP_RUMMY.names), unique=True)
gin_hands = st.lists(st.sampled_from(GIN_RUMMY.names), unique=True)


def arrangements(hand: list[tuple[int, int]], values: tuple[int, ...]) -> Iterator[tuple[int, list[int]]]:
    """Count and numbers of every way to lay a hand of (suit, number), found the plain way: the first card
    stays out, or lies in one of the melds that it begins."""
    if not hand:
        yield 0, []
        return
    (suit, number), *others = hand
    for counted, numbers in arrangements(others, values):
        yield counted + values[number - 1], numbers
    same = [card for card in others if card[1] == number]
    laid = [set(cards) for size in (2, 3) for cards in combinations(same, size)]
    run = set()
    while (suit, number + len(run) + 1) in others:
        run = run | {(suit, number + len(run) + 1)}
        laid += [run] if len(run) >= 2 else []
    for cards in laid:
        meld = sorted(card[1] for card in [(suit, number), *cards])
        for counted, numbers in arrangements([card for card in others if card not in cards], values):
            yield counted, [*numbers, sum(meld[:3])]


def brute_force(mask: int, pack: Pack) -> tuple[int, tuple[int, ...]]:
    places = [place for place in range(len(pack.names)) if mask >> place & 1]
    hand = [(place // pack.width, place % pack.width + 1) for place in places]
    return min((counted, (*sorted(numbers), 999)) for counted, numbers in arrangements(hand, pack.values))


def check(mask: int, pack: Pack) -> None:
    found = best_mask(mask, pack)
    assert (found.count, found.key) == brute_force(mask, pack), pack.cards(mask)
    assert count_mask(mask, pack) == found.count


def dealt(pack: Pack, size: int, chance: random.Random) -> int:
    """A hand from the whole pack, or from neighbouring ranks only, where melds lie over each other."""
    places = range(len(pack.names))
    if chance.random() < 0.6:
        ranks = chance.randint(-(-size // 4), pack.width)
        lowest = chance.randint(0, pack.width - ranks)
        places = [place for place in places if lowest <= place % pack.width < lowest + ranks]
    return sum(1 << place for place in chance.sample(places, size))


def test_the_hand_of_the_command_line_counts_nine():
    found = best(["B1", "B2", "B3", "D9"])
    assert (found.count, found.melds, found.rest) == (9, [["B1", "B2", "B3"]], ["D9"])
    assert found.key == (6, 999)


def hand(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize(
    ("cards", "laid", "rest"),
    [
        ("", [], ""),
        ("F11", [], "F11"),
        ("B1 B2 D3", [], "B1 B2 D3"),
        ("B7 C7 F7", ["B7 C7 F7"], ""),
        ("B11 D11 C11 F11 F10 F9", ["F9 F10 F11", "B11 D11 C11"], ""),
        ("B11 D11 C11 F11 F10 F1", ["B11 D11 C11 F11"], "F1 F10"),
        ("B10 B11 B1", [], "B1 B10 B11"),
        ("B1 B2 B3 B4 B5", ["B1 B2 B3 B4 B5"], ""),
        ("B1 B2 B3 B4 B5 B6", ["B1 B2 B3", "B4 B5 B6"], ""),
        ("B3 D3 C3 F3 F4 F5", ["B3 D3 C3", "F3 F4 F5"], ""),
        ("B3 D3 C3 C4 C5", ["C3 C4 C5"], "B3 D3"),
        ("B9 D9 C9 C8 C7", ["B9 D9 C9"], "C7 C8"),
        ("B2 B3 B4 D3 C3", ["B2 B3 B4"], "D3 C3"),
        ("B1 B2 B3 B4 D4 C4 D1 C1", ["B1 B2 B3", "B4 D4 C4"], "D1 C1"),
    ],
)
def test_a_hand_is_laid_as_a_player_would_lay_it(cards, laid, rest):
    found = best(hand(cards))
    assert found.melds == [hand(meld) for meld in laid]
    assert found.rest == hand(rest)
    assert found.count == count(hand(cards)) == sum(int(card[1:]) for card in found.rest)


def test_between_equal_counts_the_smaller_list_is_laid():
    # Three sets or three sequences, and nothing is left either way.
    assert best(hand("B2 B3 B4 D2 D3 D4 C2 C3 C4")).key == (6, 9, 12, 999)
    # The four may lengthen the sequence or the set.
    assert best(hand("B1 B2 B3 B4 D4 C4 F4")).key == (6, 12, 999)
    # The three may lie in the middle of a long sequence or join the set.
    assert best(hand("B1 B2 B3 B4 B5 D3 C3 F3")).key == (6, 9, 999)


def test_the_whole_pack_leaves_nothing_and_is_found_at_once():
    for pack in (RAP_RUMMY, GIN_RUMMY):
        found = best(pack.names, pack)
        assert found.count == 0
        assert sorted(card for meld in found.melds for card in meld) == sorted(pack.names)
        assert found.key[:4] == (3, 6, 6, 9)


def test_every_hand_of_a_small_pack_is_best():
    for pack in (Pack("abc", "12345", [3, 1, 1, 2, 2]), Pack("a", "123456789", range(1, 10))):
        for mask in range(1 << len(pack.names)):
            check(mask, pack)


def test_every_hand_of_few_cards_of_the_1926_pack_is_best():
    for cards in combinations(range(len(RAP_RUMMY.names)), 4 if SOAK else 3):
        check(sum(1 << card for card in cards), RAP_RUMMY)


@pytest.mark.parametrize("pack", [RAP_RUMMY, GIN_RUMMY], ids=["1926", "gin"])
def test_random_hands_are_best(pack):
    chance = random.Random(1926)
    for _ in range(HANDS // 2):
        check(dealt(pack, chance.randint(3, 11), chance), pack)


@pytest.mark.parametrize("pack", [RAP_RUMMY, GIN_RUMMY], ids=["1926", "gin"])
def test_walking_a_hand_finds_what_trying_every_way_finds(pack, monkeypatch):
    chance = random.Random(44)
    masks = [dealt(pack, chance.randint(6, 18), chance) for _ in range(HANDS // 40)]
    monkeypatch.setattr(melds, "MAX_WAYS", 10**9)
    tried = [(found.count, found.melds) for found in (best_mask(mask, pack) for mask in masks)]
    monkeypatch.setattr(melds, "MAX_WAYS", 0)
    assert [(found.count, found.melds) for found in (best_mask(mask, pack) for mask in masks)] == tried


@given(rap_hands)
def test_melds_are_legal_and_with_the_rest_they_are_the_hand(cards):
    found = best(cards)
    assert sorted([card for meld in found.melds for card in meld] + found.rest) == sorted(cards)
    for meld in found.melds:
        suits, numbers = [card[0] for card in meld], [int(card[1:]) for card in meld]
        is_set = len(set(numbers)) == 1 and len(set(suits)) == len(suits)
        is_run = len(set(suits)) == 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert len(meld) >= 3
        assert is_set or is_run
    assert found.count == sum(int(card[1:]) for card in found.rest)
    numbers = [sum(sorted(int(card[1:]) for card in meld)[:3]) for meld in found.melds]
    assert found.key == (*sorted(numbers), 999)


@given(rap_hands.flatmap(lambda cards: st.tuples(st.just(cards), st.permutations(cards))))
def test_the_order_of_the_cards_does_not_matter(hands):
    one, other = (best(cards) for cards in hands)
    assert (one.count, one.melds, one.rest, one.key) == (other.count, other.melds, other.rest, other.key)


@given(gin_hands, st.data())
def test_two_hands_together_count_no_more_than_apart(cards, data):
    cut = data.draw(st.integers(0, len(cards)))
    apart = count(cards[:cut], GIN_RUMMY) + count(cards[cut:], GIN_RUMMY)
    assert count(cards, GIN_RUMMY) <= apart


@given(rap_hands)
def test_the_rest_of_a_best_hand_has_no_meld(cards):
    found = best(cards)
    again = best(found.rest)
    assert (again.count, again.melds, again.key) == (found.count, [], (999,))


OTHERWISE = ["B12", "B0", "B07", "b7", "B7 ", " B7", "7B", "B", "", "B-1", "X1", "B٣", "\ud800"]


@pytest.mark.parametrize("card", [*OTHERWISE, 7, None, True, ["B7"]], ids=repr)
def test_a_card_written_otherwise_is_refused(card):
    with pytest.raises(Refused) as refused:
        best(["B1", card])
    assert refused.value.code == "bad-card"
    assert refused.value.cites == ("rap-rummy-1926/the-cards",)
    assert "B1, B2 and so on to F11" in refused.value.message


def test_a_card_that_is_no_text_and_very_deep_is_refused_in_a_short_sentence():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Refused, match="A card is a text"):
        count(["B1", deep])
    with pytest.raises(Refused) as refused:
        count(["B1" * 10**6])
    assert len(refused.value.message) < 100


def test_a_card_given_twice_is_impossible():
    with pytest.raises(Refused, match="Given more than once: B7 and F11") as refused:
        count(["F11", "B7", "B7", "F11", "D1"])
    assert refused.value.code == "impossible"
    with pytest.raises(Refused):
        count(["B1", "B1"] * 22)


def test_a_pack_says_what_is_wrong_with_it():
    with pytest.raises(ValueError, match="1 to 4 suits"):
        Pack("abcde", "123", [1, 2, 3])
    with pytest.raises(ValueError, match="value of 1 or more"):
        Pack("ab", "123", [1, 2])
    with pytest.raises(ValueError, match="name of its own"):
        Pack("ab", ["1", "1"], [1, 1])
