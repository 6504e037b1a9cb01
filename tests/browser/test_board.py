"""A board that nobody touches, the history beside the keys, and what is felt and heard."""

import json
import re

from playwright.sync_api import expect

from tests.browser.conftest import COLOURS
from tests.browser.pads import EVENTS, join, key, pad, shows_totals, start, until

TELEVISION = {"width": 1920, "height": 1080}
BOARD = re.compile("/board/$")
# What the device is asked to do is written down; it has neither a screen to keep awake nor a motor.
NOTED = """
  window.noted = [];
  navigator.vibrate = (pattern) => noted.push(`trembles ${pattern}`);
  Object.defineProperty(navigator, "wakeLock", { value: { request: async (what) => noted.push(what) } });
  const tone = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    noted.push(`sounds ${this.frequency.value}`);
    return tone.apply(this, when);
  };
"""
# Words on a board that are too small to be read from three metres; pad-board.css tells why 2.8%.
TOO_SMALL = """() => [...document.querySelectorAll("#board *")]
  .filter((one) => one.checkVisibility() && !one.closest("svg"))
  .filter((one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 0.0279 * innerWidth)
  .map((one) => one.textContent)"""


def test_a_board_follows_the_table_by_itself(device, axe):
    ann = start(device(), "thumbs-up", ("Ann", "Bert", "Cora"), stake=300)
    expect(ann.locator("#beside")).to_contain_text("Nothing has been entered yet.")
    ann.get_by_role("button", name="Sound").click()
    expect(ann.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    television = join(device(viewport=TELEVISION), ann, "watch")
    television.add_init_script(NOTED)
    television.context.route(EVENTS, lambda route: route.abort())
    television.get_by_role("link", name="Open the board").click()
    expect(television.locator("#board output")).to_have_text(["300", "300", "300"])
    until(television, lambda: television.evaluate("noted.includes('screen')"))

    enter(ann, {"Ann": 15, "Cora": 40})
    expect(ann.locator("#beside")).to_contain_text("Bert")
    expect(ann.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    # It has no stream, and asks.
    expect(television.locator("#board output")).to_have_text(["285", "355", "260"])
    expect(television.locator(".board__last")).to_contain_text("Ann pays 15")
    expect(television.locator(".board__race polyline")).to_have_count(3)
    assert television.evaluate(TOO_SMALL) == []
    for theme, rules in (("dark", None), ("light", COLOURS)):
        television.emulate_media(color_scheme=theme)
        assert axe(television, rules) == []

    television.context.route(BOARD, lambda route: route.abort())
    expect(television.locator("#net")).to_have_text("No connection. Trying again.")
    enter(ann, {"Ann": 5, "Cora": 5})
    television.context.unroute(BOARD)
    television.context.unroute(EVENTS)
    expect(television.locator("#board output")).to_have_text(["280", "365", "255"])
    expect(television.locator("#net")).to_have_text("")


def enter(page, paid):
    """A hand that Bert has won, from the page itself, so that its cookie and its token are sent."""
    losers = {name: {"points": points} for name, points in paid.items()}
    entries = json.dumps([{"type": "hand", "winner": "Bert", "losers": losers}])
    form = {
        "csrfmiddlewaretoken": page.get_attribute("#tap [name=csrfmiddlewaretoken]", "value"),
        "enter": "",
    }
    answer = page.request.post(pad(page) + "tap/", form={**form, "enter": entries[1:-1]})
    assert answer.ok, answer.text()


def test_entries_are_felt_and_heard_where_the_phone_wants_it(device):
    ann = start(device(phone=True), "victory-rummy", ("Ann", "Bert"), target=60)
    bert = join(device(phone=True, reduced_motion="reduce"), ann)
    for phone in (ann, bert):
        phone.add_init_script(NOTED)
    bert.goto(pad(bert) + "table/")
    bert.get_by_role("button", name="Sound on this phone").tap()
    expect(bert.get_by_role("button", name="Sound on this phone")).to_have_attribute("aria-pressed", "true")
    assert bert.evaluate("noted") == ["sounds 660"]
    ann.reload()
    bert.goto(pad(bert))
    key(ann, "Ann: capture, 50")
    shows_totals(bert, 50, 0)
    assert noted(ann, 1) == ["trembles 12"]
    assert noted(bert, 2) == ["sounds 440", "sounds 550"]
    key(bert, "Ann: red victory, 10")
    expect(ann.get_by_role("heading", name="Ann wins.")).to_be_visible()
    assert noted(ann, 2)[1:] == ["trembles 60,60,60,60,180"]
    assert noted(bert, 6)[2:] == [f"sounds {hertz}" for hertz in (523, 659, 784, 1047)]


def noted(page, number):
    """What the phone was asked to do, without its screen, once there is so much of it."""

    def felt():
        return [what for what in page.evaluate("noted") if what != "screen"]

    until(page, lambda: len(felt()) >= number)
    return felt()
