"""One whole game of each kind on two phones, by taps. A call of key() is one tap; the counts are tested."""

import pytest
from playwright.sync_api import expect

from tests.browser.pads import FOUR, asks, join, key, press, shows_totals, start, start_by_form


@pytest.fixture
def table(device):
    """Two phones; the first starts the pads."""
    return device(phone=True), device(phone=True)


def test_victory_rummy_to_the_end_with_one_tap_for_each_victory(table):
    ann, bert = table
    start_by_form(ann, "victory-rummy", target=180)
    join(bert, ann)
    key(ann, "Ann: red victory, 10")
    shows_totals(bert, 10, 0, 0, 0)
    key(bert, "Ann: white victory, 10")
    asks(ann, "Ann is out. How many AXIS cards?")
    key(ann, "Ann: 3 AXIS cards, 30")
    shows_totals(bert, 50, 0, 0, 0)
    key(bert, "Bert: capture, 50")
    shows_totals(ann, 50, 50, 0, 0)
    key(ann, "Ann: blue victory, 10")
    shows_totals(bert, 135, 50, 0, 0)
    expect(bert.locator(".sheet__tally").first).to_have_text("Tally 135")
    key(bert, "Ann: red victory, 10")
    # Ann's phone has entered the same a moment ago, in the deal before.
    press(bert, bert.get_by_role("button", name="Another one"))
    asks(ann, "Ann is out")
    key(ann, "Ann: 4 AXIS cards, 40")
    for phone in table:
        expect(phone.get_by_role("heading", name="Ann wins.")).to_be_visible()
        shows_totals(phone, 185, 50, 0, 0)


def test_an_impossible_axis_count_says_why_where_the_finger_is(table):
    ann, _ = table
    start(ann, "victory-rummy")
    key(ann, "Ann: capture, 50")
    shows_totals(ann, 50, 0, 0, 0)
    key(ann, "Ann: red victory, 10")
    asks(ann, "Ann is out")
    key(ann, "Ann: 5 AXIS cards, 50")
    expect(ann.locator("#refusal")).to_contain_text("Only 4 AXIS cards can be in the other hands")
    shows_totals(ann, 60, 0, 0, 0)


def test_rap_rummy_five_taps_for_a_hand_of_four(table):
    ann, dan = table
    start_by_form(ann, "rap-rummy")
    join(dan, ann)
    for rapper, counts in (("Dan", (11, 8, 6, 4)), ("Ann", (3, 8, 9, 20)), ("Bert", (9, 5, 2, 7))):
        asks(ann, "Who rapped?")
        key(ann, rapper)
        asks(ann, "Ann’s count?")
        for name, count in zip(FOUR, counts, strict=True):
            key(ann, f"{name}: {count}")
        expect(ann.locator(".words")).to_contain_text(f"{rapper} rapped with")
    expect(ann.locator(".words")).to_contain_text("Ann, Cora and Dan each score 5.")
    shows_totals(dan, 33, 0, 5, 18)
    asks(dan, "Who rapped?")
    key(dan, "Nobody: the pack ran out")
    asks(dan, "Ann’s count?")
    for name, count in zip(FOUR, (5, 5, 6, 7), strict=True):
        key(dan, f"{name}: {count}")
    asks(ann, "Who has the lowest set or sequence?")
    key(ann, "Bert has the lowest set or sequence")
    expect(dan.get_by_role("heading", name="Ann wins.")).to_be_visible()


def test_a_rap_hand_filled_in_on_two_phones_together(table):
    ann, dan = table
    start(ann, "rap-rummy")
    join(dan, ann)
    key(ann, "Dan")
    asks(dan, "Ann’s count?")
    # Between these keys there is no room for the hints: they lie on the seats, until they are touched.
    press(dan, dan.locator(".hints"))
    press(dan, dan.locator('[data-at="hands/Dan"]'))
    asks(dan, "Dan’s count?")
    key(ann, "Ann: 11")
    key(dan, "Dan: 4")
    expect(ann.locator(".count output")).to_have_text(["11", "–", "–", "4"])
    key(ann, "Bert: 8")
    asks(ann, "Cora’s count?")
    key(ann, "Cora: 6")
    for phone in table:
        expect(phone.locator(".words")).to_contain_text(
            "Dan takes 2 from Cora, 4 from Bert and 7 from Ann, 13 in all."
        )


