"""Pads without network: taken along, played while the site is stopped, found again, moved to the site."""

import _imp
import importlib.util
import json
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser import kits
from tests.browser.kits import HERE, PATIENCE, SHARED, begin, enter, fill, has, until
from tests.browser.site import ROOT

pytestmark = pytest.mark.thorough
OURS = ("engine/", "scorepad/", "phone/", "ratelimit/", "lab/", "config/")
OLDER = "0.9"
# A mistake of yesterday, which the hand of the self-check does not show: for the first seat a VICTORY was 15.
YESTERDAY = (
    ("engine/__init__.py", '__version__ = "1.0"', f'__version__ = "{OLDER}"'),
    ("engine/games/victory_rummy.py", "Award(seat, 10, letter", "Award(seat, 10 if seat else 15, letter"),
)


@pytest.fixture
def phone(kit_phone):
    kits.take_along(kit_phone)
    return kit_phone


def test_a_game_is_played_with_the_site_stopped_and_then_moved_there(kit_site, phone):
    phone.goto("/pads/new/?game=victory-rummy")
    fill(phone)
    kit_site.stop()
    phone.context.set_offline(True)
    # The site does not hear of it: the same form, with the names in it, now on the phone.
    phone.get_by_role("button", name="Go", exact=True).click()
    phone.wait_for_url("**/pads/here-new/**")
    expect(phone.locator("input[name=name]").nth(2)).to_have_value("Cy", timeout=PATIENCE)
    phone.get_by_role("button", name="Go", exact=True).click()
    phone.wait_for_url(HERE)
    expect(phone.get_by_text("Only on this phone")).to_be_visible()
    enter(phone, 0, 1)
    sees_the_page(phone)
    phone.reload()
    has(phone, 1)
    other = phone.context.new_page()
    other.goto(phone.url)
    has(other, 1)
    enter(other, 1, 2)
    has(phone, 2)
    # With no page open the next one starts Python by itself.
    here = phone.url
    phone.close()
    other.close()
    phone = other.context.new_page()
    phone.goto(here)
    has(phone, 2)
    # A file that is opened so stays a file.
    phone.close()
    phone = other.context.new_page()
    phone.goto(f"{here}pad.json")
    expect(phone.locator("pre")).to_contain_text('"pad": 1', timeout=PATIENCE)
    phone.goto("/books/")
    expect(phone.get_by_role("heading", name="This page needs the network")).to_be_visible()
    phone.goto(f"{here}history/")
    expect(phone.locator("main")).to_contain_text("Every entry and correction")

    kit_site.start()
    phone.context.set_offline(False)
    phone.goto(f"{here}pad.json")
    kept = json.loads(phone.locator("body").inner_text())
    phone.goto(f"{here}table/")
    phone.get_by_role("button", name="Move it to the site").click()
    phone.wait_for_url(SHARED)
    shared = phone.url
    phone.goto(f"{shared}pad.json")
    assert json.loads(phone.locator("body").inner_text()) == kept
    # The way by the phone's own address: the page that was open for it leads on.
    phone.goto(here)
    phone.wait_for_url(shared)


def sees_the_page(phone):
    """The reason of a number leads to the sentence's place on its page, and back."""
    phone.locator("[data-why][href*='/why/']").first.click()
    phone.get_by_role("link", name="See the page").click()
    picture = phone.get_by_role("img", name="Its place on page ")
    expect(picture).to_be_visible(timeout=PATIENCE)
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 300
    expect(phone.get_by_text("Typeset by Tallyroom from the transcription; not a scan.")).to_be_visible()
    expect(phone.locator("blockquote")).to_contain_text("VICTORY")
    phone.get_by_role("link", name="Back to the pad").click()
    has(phone, 1)


def test_an_evening_moves_with_one_tap_and_is_one_evening_there(phone):
    phone.context.set_offline(True)
    begin(phone, "victory-rummy")
    enter(phone, 0, 1)
    first = phone.url
    phone.goto(f"{first}table/")
    phone.get_by_role("button", name="Play again, same seats").click()
    phone.wait_for_url(HERE)
    enter(phone, 1, 1)
    # Each page has a Python of its own, which reads what is kept.
    phone.goto(f"{first}table/")
    expect(phone.get_by_role("link", name="On to the next game")).to_be_visible()
    phone.go_back()
    phone.goto(f"{phone.url}table/")
    expect(phone.locator("main")).to_contain_text("The other games of this evening go with it.")
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Move it to the site").click()
    phone.wait_for_url(SHARED)
    phone.goto(f"{phone.url}table/")
    phone.get_by_role("link", name="The evening", exact=True).click()
    expect(phone.locator("main").get_by_role("link", name="Victory Rummy")).to_have_count(2)
    phone.goto("/pads/here/")
    expect(phone.get_by_text("Moved to the site.")).to_have_count(2)


