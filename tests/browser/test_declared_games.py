"""Declared games on two phones, by visible keys alone: the pad is drawn from what the declaration asks."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.declared.golden import pinned_sheet
from tests.browser.pads import (
    HeldAnswers,
    asks,
    join,
    key,
    links,
    opened_by_link,
    play_again,
    press,
    shows_totals,
    undo,
)
from tests.browser.pads import pad as address
from tests.browser.test_pads_offline import FULL, HAS_ROOM
from tests.engine.declarations import example

PICTURES = os.environ.get("PICTURES")


@pytest.fixture
def table(device):
    return device(phone=True), device(phone=True)


def begin(page, game, players, **options):
    """A pad of a declared game that no book here declares: its sheet brings the declaration."""
    sheet = {"tally": 1, "game": game, "players": players, "options": options, "entries": []}
    answer = page.request.post("/pads/import/", data=pinned_sheet(example(game), sheet))
    assert answer.status == 201, answer.text()
    made = answer.json()
    links[made["pad"].split("/")[2]] = made
    page.goto(made["keep"])
    return opened_by_link(page)


def typed(page, number):
    """Type a number on the keys of the pad."""
    for sign in number:
        key(page, {"+": "plus", "−": "minus", "⌫": "Delete the last digit"}.get(sign, sign))
    key(page, "Enter")


def picture(page, name):
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


def won(phones, words, *totals):
    for phone in phones:
        expect(phone.get_by_role("heading", name=words)).to_be_visible()
        shows_totals(phone, *totals)


def test_rook_with_typed_numbers_undo_and_a_sum(table):
    ann, bert = table
    begin(ann, "rook", ["Us", "Them"], target=200)
    join(bert, ann)
    asks(ann, "Which side had the bid?")
    key(ann, "Us")
    asks(ann, "How much was bid?")
    picture(ann, "rook-bid")
    typed(ann, "70")
    asks(bert, "How much did that side take?")
    typed(bert, "30+45+10")
    shows_totals(ann, 85, 35)
    undo(bert)
    asks(bert, "How much did that side take?")
    typed(bert, "83")
    expect(bert.locator("#refusal")).to_contain_text("multiple of 5")
    typed(bert, "⌫⌫85")
    shows_totals(ann, 85, 35)
    key(ann, "Them")
    typed(ann, "100")
    typed(ann, "95")
    shows_totals(bert, 110, -65)
    key(ann, "Us")
    typed(ann, "120")
    typed(ann, "120")
    won(table, "Us win.", 230, -65)
    picture(ann, "rook-end")


def test_hearts_is_entered_in_one_grid_on_two_phones(table):
    names = ["Ann", "Bert", "Cora", "Dan"]
    ann, bert = table
    begin(ann, "hearts", names, limit=26)
    join(bert, ann)
    for name, hearts in zip(names, (3, 0, 9, 0), strict=True):
        asks(ann, f"{name}: Hearts")
        picture(ann, "hearts")
        key(ann, f"{name}: {hearts}")
    asks(ann, "Anything else?")
    # The other phone sees the round, opens a cell of it and mends what was told wrong.
    expect(bert.locator(".round-grid tr").first).to_contain_text("12 in all")
    press(bert, bert.locator(".round-grid").get_by_role("link", name="Cora, Hearts"))
    asks(bert, "Cora: Hearts")
    key(bert, "Cora: 10")
    asks(bert, "Anything else?")
    picture(bert, "hearts-queen")
    key(bert, "Bert: The queen of spades")
    expect(ann.get_by_role("button", name="Bert, The queen of spades")).to_have_text("yes")
    key(ann, "Enter")
    shows_totals(bert, 3, 13, 10, 0)
    for name, hearts in zip(names, (0, 0, 13, 0), strict=True):
        key(bert, f"{name}: {hearts}")
        expect(bert.locator(".round-grid .is-pending")).to_have_count(0)
    asks(bert, "Anything else?")
    key(bert, "Cora, The queen of spades")
    key(bert, "Enter")
    won(table, "Cora wins.", 29, 39, 10, 26)


@pytest.mark.thorough
def test_500_rum_with_counts_of_any_size(table):
    ann, bert = table
    begin(ann, "rum-500", ["Ann", "Bert"], target=100)
    join(bert, ann)
    for name, laid, held in (("Ann", "40+35+30", "5"), ("Bert", "45", "120")):
        asks(ann, f"{name}: Laid down")
        picture(ann, "rum")
        typed(ann, laid)
        asks(ann, f"{name}: Left in hand")
        typed(ann, held)
    won(table, "Ann wins.", 100, -75)
    ann.goto(f"{address(ann)}history/")
    ann.get_by_role("link", name="Correct").first.tap()
    press(ann, ann.get_by_role("button", name="Bert, held: 120"))
    asks(ann, "Left in hand")
    typed(ann, "10+2")
    press(ann, ann.get_by_role("button", name="Store the correction"))
    shows_totals(bert, 100, 33)


@pytest.mark.thorough
def test_muggins_ends_in_the_middle_of_a_hand(table):
    ann, bert = table
    begin(ann, "muggins", ["Ann", "Bert"], target=50)
    join(bert, ann)
    key(ann, "The ends come to a multiple of five")
    key(ann, "Ann")
    picture(ann, "muggins")
    key(ann, "15")
    shows_totals(bert, 15, 0)
    key(bert, "Somebody is out, or nobody can play")
    key(bert, "Bert")
    typed(bert, "8")
    shows_totals(ann, 15, 10)
    key(ann, "The ends come to a multiple of five")
    key(ann, "Ann")
    key(ann, "35")
    won(table, "Ann wins.", 50, 10)


@pytest.mark.thorough
def test_pit_asks_who_is_left_with_the_bull_and_the_bear(table):
    ann, bert = table
    begin(ann, "pit", ["Ann", "Bert", "Cora"], target=300)
    join(bert, ann)
    for left in ("All nine, and the Bull?", "Who is left with the Bull? Bert"):
        asks(ann, "Who has the corner?")
        key(ann, "Ann")
        key(ann, "wheat")
        asks(ann, "Anything else?")
        picture(ann, "pit")
        key(ann, left)
        if left.startswith("All"):
            key(ann, "Who is left with the Bear? Cora")
        expect(ann.locator(".optional [aria-pressed=true]").first).to_be_visible()
        key(ann, "Enter")
    won(table, "Ann wins.", 300, -20, -20)


@pytest.mark.thorough
def test_cribbage_is_pegged_to_its_end(table):
    ann, bert = table
    begin(ann, "cribbage", ["Ann", "Bert"], target=61)
    join(bert, ann)
    key(ann, "A jack is turned up")
    key(ann, "Bert")
    key(ann, "Pegged in the play")
    key(ann, "Ann")
    key(ann, "pair royal")
    shows_totals(bert, 6, 2)
    for count in ("29", "26"):
        key(ann, "A hand or the crib is shown")
        key(ann, "Ann")
        picture(ann, "cribbage")
        if count == "29":
            press(ann, ann.get_by_role("link", name="Add up"))
            expect(ann.locator("[data-keypad]")).to_be_visible()
            typed(ann, "15+14")
        else:
            typed(ann, count)
    won(table, "Ann wins.", 61, 2)


def test_numbers_typed_without_an_answer_are_each_for_the_player_asked(table):
    ann, _ = table
    begin(ann, "muggins", ["Ann", "Ben", "Cora", "Dan"], target=100)
    key(ann, "Somebody is out, or nobody can play")
    key(ann, "Ann")
    asks(ann, "Ben: Pips")
    held = HeldAnswers(ann)
    for name, number in (("Ben", "12"), ("Cora", "30"), ("Dan", "7")):
        asks(ann, f"{name}: Pips")
        typed(ann, number)
    expect(ann.locator("#last")).to_contain_text("Dan: 7")
    held.release()
    expect(ann.locator("#last")).to_contain_text("Ben pips 12, Cora pips 30, Dan pips 7")
    shows_totals(ann, 50, 0, 0, 0)


def test_a_number_typed_before_its_question_is_not_taken_for_the_question_before(table):
    ann, _ = table
    begin(ann, "rum-500", ["Ann", "Bert"], target=500)
    asks(ann, "Ann: Laid down")
    held = HeldAnswers(ann)
    typed(ann, "40")
    typed(ann, "5")
    expect(ann.locator("#refusal")).to_contain_text("The next question is not here yet")
    held.release()
    asks(ann, "Ann: Left in hand")
    expect(ann.locator("[data-keypad]")).to_have_value("5")
    key(ann, "Enter")
    asks(ann, "Bert: Laid down")
    typed(ann, "20")
    typed(ann, "0")
    shows_totals(ann, 35, 20)


def test_a_number_typed_after_one_that_is_refused_answers_the_question_on_a_second_enter(table):
    ann, _ = table
    begin(ann, "rook", ["Us", "Them"], target=200)
    key(ann, "Us")
    typed(ann, "70")
    asks(ann, "How much did that side take?")
    held = HeldAnswers(ann)
    typed(ann, "83")
    key(ann, "9")
    held.wait()
    held.release()
    expect(ann.locator("#refusal")).to_contain_text("multiple of 5")
    # Nobody meant it for this question, until Enter is pressed again.
    typed(ann, "0")
    expect(ann.locator("#refusal")).to_contain_text("The number before was not taken")
    expect(ann.locator("[data-keypad]")).to_have_value("90")
    key(ann, "Enter")
    shows_totals(ann, 90, 30)


def test_a_number_taken_back_without_network_is_typed_anew(table):
    ann, _ = table
    begin(ann, "rook", ["Us", "Them"], target=200)
    key(ann, "Us")
    typed(ann, "70")
    asks(ann, "How much did that side take?")
    ann.context.set_offline(True)
    typed(ann, "80")
    key(ann, "1")
    undo(ann)
    expect(ann.locator("[data-keypad]")).to_have_value("")
    typed(ann, "85")
    ann.context.set_offline(False)
    shows_totals(ann, 85, 35)


def test_a_number_that_a_full_phone_could_not_keep_is_entered_again(table):
    ann, _ = table
    begin(ann, "rook", ["Us", "Them"], target=200)
    key(ann, "Us")
    typed(ann, "70")
    asks(ann, "How much did that side take?")
    ann.evaluate(FULL)
    typed(ann, "85")
    expect(ann.locator("#refusal")).to_contain_text("could not be kept on this phone")
    ann.evaluate(HAS_ROOM)
    key(ann, "Enter")
    shows_totals(ann, 85, 35)


def corner(page, player):
    """One hand of Pit: who has the corner, in wheat, and nothing else."""
    asks(page, "Who has the corner?")
    key(page, player)
    key(page, "wheat")
    asks(page, "Anything else?")
    key(page, "Enter")


@pytest.mark.thorough
def test_a_board_follows_a_declared_game_and_a_club_counts_it(table, device):
    ann, bert = table
    begin(ann, "pit", ["Ann", "Bert", "Cora"], target=200)
    join(bert, ann)
    television = join(device(viewport={"width": 1920, "height": 1080}), ann, "watch")
    television.get_by_role("link", name="Open the board").click()
    corner(bert, "Cora")
    expect(television.locator("#board output")).to_have_text(["0", "0", "100"])
    expect(television.locator(".board__last")).to_contain_text("Cora")
    picture(television, "pit-board")
    corner(ann, "Cora")
    expect(television.locator("#board output")).to_have_text(["0", "0", "200"])
    expect(television.locator("#board")).to_contain_text("won")
    play_again(ann)
    for _ in range(2):
        corner(ann, "Ann")
    ann.goto(f"{address(ann)}table/")
    ann.get_by_role("link", name="The evening", exact=True).tap()
    expect(ann.locator("main")).to_contain_text("Pit")
    ann.get_by_role("button", name="Make a club with this evening").tap()
    expect(ann.get_by_role("heading", level=1)).to_have_text("Ann, Bert and Cora")
    expect(ann.locator("figure.bars")).to_contain_text("50 % (1 of 2)")
    picture(ann, "pit-club")
