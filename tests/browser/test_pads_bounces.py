"""A finger that bounces is one tap; without the guard it is two, as the controls show."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.marks import thorough
from tests.browser.pads import asks, join_hearing, key, shows_totals, start, touch

GUARD = re.compile(r"/bounces[^/]*\.js")
RED = "Ann: red victory, 10"
SETTLED_MILLISECONDS = 700
NOTE_WHEN_ASKED = """words => {
  const heads = () => [...document.querySelectorAll("#keys h2, #sheet h2")];
  const asks = () => heads().some(one => one.textContent.replace(/\\s+/g, " ").includes(words));
  new MutationObserver(() => { if (asks()) window.cameUp ??= Date.now(); })
    .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def tap_twice(page, label, milliseconds):
    """Two taps of one finger at the same place, this long apart; the second meets what is there by then."""
    found = page.locator("#pad").get_by_role("button", name=label, exact=True)
    found.wait_for()
    page.locator("#pad:not([data-deaf])").wait_for()
    box = found.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    touch(page.context.new_cdp_session(page), middle, (0, milliseconds / 1000))
    page.wait_for_timeout(SETTLED_MILLISECONDS)


def tap_as_it_changes(page, label, asked):
    """Two taps of one finger at the same place: the second 150 ms after this question has come up there,
    by the clock of the finger, however late the answer was."""
    found = page.locator("#pad").get_by_role("button", name=label, exact=True)
    found.wait_for()
    page.locator("#pad:not([data-deaf])").wait_for()
    box = found.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    fingers = page.context.new_cdp_session(page)
    page.evaluate(NOTE_WHEN_ASKED, asked)
    touch(fingers, middle, (0,))
    asks(page, asked)
    touch(fingers, middle, (page.evaluate("window.cameUp") / 1000 + 0.15 - time.time(),))
    page.wait_for_timeout(SETTLED_MILLISECONDS)


@pytest.fixture(params=["guarded", "unguarded"])
def phone(request, device):
    """A phone as it is, and for the control one whose pad has no guard against bounces."""
    page = device(phone=True, service_workers="block")
    page.guarded = request.param == "guarded"
    if not page.guarded:
        script = "export const listen = () => {};"
        page.context.route(GUARD, lambda route: route.fulfill(body=script, content_type="text/javascript"))
    return page


@pytest.mark.parametrize("milliseconds", [11, thorough(120), thorough(400)])
def test_a_double_tap_on_a_key_that_stores_counts_once(phone, device, milliseconds):
    start(phone, "victory-rummy")
    other = join_hearing(device(phone=True), phone)
    tap_twice(phone, RED, milliseconds)
    for page in (phone, other):
        shows_totals(page, 10 if phone.guarded else 20, 0, 0, 0)


def test_a_double_tap_on_a_count_does_not_answer_for_the_next_player(phone):
    start(phone, "rummy-1916", ("Ann", "Bert", "Cora"))
    key(phone, "Ann")
    asks(phone, "Bert’s count?")
    tap_twice(phone, "Bert: 7", 120)
    if phone.guarded:
        asks(phone, "Cora’s count?")
    else:
        shows_totals(phone, 0, 7, 7)


def test_two_taps_that_are_meant_count_twice(device):
    ann = start(device(phone=True), "victory-rummy")
    tap_twice(ann, RED, 620)
    shows_totals(ann, 20, 0, 0, 0)


def test_two_keys_in_quick_succession_both_count(device):
    ann = start(device(phone=True), "victory-rummy")
    ann.get_by_role("button", name="Ann: red victory, 10").tap()
    ann.wait_for_timeout(100)
    ann.get_by_role("button", name="Bert: capture, 50").tap()
    shows_totals(ann, 10, 50, 0, 0)


@pytest.mark.parametrize(("milliseconds", "blocks"), [(40, 1), (110, 2)])
def test_keys_that_collect_take_every_tap_of_a_quick_thumb(device, milliseconds, blocks):
    ann = start(device(phone=True), "thumbs-up", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Bert’s five blocks")
    tap_twice(ann, "blue dot", milliseconds)
    expect(ann.locator(".rack__row .block:not(.block--empty)")).to_have_count(blocks)


def test_a_panel_that_appears_under_a_finger_ignores_it(phone):
    """The fifth block brings up the next player's rack: the finger is still there."""
    start(phone, "thumbs-up", ("Ann", "Bert", "Cora"))
    key(phone, "Ann")
    asks(phone, "Bert’s five blocks")
    for color in ("blue", "green", "red", "black"):
        key(phone, f"{color} dash")
    expect(phone.locator(".rack__row .block:not(.block--empty)")).to_have_count(4)
    tap_as_it_changes(phone, "red dot", "Cora’s five blocks")
    there = 0 if phone.guarded else 1
    expect(phone.locator(".rack__row .block:not(.block--empty)")).to_have_count(there)


def test_a_key_pressed_twice_by_keyboard_counts_once(phone):
    start(phone, "victory-rummy")
    phone.get_by_role("button", name=RED).focus()
    phone.keyboard.press("Enter")
    phone.keyboard.press("Enter")
    phone.wait_for_timeout(SETTLED_MILLISECONDS)
    shows_totals(phone, 10 if phone.guarded else 20, 0, 0, 0)


def test_without_a_script_a_form_sent_twice_counts_once(device):
    ann = start(device(phone=True, java_script_enabled=False), "victory-rummy")
    fields = {
        "csrfmiddlewaretoken": ann.locator("#tap [name=csrfmiddlewaretoken]").get_attribute("value"),
        "tap": ann.locator("#tap [name=tap]").get_attribute("value"),
        "enter": '{"type": "victory", "player": "Ann", "color": "red"}',
    }
    for _ in range(2):
        assert ann.request.post(f"{ann.url}tap/", form=fields, headers={"Referer": ann.url}).ok
    ann.reload()
    shows_totals(ann, 10, 0, 0, 0)
    assert ann.request.post(f"{ann.url}tap/", form={**fields, "tap": "another"}).ok
    ann.reload()
    shows_totals(ann, 20, 0, 0, 0)
