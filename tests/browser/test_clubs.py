"""Evenings and clubs on a phone: taps are counted, axe looks at every page by day and by night."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import COLOURS
from tests.browser.pads import link, pad, start

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def looks_well(page, axe):
    """Axe finds nothing by day or night, and nothing is wider than the phone."""
    found = []
    for theme, rules in (("dark", None), ("light", COLOURS)):
        page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {fault}" for fault in axe(page, rules)]
    assert found == []
    assert page.evaluate(WIDER) <= 0


def test_an_evening_of_two_games_becomes_a_club_that_a_friend_watches(phone, device, axe):
    start(phone, "rummy-1916", ("Ann", "Bert"))
    code = phone.url.split("/")[4]
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 9}}}
    token = link(phone, "play").rsplit("/", 1)[-1]
    entered = phone.request.post(
        f"/pads/{code}/entries/",
        data={"entries": [{"id": f"h{number}", **hand} for number in (1, 2)]},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert [one["status"] for one in entered.json()["results"]] == ["stored", "stored"]
    phone.reload()
    # Same people, another game: two taps.
    phone.locator("#keys").get_by_role("link", name="Same people, another game").tap()
    phone.get_by_role("button", name="Victory Rummy").tap()
    phone.wait_for_selector("#pad")
    assert not phone.url.endswith(f"/{code}/")
    expect(phone.locator("#status h1")).to_have_text("Victory Rummy")
    phone.goto(f"{pad(phone)}table/")
    phone.get_by_role("link", name="The evening", exact=True).tap()
    expect(phone.get_by_role("heading", name="The evening")).to_be_visible()
    expect(phone.locator("time[data-local]").first).not_to_contain_text("UTC")
    looks_well(phone, axe)
    shared = phone.locator("#link-evening").input_value()
    # One tap makes the club.
    phone.get_by_role("button", name="Make a club with this evening").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Ann and Bert")
    expect(phone.locator("figure.bars")).to_contain_text("100 % (1 of 1)")
    looks_well(phone, axe)
    phone.get_by_role("link", name="Links, names and pads").tap()
    looks_well(phone, axe)
    watch = phone.locator("#link-watch").input_value()
    friend = device(phone=True, java_script_enabled=False)
    friend.goto(watch)
    friend.get_by_role("link", name=re.compile("^1 games won by Ann")).tap()
    looks_plain(friend)
    friend.get_by_role("link", name=re.compile("^Open")).tap()
    expect(friend.locator("main")).to_contain_text("Ann")
    friend.goto(f"/pads/{code}/table/")
    expect(friend.locator("main")).to_contain_text("You watch this pad by the link of its club")
    guest = device(phone=True)
    guest.goto(shared)
    expect(guest.get_by_role("heading", name="The evening")).to_be_visible()
    guest.get_by_role("link", name="Victory Rummy").tap()
    expect(guest.locator("#keys")).to_contain_text("You are watching")
    # It leaves, and the friend sees nothing of it.
    phone.goto(f"/pads/{code}/table/")
    phone.get_by_role("button", name="Leave Ann and Bert").tap()
    expect(phone.get_by_role("button", name="Make a club")).to_be_visible()
    friend.goto(f"/pads/{code}/")
    expect(friend.get_by_role("heading", level=1)).to_have_text("No pad is open here")
    phone.goto("/pads/known/")
    looks_well(phone, axe)


def looks_plain(page):
    """Without a script: times are those of UTC, and everything is there."""
    expect(page.locator("time[data-local]").first).to_contain_text("UTC")
