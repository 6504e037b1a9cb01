"""Chips by value: nothing is lost, every sum is exact, and the words say how."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from scorepad.chips import change, purses
from scorepad.chips.purses import Held, after_hand, at_start
from scorepad.layouts import LAYOUTS, PadState

FOUR = ["Ann", "Bert", "Cora", "Dan"]
CHIPS = {5: 20, 10: 10, 25: 4}


def hand(winner, **points):
    losers = {name: {"points": points.get(name, 0)} for name in FOUR if name != winner}
    return {"type": "hand", "winner": winner, "losers": losers}


def at(*entries, stake=300, **options):
    sheet = {"tally": 1, "game": "thumbs-up", "players": FOUR, "entries": list(entries)}
    return PadState(engine.replay({**sheet, "options": {"stake": stake, "hands": 0, **options}}))


def held(*each):
    return Held(tuple(tuple(sorted({5: 0, 10: 0, 25: 0, **purse}.items())) for purse in each))


PURSE = st.fixed_dictionaries({value: st.integers(0, 4) for value in (5, 10, 25)})
HANDS = st.lists(
    st.tuples(st.integers(0, 3), st.lists(st.integers(0, 25).map(lambda n: 5 * n), min_size=4, max_size=4)),
    max_size=5,
)


@given(st.lists(PURSE, min_size=4, max_size=4), HANDS, st.sampled_from([0, 1, 3]))
def test_chips_are_conserved_and_amounts_exact_whoever_pays_whom(each, hands, odd):
    now = held(*each)
    totals = [change.worth(purse) for purse in each]
    for winner, costs in hands:
        payments = tuple((seat, winner, cost + odd) for seat, cost in enumerate(costs) if seat != winner)
        for seat, _, points in payments:
            totals[seat] -= points
            totals[winner] += points
        now, made = after_hand(now, payments)
        assert all(number >= 0 for purse in now.purses for _, number in purse)
        for seat in range(4):
            assert change.worth(now.chips(seat)) + now.is_owed(seat) - now.owes(seat) == totals[seat]
        for paid in made:
            moved = change.worth(paid.handed.paid) - change.worth(paid.handed.back)
            assert moved + paid.set_off + paid.owed == paid.points
            if paid.swap:
                assert change.worth(paid.swap.given) == change.worth(paid.swap.got)
    for value in (5, 10, 25):
        assert sum(now.chips(seat)[value] for seat in range(4)) == sum(purse[value] for purse in each)


@given(PURSE, PURSE, st.integers(1, 25).map(lambda n: 5 * n))
def test_no_way_to_pay_takes_fewer_chips(payer, taker, points):
    found = change.pay(points, payer, taker)
    fewest, change_of = None, change.fewest(150, taker)
    for paid in _all_of(payer):
        back = change_of.get(change.worth(paid) - points)
        if back is not None:
            number = sum(paid.values()) + back.number
            fewest = number if fewest is None else min(fewest, number)
    if found:
        assert sum(found.paid.values()) + sum(found.back.values()) == fewest
    else:
        assert fewest is None


def _all_of(purse):
    numbers = [range(purse[value] + 1) for value in (5, 10, 25)]
    return [{5: a, 10: b, 25: c} for a in numbers[0] for b in numbers[1] for c in numbers[2]]


@given(st.integers(1, 400).map(lambda n: 5 * n))
def test_the_chips_offered_for_a_stake_come_to_it(stake):
    assert change.worth(change.deal_out(stake, (5, 10, 25))) == stake


def test_a_stake_no_chips_can_make_is_not_dealt():
    assert change.deal_out(303, (5, 10, 25)) is None


def said(now, *payments):
    made = after_hand(now, payments)[1]
    return [purses.describe_payment(paid, FOUR) for paid in made]


def test_the_words_name_the_chips():
    assert said(at_start(CHIPS, 4), (2, 1, 40)) == ["Cora pays Bert 40: a 25, a 10 and a 5"]
    now = held({}, {5: 2}, {}, {10: 3})
    assert said(now, (3, 1, 25)) == ["Dan pays Bert 25 with three tens and gets a 5 back"]


def test_what_two_cannot_do_alone_a_third_changes_for_them():
    now = held({5: 3, 10: 2}, {25: 1}, {}, {25: 2})
    words = "First Dan changes a 25 with Ann for two tens and a 5; then Dan pays Bert 10: a 10"
    assert said(now, (3, 1, 10)) == [words]


def test_what_nobody_can_change_is_owed_and_paid_back_when_chips_come():
    now, _ = after_hand(held({}, {}, {}, {10: 1}), ((3, 1, 25),))
    assert said(held({}, {}, {}, {10: 1}), (3, 1, 25)) == ["Dan pays Bert 25: a 10, and owes 15"]
    assert now.owes(3) == 15
    later = Held(held({10: 3}, {5: 1}, {}, {}).purses, now.debts)
    words = ["Ann pays Dan 20: two tens", "Dan pays Bert back 15 with two tens and gets a 5 back"]
    assert said(later, (0, 3, 20)) == words
    assert said(later, (1, 3, 15)) == ["Bert pays Dan 15 by what Dan owed"]


def test_stacks_are_what_the_log_paid():
    state = at(hand("Bert", Cora=40))
    now, made = purses.play_hands(state, CHIPS)
    assert now.chips(2) == {5: 19, 10: 9, 25: 3}
    assert [purses.describe_payment(paid, FOUR) for paid in made] == ["Cora pays Bert 40: a 25, a 10 and a 5"]


def test_a_hand_struck_out_gives_its_chips_back():
    state = at({"id": "h", **hand("Bert", Cora=40)}, {"type": "void", "of": "h"})
    assert purses.play_hands(state, CHIPS) == (at_start(CHIPS, 4), ())


@pytest.mark.parametrize("when_short", ["owe", "pay-what-you-can"])
def test_chips_follow_the_engine_when_someone_is_short(when_short):
    state = at(hand("Bert", Cora=40), hand("Ann", Cora=20), stake=30, when_short=when_short)
    now, _ = purses.play_hands(state, {5: 2, 10: 2})
    for seat, name in enumerate(FOUR):
        net = change.worth(now.chips(seat)) + now.is_owed(seat) - now.owes(seat)
        assert net == state.result.totals[name]


def rack_of(now):
    """Dan shows four red dots and a blue dash, and so pays Bert ten."""
    blocks = ["red dot", "red dot", "red dot", "red dot", "blue dash"]
    made = {"type": "hand", "winner": "Bert", "losers": {"Dan": {"blocks": blocks}}}
    state = PadState(at().position, made, at="losers/Dan", again=True)
    return LAYOUTS["thumbs-up"].rack(state, (5, 10, 25), now)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (at_start(CHIPS, 4), "a 10"),
        (held({}, {5: 3}, {}, {25: 1}), "a 25, and gets three fives back"),
        (
            held({5: 3, 10: 2}, {25: 1}, {}, {25: 2}),
            "a 10, once Dan changes a 25 with Ann for two tens and a 5",
        ),
    ],
)
def test_the_rack_says_how_before_the_hand_is_entered(now, words):
    assert rack_of(now).how == words


def test_stacks_are_drawn_as_high_as_the_chips_held():
    now, _ = purses.play_hands(at(hand("Bert", Cora=40)), CHIPS)
    cora = LAYOUTS["thumbs-up"].chip_seats(at(hand("Bert", Cora=40)), (5, 10, 25), now)[2]
    assert [(stack.value, stack.number) for stack in cora.stacks] == [(25, 3), (10, 9), (5, 19)]
    assert cora.holds == "three 25s, nine tens and 19 fives"


def test_who_owes_is_named_on_the_stack():
    log = (hand("Bert", Dan=40),)
    now, _ = purses.play_hands(at(*log, stake=30), {10: 3})
    dan = LAYOUTS["thumbs-up"].chip_seats(at(*log, stake=30), (10,), now)[3]
    assert (dan.note, dan.total, dan.holds) == ("owes 10", -10, "nothing")
