"""Two phones record the same thing: the second is asked, and nothing is counted twice or lost."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.pads import (
    TAP,
    HeldAnswers,
    asks,
    join_hearing,
    key,
    pad,
    press,
    shows_totals,
    start,
    undo,
)

RED = "Ann: red victory, 10"
THINKS = "() => { const now = Date.now; Date.now = () => now() + 30_000; }"
"""Half a minute passes before somebody answers."""


@pytest.fixture
def phones(device):
    ann = start(device(phone=True), "victory-rummy")
    return ann, join_hearing(device(phone=True), ann)


def question(page):
    return page.locator("#asked")


def answer(page, words):
    press(page, question(page).get_by_role("button", name=words))


def both_tap(ann, bert, one=RED, other=RED):
    """Both look at the same pad and tap; the second does not know of the first yet."""
    bert.context.set_offline(True)
    key(ann, one)
    key(bert, other)
    bert.context.set_offline(False)


def test_the_same_victory_on_two_phones_is_asked_about_and_counts_once(phones):
    ann, bert = phones
    both_tap(ann, bert)
    expect(question(bert)).to_contain_text("Another phone entered “Ann, red victory”")
    expect(question(bert)).to_contain_text("Was that the same one?")
    shows_totals(bert, 10, 0, 0, 0)
    answer(bert, "The same")
    expect(question(bert)).to_be_hidden()
    for page in phones:
        shows_totals(page, 10, 0, 0, 0)
    expect(bert.locator("#waiting")).to_be_hidden()


def test_another_one_is_stored_once_even_if_its_answer_is_lost(phones):
    ann, bert = phones
    both_tap(ann, bert)
    expect(question(bert)).to_be_visible()
    bert.evaluate(THINKS)
    lost = []

    def lose(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    bert.context.route(TAP, lose)
    answer(bert, "Another one")
    for page in phones:
        shows_totals(page, 20, 0, 0, 0)
    bert.wait_for_timeout(2500)  # it was sent again meanwhile
    assert lost
    shows_totals(bert, 20, 0, 0, 0)


@pytest.mark.thorough
def test_a_question_survives_a_reload_of_the_page(phones):
    ann, bert = phones
    both_tap(ann, bert)
    expect(question(bert)).to_be_visible()
    bert.reload()
    expect(question(bert)).to_contain_text("Was that the same one?")
    answer(bert, "The same")
    expect(question(bert)).to_be_hidden()
    shows_totals(ann, 10, 0, 0, 0)


@pytest.mark.thorough
def test_without_the_guard_it_counts_twice(phones):
    """The control: the same entry at the address of programs, which are not asked."""
    ann, bert = phones
    key(ann, RED)
    shows_totals(bert, 10, 0, 0, 0)
    token = bert.locator("#tap [name=csrfmiddlewaretoken]").get_attribute("value")
    entry = {"id": "raw", "type": "victory", "player": "Ann", "color": "red"}
    sent = bert.request.post(
        f"{pad(bert)}entries/",
        data=json.dumps({"entries": [entry]}),
        headers={"Content-Type": "application/json", "X-CSRFToken": token, "Referer": bert.url},
    )
    assert sent.ok
    shows_totals(ann, 20, 0, 0, 0)


def test_two_counts_for_one_player_are_asked_about(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    bert = join_hearing(device(phone=True), ann)
    key(ann, "Ann")
    asks(bert, "Bert’s count?")
    late = HeldAnswers(bert, re.compile("/fragment/"))
    key(ann, "Bert: 7")
    late.wait()
    key(bert, "Bert: 9")
    expect(question(bert)).to_contain_text("said 7 for Bert")
    late.release()
    answer(bert, "Change to 9")
    expect(question(bert)).to_be_hidden()
    key(ann, "Cora: 4")
    shows_totals(ann, 0, 9, 4)
    shows_totals(bert, 0, 9, 4)


def test_two_axis_counts_are_asked_about(phones):
    ann, bert = phones
    for color in ("red", "white"):
        key(ann, f"Ann: {color} victory, 10")
    asks(bert, "How many AXIS cards?")
    both_tap(ann, bert, "Ann: 2 AXIS cards, 20", "Ann: 3 AXIS cards, 30")
    expect(question(bert)).to_contain_text("You said “Ann, out, 3 AXIS cards”")
    before = int(ann.locator(".seat__total").first.inner_text())
    answer(bert, "Change to mine")
    shows_totals(ann, before + 10, 0, 0, 0)
    shows_totals(bert, before + 10, 0, 0, 0)


def test_a_change_that_is_undone_before_its_answer_leaves_what_the_other_phone_said(phones):
    ann, bert = phones
    for color in ("red", "white"):
        key(ann, f"Ann: {color} victory, 10")
    asks(bert, "How many AXIS cards?")
    both_tap(ann, bert, "Ann: 2 AXIS cards, 20", "Ann: 3 AXIS cards, 30")
    expect(question(bert)).to_be_visible()
    before = int(ann.locator(".seat__total").first.inner_text())
    late = HeldAnswers(bert)
    answer(bert, "Change to mine")
    late.wait()
    expect(bert.locator("#last")).to_contain_text("No answer yet")
    undo(bert)
    late.release()
    expect(bert.locator("#waiting")).to_be_hidden()
    for page in phones:
        shows_totals(page, before, 0, 0, 0)


def test_the_question_has_no_faults_that_axe_finds(phones, axe):
    ann, bert = phones
    both_tap(ann, bert)
    expect(question(bert)).to_be_visible()
    assert axe(bert) == []
