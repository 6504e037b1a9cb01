"""Game codes as a camera sees them: read from the screen of one phone, opened on another."""

import io

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.pads import pad, start


def test_a_game_goes_from_screen_to_screen(device, axe):
    ann = start(device(phone=True), "victory-rummy", ("Ann", "Bert"))
    ann.goto(pad(ann) + "code/")
    assert axe(ann) == []
    assert ann.evaluate("document.documentElement.scrollWidth") <= 360
    drawn = Image.open(io.BytesIO(ann.locator(".gamecode svg").screenshot()))
    (code,) = zxingcpp.read_barcodes(drawn)
    assert code.text == code.text.upper()
    bert = device(phone=True)
    # A browser lowers the name of the site; what follows is the site's own to read.
    bert.goto("/Q/" + code.text.partition("/Q/")[2])
    expect(bert.get_by_role("heading", name="Victory Rummy, from a code")).to_be_visible()
    assert axe(bert) == []
    bert.get_by_role("button", name="Open as a pad").tap()
    expect(bert.locator("#pad")).to_be_visible()
    assert pad(bert) != pad(ann)
