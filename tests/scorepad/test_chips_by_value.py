"""A table that counts its chips out: it starts so, is drawn so, and is counted so."""

import pytest
from django.test import Client

import engine
from scorepad import ledger, new_pads, pads
from scorepad.chips import counts as chips
from scorepad.chips import denominations
from scorepad.models import Pad
from tests.html import holds

from .conftest import sit_down

pytestmark = pytest.mark.django_db

CHIPS = {"5": 20, "10": 10, "25": 4}
HAND = {"type": "hand", "winner": "Bert", "losers": {"Ann": {"points": 40}}}


def opened(**wish):
    new = new_pads.create(
        {"game": "thumbs-up", "players": ["Ann", "Bert"], "settings": {"chips": CHIPS}, **wish}
    )
    client = Client()
    client.get(new.keep)
    return new.pad, client


def started(**typed):
    form = {"game": "thumbs-up", "name": ["Ann", "Bert"], "chips": "counted", **typed}
    return Client().post("/pads/new/", form)


def pad_of(answer):
    assert answer.status_code == 302, answer.content
    return Pad.objects.get(code=answer["Location"].split("/")[2])


def test_the_stake_is_what_the_chips_come_to():
    pad = pad_of(started(chips_5="10", chips_10="5", chips_25="2"))
    assert pad.settings == {"chips": {"5": 10, "10": 5, "25": 2}}
    assert pad.options["stake"] == 150


def test_numbers_typed_count_even_if_the_choice_was_forgotten():
    assert pad_of(started(chips="one", chips_5="10")).options["stake"] == 50


@pytest.mark.parametrize(("stake", "chips"), [("", CHIPS), ("150", {"5": 10, "10": 5, "25": 2})])
def test_chips_left_empty_are_dealt_from_the_stake(stake, chips):
    pad = pad_of(started(stake=stake))
    assert pad.settings == {"chips": chips}
    assert pad.options["stake"] == int(stake or 300)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"stake": "303"}, "cannot make 303"),
        ({"stake": "200", "chips_5": "20"}, "These chips come to 100, but the stake is 200."),
        ({"chips_5": "0"}, "with some chips"),
        ({"chips_5": "many"}, "There are 0 to 1000 chips of one value."),
    ],
)
def test_chips_that_cannot_be_are_refused_and_nothing_typed_is_lost(typed, words):
    answer = started(**typed)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert all(f'value="{value}"' in page for value in typed.values())


def test_the_form_offers_chips_for_the_stake_of_its_address():
    page = Client().get("/pads/new/?game=thumbs-up&stake=150").content.decode()
    assert holds(page, "10 of 5, 5 of 10 and 2 of 25")


def test_the_pad_says_how_the_last_hand_is_paid_and_what_everyone_holds():
    pad, client = opened()
    ledger.append(pad, [{"id": "h", **HAND}])
    page = client.get(f"/pads/{pad.code}/").content.decode()
    assert "Ann pays Bert 40: a 25, a 10 and a 5" in page
    assert "holds three 25s, nine tens and 19 fives" in page


def test_a_table_without_counted_chips_is_drawn_as_before():
    pad, client = opened(settings={"chips": [5, 10, 25]}, options={"stake": 300})
    ledger.append(pad, [{"id": "h", **HAND}])
    page = client.get(f"/pads/{pad.code}/").content.decode()
    assert "Ann pays Bert" not in page
    assert 'class="chip-25"' in page


@pytest.mark.parametrize(
    ("bert", "words"),
    [
        ({"5": 21, "10": 11, "25": 5}, "The chips agree with the log."),
        ({"5": 18, "10": 11, "25": 5}, "3 chips less than it should (15 points). Missing: three fives."),
        ({"5": 21, "10": 12, "25": 5}, "1 chip more than it should (10 points). Too many: a 10."),
        ({"5": 22, "10": 10, "25": 5}, "The table has a 10 less and a 5 more than it should."),
    ],
)
def test_chips_are_counted_by_value(bert, words):
    pad, client = opened()
    ledger.append(pad, [{"id": "h", **HAND}])
    ann = {"5": 19, "10": 9, "25": 3}
    typed = {f"chips-{seat}-{value}": n for seat, one in enumerate((ann, bert)) for value, n in one.items()}
    page = client.post(f"/pads/{pad.code}/checks/", {"by_value": "1", **typed}).content.decode()
    assert words in page
    assert ("Bert won 40: Ann 40" in page) == ("agree" not in words)


def test_a_player_nobody_counted_is_asked_for():
    pad, client = opened()
    page = client.post(f"/pads/{pad.code}/checks/", {"by_value": "1", "chips-0-5": "3"}).content.decode()
    assert "Count the chips of every player" in page
    assert not pad.count_checks.exists()


def test_a_debt_is_no_missing_chip():
    table = sit_down(game="thumbs-up", players=["Ann", "Bert"], settings={"chips": {"5": 4}})
    table.player.enter({"id": "h", **HAND})
    counted = {"Ann": {"5": 0}, "Bert": {"5": 8}}
    found = table.player.post("checks/", {"counted": counted}).json()
    assert (found["says"], found["missing_chips"]) == ("The chips agree with the log.", {"5": 0})


def test_settings_that_do_not_fit_the_stake_are_refused_later_too():
    table = sit_down(game="thumbs-up", players=["Ann", "Bert"], settings={"chips": CHIPS})
    assert table.keeper.post("settings/", {"settings": {"chips": {"5": 3}}}).status_code == 422
    assert denominations.starting_chips(table.pad) == {5: 20, 10: 10, 25: 4}


def test_a_rematch_starts_with_the_same_chips():
    pad, _ = opened()
    assert denominations.starting_chips(new_pads.next_game(pad).pad) == {5: 20, 10: 10, 25: 4}


def test_chips_counted_for_seats_that_changed_meanwhile_are_not_kept():
    read_before, _ = opened()
    pads.rename(read_before, ["Ann", "Bert", "Cleo"])
    with pytest.raises(engine.Refused, match="every player"):
        chips.check(read_before, {"Ann": 0, "Bert": 0}, ledger.Who())
    assert not read_before.count_checks.exists()


@pytest.mark.parametrize(
    ("typed", "stake"),
    [
        ({}, 300),
        ({"chips": "three"}, 300),
        ({"chips_each": "40"}, 200),
        ({"chips_each": "40", "chip_value": "10"}, 400),
        ({"stake": "120"}, 120),
        ({"stake": "0"}, 0),
        ({"chips": "none"}, 0),
    ],
)
def test_nobody_starts_with_nothing_who_has_not_chosen_to(typed, stake):
    assert pad_of(started(**{"chips": "one", **typed})).options["stake"] == stake


@pytest.mark.parametrize("typed", ["0", "1001", "many"])
def test_a_number_of_chips_that_cannot_be_is_refused_with_a_sentence(typed):
    answer = started(chips="one", chips_each=typed)
    assert answer.status_code == 422
    assert holds(answer.content.decode(), "Each player starts with 1 to 1000 chips.")


def test_the_form_asks_before_the_first_hand_how_the_chips_are_shared_out():
    page = Client().get("/pads/new/?game=thumbs-up").content.decode()
    asked = page.split("How are the chips shared out?")[1].split("Readings and options")[0]
    assert holds(asked, "Equally, each chip worth 5 points")
    assert 'placeholder="60"' in asked
    assert "Plays first" in page
    assert "Deals first" not in page