def test_rap_by_cards_shows_the_melds_turned_down(table):
    ann, _ = table
    start(ann, "rap-rummy", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Ann’s count?")
    press(ann, ann.get_by_role("link", name="By cards"))
    asks(ann, "Ann’s 6 cards")
    for card in ("bamboos 1", "bamboos 2", "bamboos 3", "dots 9", "flowers 4", "characters 2"):
        key(ann, card)
    expect(ann.locator(".melds")).to_contain_text("B1 B2 B3 turned down")
    expect(ann.locator(".melds")).to_contain_text("left: 15")
    ann.get_by_role("button", name="That is all").tap()
    asks(ann, "Bert’s 6 cards")
    key(ann, "bamboos 1")
    expect(ann.locator("#refusal")).to_contain_text("None left in the pack")


def test_rummy_four_taps_for_a_hand_of_four(table):
    ann, bert = table
    start_by_form(ann, "rummy-1926")
    join(bert, ann)
    for winner in FOUR:
        asks(ann, "Who ran out of cards?")
        key(ann, winner)
        for name in FOUR:
            if name != winner:
                asks(ann, f"{name}’s count?")
                key(ann, f"{name}: {10 + FOUR.index(name)}")
    expect(bert.get_by_role("heading", name="Ann wins.")).to_be_visible()
    shows_totals(bert, 30, 33, 36, 39)


def test_more_opens_tens_and_units(table):
    ann, _ = table
    start_by_form(ann, "rummy-1916", ("Ann", "Bert"))
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    press(ann, ann.locator("summary", has_text="More"))
    press(ann, ann.locator('.tens input[value="60"]'))
    ann.locator(".units .key", has_text="7").tap()
    shows_totals(ann, 0, 67)


def test_thumbs_up_with_blocks_amounts_and_the_last_to_notice(table):
    ann, bert = table
    start_by_form(ann, "thumbs-up", ("Ann", "Bert", "Cora"), stake=300, hands=2, chips="three")
    join(bert, ann)
    key(ann, "Bert")
    asks(ann, "Ann’s five blocks")
    ann.get_by_role("link", name="Just the amount").tap()
    key(ann, "Ann: 15")
    asks(ann, "What does Cora pay?")
    ann.get_by_role("link", name="By blocks").tap()
    for block in ("blue dot", "blue dash", "green dot", "red dash", "black v"):
        key(ann, block)
    asks(ann, "Who was the last to notice?")
    key(ann, "Ann was last and pays two chips, 10")
    shows_totals(bert, 275, 365, 260)
    expect(bert.locator(".kept")).to_contain_text("All chips 900, as at the start")
    bert.locator("#sheet a", has_text="−40").tap()
    expect(bert.locator("#why")).to_contain_text(
        "Cora was drawing to blue; green Dot 5, red Dash 10, black V 25."
    )
    expect(bert.locator("#why .leafquote").first).to_be_visible()
    bert.get_by_role("link", name="Close").tap()
    key(bert, "Cora")
    asks(bert, "Ann’s five blocks")
    bert.get_by_role("link", name="Just the amount").tap()
    asks(bert, "What does Ann pay?")
    key(bert, "Ann: 0")
    asks(bert, "What does Bert pay?")
    key(bert, "Bert: 125")
    asks(bert, "Who was the last to notice?")
    key(bert, "Nobody was last")
    expect(ann.get_by_role("heading", name="Cora wins.")).to_be_visible()
    shows_totals(ann, 275, 240, 385)


def test_thumbs_up_seventeen_taps_for_a_hand_of_four_by_blocks(table):
    ann, _ = table
    start(ann, "thumbs-up", stake=300)
    racks = {
        "Ann": ("blue dot", "blue dash", "green dot", "red dash", "black v"),
        "Cora": ("red dot", "red dot", "red v", "green dash", "blue liberty"),
        "Dan": ("green dot", "green v", "black dot", "black dash", "fifth dot"),
    }
    taps = ["Bert", *(block for blocks in racks.values() for block in blocks), "Nobody was last"]
    asked = ["Who showed Thumbs Up?", *(f"{name}’s five blocks" for name in racks for _ in range(5)), "last"]
    for question, tapped in zip(asked, taps, strict=True):
        asks(ann, question)
        key(ann, tapped)
    assert len(taps) == 17
    shows_totals(ann, 260, 395, 265, 280)


def test_the_price_of_every_block_is_under_it_before_the_fifth_is_tapped(table):
    ann, _ = table
    start(ann, "thumbs-up", ("Ann", "Bert"), stake=300)
    key(ann, "Bert")
    asks(ann, "Ann’s five blocks")
    for block in ("blue dot", "blue dash", "green dot", "red liberty"):
        key(ann, block)
    expect(ann.locator(".rack .block u")).to_have_text(["free", "free", "5", "25", ""])
    expect(ann.locator(".picker .block", has_text="red liberty")).to_contain_text("out")


def test_victor_or_victim_one_tap_to_draw_and_one_to_pass(table):
    ann, bert = table
    start_by_form(ann, "victor-or-victim", ("Ann", "Bert", "Cora"))
    join(bert, ann)
    for name, letters in (("Ann", "VIC"), ("Bert", "VIM"), ("Cora", "TOR")):
        asks(ann, f"{name}’s first three letters")
        for letter in letters:
            key(ann, f"red {letter}")
    for player, draw, passed in (
        ("Ann", "red T", "red V"),
        ("Bert", "red O", "red M"),
        ("Cora", "red V", "red V"),
        ("Ann", "red O", "red I"),
    ):
        asks(ann, f"{player} draws")
        key(ann, draw)
        asks(ann, f"{player} drew {draw}")
        key(ann, f"pass {passed}")
    asks(bert, "Bert draws")
    press(bert, bert.get_by_role("button", name="Change direction"))
    asks(ann, "Ann draws")
    expect(ann.locator(".status")).to_contain_text("Play goes right")
    key(ann, "blue I")
    asks(ann, "Ann drew blue I")
    key(ann, "pass blue I")
    asks(ann, "Cora draws")
    expect(bert.locator(".hand").first).to_contain_text("VCTO")


def test_victor_or_victim_to_the_end(table):
    ann, bert = table
    start(ann, "victor-or-victim", ("Ann", "Bert", "Cora"))
    join(bert, ann)
    for name, color, letters in (("Ann", "red", "VIC"), ("Bert", "blue", "VIM"), ("Cora", "blue", "TOR")):
        asks(ann, f"{name}’s first three letters")
        for letter in letters:
            key(ann, f"{color} {letter}")
    for last in ("red T", "red O"):
        for player, card in (("Ann", "yellow M"), ("Bert", "yellow T"), ("Cora", last)):
            asks(ann, f"{player} draws")
            key(ann, card)
            asks(ann, f"{player} drew {card}")
            key(ann, f"pass {card}")
    asks(bert, "Ann draws")
    key(bert, "red R")
    for phone in table:
        expect(phone.get_by_role("heading", name="Ann wins.")).to_be_visible()
