"""Axe on every state of the pads, with the most seats each game allows, by day and by night."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import COLOURS
from tests.browser.pads import asks, join, key, pad, press, start

SIX = ("Ann", "Bert", "Cora", "Dan", "Emil", "Frieda")


@pytest.fixture
def axe(axe):
    def run(page):
        found = []
        for theme, rules in (("dark", None), ("light", COLOURS)):
            page.emulate_media(color_scheme=theme)
            found += [f"{theme}: {fault}" for fault in axe(page, rules)]
        return found

    return run


def test_starting(phone, axe):
    phone.goto("/pads/new/")
    assert axe(phone) == []
    phone.goto("/pads/new/?game=thumbs-up")
    phone.get_by_text("Readings and options").tap()
    assert axe(phone) == []


def test_victory_rummy(phone, axe):
    start(phone, "victory-rummy", target=60)
    assert axe(phone) == []
    key(phone, "Ann: capture, 50")
    expect(phone.locator(".seat__total").first).to_have_text("50")
    phone.locator("#sheet [data-why]").tap()
    expect(phone.locator("#why .leafquote").first).to_be_visible()
    assert axe(phone) == []
    phone.get_by_role("link", name="Correct this").tap()
    key(phone, "Ann: red victory, 10")
    expect(phone.locator(".foresee")).to_be_visible()
    assert axe(phone) == []
    phone.goto(pad(phone))
    key(phone, "Ann: red victory, 10")
    expect(phone.get_by_role("heading", name="Ann wins.")).to_be_visible()
    assert axe(phone) == []
    for place in ("table/", "history/", "after/", "print/"):
        phone.goto(pad(phone) + place)
        assert axe(phone) == [], place


@pytest.mark.thorough
def test_axis_count(phone, axe):
    start(phone, "victory-rummy")
    key(phone, "Ann: red victory, 10")
    expect(phone.locator(".seat__total").first).to_have_text("10")
    key(phone, "Ann: capture, 50")
    asks(phone, "Ann is out")
    assert axe(phone) == []


@pytest.mark.thorough
def test_rap_rummy_with_six(phone, axe):
    start(phone, "rap-rummy", SIX)
    assert axe(phone) == []
    key(phone, "Ann")
    asks(phone, "Ann’s count?")
    assert axe(phone) == []
    press(phone, phone.get_by_role("link", name="By cards"))
    asks(phone, "Ann’s 6 cards")
    assert axe(phone) == []


def test_thumbs_up_with_eight(phone, axe):
    start(phone, "thumbs-up", (*SIX, "Gus", "Hanna"), stake=300, sets=2)
    expect(phone.locator(".stack")).to_have_count(8)
    key(phone, "Bert")
    asks(phone, "Ann’s five blocks")
    for empty, block in ((4, "blue dot"), (3, "green dot"), (2, "red liberty")):
        key(phone, block)
        expect(phone.locator(".rack .block--empty")).to_have_count(empty)
    assert axe(phone) == []


@pytest.mark.thorough
def test_correcting_a_hand(phone, axe):
    start(phone, "rummy-1916", ("Ann", "Bert"))
    key(phone, "Ann")
    asks(phone, "Bert’s count?")
    key(phone, "Bert: 7")
    phone.locator("#sheet [data-why]").tap()
    phone.get_by_role("link", name="Correct this").tap()
    phone.get_by_role("button", name="Bert: 7", exact=True).first.tap()
    asks(phone, "Bert’s count?")
    assert axe(phone) == []


@pytest.mark.thorough
def test_victor_or_victim_with_six(phone, axe):
    start(phone, "victor-or-victim", SIX)
    asks(phone, "Ann’s first three letters")
    assert axe(phone) == []
    for name in SIX:
        asks(phone, f"{name}’s first three letters")
        for letter in ("red V", "blue I", "yellow M"):
            key(phone, letter)
    asks(phone, "Ann draws")
    assert axe(phone) == []
    key(phone, "red C")
    asks(phone, "Ann drew red C")
    assert axe(phone) == []


def test_watching_and_joining(phone, device, axe):
    keeper = start(device(phone=True), "rummy-1926", SIX)
    join(phone, keeper, "watch")
    assert axe(phone) == []
    phone.goto("/join/")
    assert axe(phone) == []