def test_words_that_are_no_page_stand_at_the_address_that_was_asked_for(phone):
    kits.forget_fact(phone, "kit")
    phone.goto("about:blank")
    phone.goto("/pads/here/")
    expect(phone.get_by_role("status")).to_have_text("The kit is not on this phone.", timeout=PATIENCE)
    phone.reload()
    expect(phone.get_by_text("The kit is not on this phone.")).to_be_visible(timeout=PATIENCE)
    assert phone.url.endswith("/pads/here/")


def test_another_site_cannot_post_to_a_pad_on_this_phone(phone):
    begin(phone, "victory-rummy")
    here = phone.url
    other = phone.context.new_page()
    form = f"<form method=post action='{here}delete/'><button>Delete</button></form>"
    other.route("http://elsewhere.test/", lambda route: route.fulfill(body=form, content_type="text/html"))
    other.goto("http://elsewhere.test/")
    other.get_by_role("button").click()
    expect(other.locator("body")).to_contain_text("This came from another site.")
    phone.reload()
    has(phone, 0)


def test_the_python_in_the_kit_is_the_repositorys(kit_site):
    kit = json.loads(kits.manifest(kit_site).read_text())
    place = kit["places"]["program"].removeprefix("/static/phone/")
    seen = set()
    with zipfile.ZipFile(kits.KIT / place) as program:
        for name in program.namelist():
            if name.startswith(OURS):
                head = program.read(name)[:16]
                source = (ROOT / name.removesuffix("c")).read_bytes()
                assert _imp.source_hash(int.from_bytes(head[:4], "little"), source) == head[8:], name
                seen.add(name)
    assert importlib.util.find_spec("engine.position") is None or "engine/position.pyc" in seen
    assert len(seen) > 100
    assert kit["content"] < 3_000_000
    assert kit["program"] < 6_000_000


@pytest.fixture
def yesterday(kit_site):
    """The kit of yesterday is offered; calling it brings today's."""
    told = kits.manifest(kit_site)
    now = told.read_text()
    old = kits.rewritten(json.loads(now), OLDER, YESTERDAY)
    told.write_text(json.dumps(old))
    yield old, lambda: told.write_text(now)
    told.write_text(now)


def test_an_old_kit_goes_on_with_its_pads_while_a_new_one_begins_others(yesterday, kit_phone):
    old, bring_todays = yesterday
    phone = kit_phone
    kits.take_along(phone)
    phone.context.set_offline(True)
    begin(phone, "victory-rummy")
    here = phone.url
    code = here.split("/")[4]
    enter(phone, 0, 1)
    shows(phone, 15, 0, 0)
    bring_todays()
    phone.context.set_offline(False)
    phone.reload()
    until(phone, lambda: kits.fact(phone, "kit")["version"] != old["version"])
    phone.reload()
    shows(phone, 15, 0, 0)
    enter(phone, 1, 2)
    shows(phone, 30, 0, 0)
    assert kits.record(phone, code)["kit"] == old["version"]

    # The next game of the evening is a new pad.
    phone.goto(f"{here}table/")
    phone.get_by_role("button", name="Play again, same seats").click()
    phone.wait_for_url(HERE)
    assert phone.url != here
    enter(phone, 0, 1)
    shows(phone, 10, 0, 0)

    phone.goto(f"{here}table/")
    phone.get_by_role("button", name="Move it to the site").click()
    phone.wait_for_url(SHARED)
    expect(phone.get_by_role("link", name="Scored again by engine 1.0")).to_be_visible()
    # Nothing needs the old kit any more: the next time that the site is asked, it goes.
    kits.forget_fact(phone, "asked")
    phone.goto("/pads/here/")
    until(phone, lambda: kits.fact(phone, "kits") == [kits.fact(phone, "kit")["version"]])
    gone = "async (url) => !(await (await caches.open('phone-kit')).match(url))"
    until(phone, lambda: phone.evaluate(gone, old["places"]["program"]))
    assert kits.fact(phone, f"kit {old['version']}") is None


def shows(page, *totals):
    expect(page.locator(".seat__total")).to_have_text([str(total) for total in totals], timeout=PATIENCE)
