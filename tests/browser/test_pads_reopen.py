"""Any answer of the entry being made can be opened again, on any phone, and the others stay."""

import pytest
from playwright.sync_api import expect

from tests.browser.pads import asks, join_hearing, key, press, shows_totals, start


def reopen(page, words):
    press(page, page.get_by_role("navigation", name="Answers so far").get_by_role("link", name=words))


@pytest.fixture
def hand(device):
    """A hand of Thumbs Up at its last question, on two phones."""
    ann = start(device(phone=True), "thumbs-up", ("Ann", "Bert", "Cora"))
    bert = join_hearing(device(phone=True), ann)
    key(ann, "Ann")
    press(ann, ann.get_by_role("link", name="Just the amount"))
    key(ann, "Bert: 25")
    key(ann, "Cora: 10")
    for page in (ann, bert):
        asks(page, "Who was the last to notice?")
    # A drawing that is still on its way could move the answers under the finger.
    drafted = ann.locator("#pad").get_attribute("data-drafted")
    expect(bert.locator("#pad")).to_have_attribute("data-drafted", drafted)
    return ann, bert


def test_an_amount_is_opened_again_at_the_last_question(hand):
    ann, bert = hand
    reopen(bert, "Bert 25")
    asks(bert, "What does Bert pay?")
    key(bert, "Bert: 30")
    for page in hand:
        asks(page, "Who was the last to notice?")
        expect(page.get_by_role("link", name="Cora 10")).to_be_visible()
        expect(page.get_by_role("link", name="Bert 30")).to_be_visible()
    key(ann, "Nobody was last")
    for page in hand:
        expect(page.locator(".stack output").first).to_have_text("40")


def test_the_winner_is_opened_again_and_only_his_own_share_goes(hand):
    ann, bert = hand
    reopen(ann, "Winner Ann")
    asks(ann, "Who showed Thumbs Up?")
    key(ann, "Bert")
    asks(ann, "Ann")
    key(ann, "Ann: 5")
    asks(bert, "Who was the last to notice?")
    expect(bert.get_by_role("link", name="Cora 10")).to_be_visible()


@pytest.mark.thorough
def test_who_rapped_is_opened_again_while_hands_are_counted(device):
    ann = start(device(phone=True), "rap-rummy", ("Ann", "Bert"))
    key(ann, "Ann")
    key(ann, "Ann: 4")
    reopen(ann, "Rapper Ann")
    asks(ann, "Who rapped?")
    key(ann, "Bert")
    asks(ann, "Bert’s count?")
    key(ann, "Bert: 12")
    shows_totals(ann, 12, 0)


@pytest.mark.thorough
def test_without_it_the_last_question_could_only_be_answered(hand):
    """The control: with the row hidden, no other answer can be reached from this question."""
    ann, _ = hand
    ann.locator(".answers").evaluate("(row) => row.remove()")
    expect(ann.locator("#pad [data-at]")).to_have_count(0)


@pytest.mark.thorough
def test_the_row_makes_the_pad_no_wider(hand):
    for page in hand:
        assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_row_has_no_faults_that_axe_finds(hand, axe):
    assert axe(hand[0]) == []
