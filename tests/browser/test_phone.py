"""Pads without network: taken along, played while the site is stopped, found again, moved to the site."""

import _imp
import importlib.util
import json
import re
import time
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, note_refused
from tests.browser.site import KEPT, PATIENCE_SECONDS, ROOT, Site, furnish

pytestmark = pytest.mark.thorough
HERE = re.compile(r"/pads/here-[a-z0-9]{8}/$")
SHARED = re.compile(r"/pads/[a-z0-9]{8}/$")
PATIENCE = 120_000
OURS = ("engine/", "scorepad/", "phone/", "ratelimit/", "lab/", "config/")


@pytest.fixture(scope="module")
def kit_site(tmp_path_factory):
    var = tmp_path_factory.mktemp("kit") / "var"
    furnish(var)
    site = Site(var, PHONE_KIT="1").start()
    try:
        wait_for_kit(site)
        yield site
    finally:
        site.stop()


def wait_for_kit(site):
    """It is built while the site serves."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (site.var / "kit.json").exists():
        assert time.monotonic() < deadline, site.log.read_text()[-4000:]
        time.sleep(0.1)


@pytest.fixture
def phone(chromium, kit_site):
    troubles = []
    context = chromium.new_context(base_url=kit_site.url, **PHONE)
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("console", lambda message: note_refused(message, troubles))
    page = context.new_page()
    page.goto("/phone/")
    page.get_by_role("button", name="Take it along").click()
    expect(page.get_by_text("Ready. This phone")).to_be_visible(timeout=PATIENCE)
    yield page
    context.close()
    assert troubles == []


def begin(page, game):
    page.goto(f"/pads/here-new/?game={game}")
    fill(page)
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(HERE)


def fill(page):
    for number, name in enumerate(("Ada", "Ben", "Cy")):
        page.locator("input[name=name]").nth(number).fill(name)


def enter(page, number, head):
    page.locator("#keys button").nth(number).click()
    has(page, head)


def has(page, head):
    expect(page.locator(f"#pad[data-head='{head}']")).to_be_visible(timeout=PATIENCE)


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
    kit = json.loads((kit_site.var / "kit.json").read_text())
    place = kit["places"]["program"].removeprefix("/static/phone/")
    seen = set()
    with zipfile.ZipFile(KEPT / "kit" / place) as program:
        for name in program.namelist():
            if name.startswith(OURS):
                head = program.read(name)[:16]
                source = (ROOT / name.removesuffix("c")).read_bytes()
                assert _imp.source_hash(int.from_bytes(head[:4], "little"), source) == head[8:], name
                seen.add(name)
    assert importlib.util.find_spec("engine.position") is None or "engine/position.pyc" in seen
    assert len(seen) > 100
    assert kit["content"] < 3_000_000
    assert kit["content"] + kit["program"] < 6_000_000
