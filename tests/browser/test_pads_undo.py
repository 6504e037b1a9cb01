"""Undo on two phones: each takes back its own last tap, and sees which it is."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.pads import asks, join_hearing, key, pad, shows_totals, start, undo

RED = "Ann: red victory, 10"


@pytest.fixture
def phones(device):
    def sit(game, names=("Ann", "Bert", "Cora")):
        ann = start(device(phone=True), game, names)
        return ann, join_hearing(device(phone=True), ann)

    return sit


def test_undo_says_what_it_takes_back_and_a_neighbour_has_a_correction_instead(phones):
    ann, bert = phones("victory-rummy")
    key(ann, RED)
    expect(ann.get_by_role("button", name="Undo: Ann red victory")).to_be_visible()
    correct = bert.locator("#last").get_by_role("link", name="Correct Ann red victory")
    expect(correct).to_be_visible()
    expect(bert.locator("#last [data-undo]")).to_have_count(0)
    key(bert, "Bert: capture, 50")
    expect(ann.locator("#last").get_by_role("link", name="Correct Ann red victory")).to_be_visible()
    undo(bert)
    shows_totals(ann, 10, 0, 0)
    undo(ann)
    shows_totals(bert, 0, 0, 0)


@pytest.mark.thorough
def test_without_the_guard_a_neighbours_entry_is_erased(phones):
    """The control: what Undo sent before, from the other phone."""
    ann, bert = phones("victory-rummy")
    key(ann, RED)
    correct = bert.locator("#last a")
    entry = re.search("correct/([^/]+)/", correct.get_attribute("href"))[1]
    token = bert.locator("#tap [name=csrfmiddlewaretoken]").get_attribute("value")
    sent = {"csrfmiddlewaretoken": token, "enter": json.dumps({"type": "void", "of": entry})}
    assert bert.request.post(f"{pad(bert)}tap/", form=sent, headers={"Referer": bert.url}).ok
    shows_totals(ann, 0, 0, 0)


def test_two_phones_fill_a_rack_and_each_takes_back_its_own_block(phones):
    ann, bert = phones("thumbs-up")
    key(ann, "Ann")
    asks(ann, "Bert’s five blocks")
    asks(bert, "Bert’s five blocks")
    blocks = ".rack__row .block:not(.block--empty)"
    key(ann, "blue dot")
    expect(bert.locator(blocks)).to_have_count(1)
    key(bert, "red dash")
    expect(ann.locator(blocks)).to_have_count(2)
    undo(ann)
    expect(ann.locator(blocks)).to_have_count(1)
    expect(bert.locator(f"{blocks} .unseen")).to_contain_text(["red dash"])
    undo(bert)
    expect(ann.locator(blocks)).to_have_count(0)
    asks(ann, "Bert’s five blocks")


def test_a_stored_hand_opens_again_without_its_last_answer(phones):
    ann, bert = phones("rummy-1916")
    key(ann, "Ann")
    key(ann, "Bert: 7")
    key(ann, "Cora: 4")
    shows_totals(bert, 0, 7, 4)
    undo(ann)
    for page in (ann, bert):
        asks(page, "Cora’s count?")
    key(ann, "Cora: 5")
    for page in (ann, bert):
        shows_totals(page, 0, 7, 5)


def test_undo_without_a_script_opens_a_hand_again(device):
    plain = start(device(phone=True, java_script_enabled=False), "rummy-1916", ("Ann", "Bert"))
    plain.get_by_role("button", name="Ann", exact=True).tap()
    plain.get_by_role("button", name="Bert: 7", exact=True).tap()
    shows_totals(plain, 0, 7)
    plain.locator("#last button", has_text="Undo").tap()
    asks(plain, "Bert’s count?")
    plain.get_by_role("button", name="Bert: 8", exact=True).tap()
    shows_totals(plain, 0, 8)
