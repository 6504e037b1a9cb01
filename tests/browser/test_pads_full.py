"""A server without room: the phone says so, keeps the tap and sends it again by itself."""

import re

from playwright.sync_api import expect

from tests.browser.pads import key, shows_totals, start

TAP = re.compile("/tap/$")


def test_a_tap_waits_on_the_phone_until_the_server_has_room(device):
    ann = start(device(phone=True), "victory-rummy")
    ann.context.route(TAP, lambda route: route.fulfill(status=507, json={"error": {"code": "disk-full"}}))
    key(ann, "Ann: red victory, 10")
    expect(ann.get_by_text("The server has no room left: kept on this phone")).to_be_visible()
    ann.context.unroute(TAP)
    shows_totals(ann, 10, 0, 0, 0)
    expect(ann.get_by_text("The server has no room left: kept on this phone")).to_be_hidden()
    expect(ann.locator("#waiting")).to_be_hidden()
