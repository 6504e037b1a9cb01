"""Corrections beyond one entry, on phones: a deal in four taps, something forgotten, what stands together."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.marks import thorough
from tests.browser.pads import asks, join_hearing, key, shows_totals, start

BELOW = re.compile(r"/pads/\w+/$")
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def phones(device):
    """Ann's deal, in which she went out, on two phones; it was Bert's."""
    ann = start(device(phone=True), "victory-rummy")
    bert = join_hearing(device(phone=True), ann)
    for label in ("Ann: red victory, 10", "Cora: blue victory, 10", "Ann: white victory, 10"):
        key(ann, label)
    key(ann, "Ann: 3 AXIS cards, 30")
    for phone in (ann, bert):
        shows_totals(phone, 50, 0, 10, 0)
    return ann, bert


class Finger:
    """A finger that counts its taps."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, found):
        self.taps += 1
        found.tap()

    def correct(self, number=0):
        self.tap(self.page.locator("#sheet [data-why]").nth(number))
        self.tap(self.page.get_by_role("link", name="Correct this"))
        expect(self.page.get_by_role("heading", name="Correct an entry")).to_be_visible()

    def store(self):
        self.tap(self.page.get_by_role("button", name="Store the correction"))
        self.page.wait_for_url(BELOW)


def test_a_whole_deal_is_moved_to_the_right_player_in_four_taps(phones):
    ann, bert = phones
    finger = Finger(ann)
    finger.correct()
    finger.tap(ann.locator("#whole").get_by_role("group", name="Give Ann’s part to").get_by_text("Bert"))
    expect(ann.locator(".foresee")).to_contain_text("Bert would have 50 instead of 0")
    finger.store()
    assert finger.taps == 4
    for phone in (ann, bert):
        shows_totals(phone, 0, 50, 10, 0)


@pytest.mark.thorough
def test_the_key_of_one_entry_offers_the_deal_it_belongs_to(phones):
    ann, bert = phones
    finger = Finger(ann)
    finger.correct()
    finger.tap(ann.get_by_role("button", name="Bert: red victory, 10", exact=True))
    expect(ann.locator(".foresee")).to_contain_text("That change alone is not possible")
    expect(ann.locator(".foresee")).to_contain_text("Ann out, 3 AXIS cards becomes Bert out, 3 AXIS cards")
    finger.store()
    assert finger.taps == 4
    for phone in (ann, bert):
        shows_totals(phone, 0, 50, 10, 0)


def test_a_forgotten_victory_that_put_a_player_out_is_added_with_its_count(device):
    ann = start(device(phone=True), "victory-rummy")
    bert = join_hearing(device(phone=True), ann)
    key(ann, "Ann: red victory, 10")
    shows_totals(ann, 10, 0, 0, 0)
    key(ann, "Bert: blue victory, 10")
    shows_totals(bert, 10, 10, 0, 0)
    finger = Finger(ann)
    finger.correct()
    loads = []
    ann.on("framenavigated", lambda frame: loads.append(frame.url))
    finger.tap(ann.get_by_role("button", name="After this entry"))
    expect(ann.locator(".correctpage")).to_contain_text("Something was forgotten after this")
    finger.tap(ann.get_by_role("button", name="Ann: white victory, 10", exact=True))
    expect(ann.get_by_role("heading", name="Ann is out. How many AXIS cards?")).to_be_visible()
    finger.tap(ann.get_by_role("button", name="Ann: 2 AXIS cards, 20", exact=True))
    expect(ann.locator(".foresee")).to_contain_text("Ann would have 40 instead of 10")
    assert loads == []
    finger.store()
    for phone in (ann, bert):
        shows_totals(phone, 40, 10, 0, 0)
    ann.locator("#last button", has_text="Undo").tap()
    for phone in (ann, bert):
        shows_totals(phone, 10, 10, 0, 0)


def test_a_number_opens_its_own_players_blocks(device):
    ann = start(device(phone=True), "thumbs-up", ("Ann", "Bert", "Cora"), stake=300)
    key(ann, "Ann")
    for name in ("Bert", "Cora"):
        asks(ann, f"{name}’s five blocks")
        for block in ("blue dot", "blue dash", "green dot", "red dash", "black v"):
            key(ann, block)
    asks(ann, "Who was the last to notice?")
    key(ann, "Nobody was last")
    expect(ann.locator("#sheet [data-why]")).to_have_count(4)
    numbers = ann.locator("#sheet [data-why]")
    numbers.nth(3).tap()
    ann.get_by_role("link", name="Correct this").tap()
    expect(ann.locator(".rack h2")).to_have_text("Cora’s five blocks")


@pytest.mark.parametrize("theme", ["light", thorough("dark")])
def test_every_state_fits_a_narrow_phone_and_is_accessible(device, axe, theme):
    ann = device(phone=True, viewport={"width": 360, "height": 640}, color_scheme=theme)
    start(ann, "victory-rummy", ("Wilhelmina-Josephine", "Bartholomew the Second", "Cora", "Dan"))
    for label in ("red victory, 10", "white victory, 10", "3 AXIS cards, 30"):
        key(ann, f"Wilhelmina-Josephine: {label}")
    shows_totals(ann, 50, 0, 0, 0)
    Finger(ann).correct()
    for words in (None, "Strike out all of deal 1", "Cora", "After this entry", "Cora: capture, 50"):
        if words:
            ann.get_by_role("button", name=words, exact=True).first.tap()
            expect(ann.locator(".is-pending")).to_have_count(0)
        assert ann.evaluate(SIDEWAYS) <= 0, words
        assert axe(ann) == [], words
