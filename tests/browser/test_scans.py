"""A crooked photograph of two pages, from the upload to the book that shows them."""

import re
import time

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.archive.hostile import HTML
from tests.archive.scan_files import lines_of_print, photograph, spread
from tests.browser.site import Site, furnish
from tests.browser.test_curation import PASSWORD, invitation

BOOK = "/books/victory-rummy-1942"
LOOKING_SECONDS = 120
"""Words are looked for behind the answer; a busy machine takes its time."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own: these tests change its pages."""
    var = tmp_path_factory.mktemp("scans") / "var"
    furnish(var)
    site = Site(var).start()
    yield site
    site.stop()


@pytest.fixture
def curator(site, device):
    def come(**options):
        page = device(**options)
        page.goto(invitation(site, "curator"))
        page.get_by_label("Your name").fill(f"Curator {time.time_ns() % 10**9}")
        page.get_by_label("A password").fill(PASSWORD)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/people/me/")
        return page

    return come


@pytest.fixture
def crooked(site):
    """Leaves 4 and 5 side by side on a dark table, held two degrees askew, as a phone writes it."""
    folder = site.var / "images"
    files = [next((folder / f"victory-rummy-1942-{leaf}-f").glob("*/full/1280.jpg")) for leaf in (4, 5)]
    left, right = (Image.open(file).convert("RGB") for file in files)
    return photograph(spread(left, right.resize(left.size), degrees=2.0))


def ready(page):
    """The page with its script at work."""
    page.locator("[data-ready]").wait_for(state="attached")
    return page


@pytest.mark.thorough
def test_a_crooked_spread_becomes_two_pages_of_the_book(curator, crooked, axe):
    page = curator()
    page.goto(f"{BOOK}/scans/")
    ready(page)
    files = [
        {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": crooked},
        {"name": "trap.jpg", "mimeType": "image/jpeg", "buffer": HTML},
    ]
    page.set_input_files("#files", files)
    expect(page.locator(".upload__file.is-new")).to_contain_text("Taken in")
    expect(page.locator(".upload__file.is-refused")).to_contain_text("not a JPEG, PNG, WebP or TIFF image")
    expect(page.locator("#scan-rows li")).to_have_count(1)
    # One that got lost on the way is tried again, and is known by its checksum.
    page.route("**/upload/", lambda route: route.abort(), times=1)
    page.set_input_files("#files", files[0])
    expect(page.locator(".upload__file.is-failed")).to_contain_text("did not arrive")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".upload__file.is-known")).to_contain_text("here already")
    assert axe(page) == []

    # Split; both halves are straightened and cut as they should be.
    page.locator("#scan-rows").get_by_role("link", name="table.jpg").click()
    ready(page)
    page.get_by_role("button", name="Split into two pages").click()
    page.wait_for_url("**done=divided")
    ready(page)
    assert abs(float(page.input_value("#angle")) - 2.0) <= 0.2
    assert abs(float(page.input_value("#split")) - 50) < 1

    # By keys, by pointer and by number; the page after is drawn anew each time.
    edge = page.get_by_role("slider", name="Left edge")
    before = float(page.input_value("[name=left]"))
    edge.press("ArrowRight")
    edge.press("Shift+ArrowLeft")
    assert float(page.input_value("[name=left]")) == pytest.approx(before - 0.9, abs=0.01)
    box = page.get_by_role("slider", name="Lower edge").bounding_box()
    foot = float(page.input_value("[name=bottom]"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 20, steps=4)
    page.mouse.up()
    assert float(page.input_value("[name=bottom]")) < foot
    page.fill("[name=bottom]", str(foot))
    page.get_by_label("Grey", exact=True).check(force=True)
    expect(page.locator("[data-result]")).to_have_attribute("src", re.compile("tone=grey"))
    page.get_by_label("Colour", exact=True).check(force=True)
    assert axe(page) == []

    # Published, each on its leaf; every word of the text finds its place on the new image.
    for leaf, half in ((4, "right"), (5, "left")):
        page.select_option("#leaf", str(leaf))
        page.get_by_label("Why this change").fill("From our own copy.")
        page.get_by_role("button", name="Publish").click()
        page.wait_for_url("**done=published", timeout=60_000)
        page.get_by_role("link", name=f"The {half} half").click()
        ready(page)
    words = page.locator("[data-words]:not([data-looking])")
    expect(words).to_contain_text("have their place", timeout=LOOKING_SECONDS * 1000)
    assert axe(page) == []

    # The book shows them, with the places of its passages; the history says who, why and how.
    page.goto(f"{BOOK}/")
    for leaf in (4, 5):
        figure = page.locator(f"figure[data-leaf='{leaf}']")
        expect(figure.locator("img")).to_have_attribute("src", re.compile(f"-{leaf}-s[0-9a-f]{{8}}/"))
        expect(figure).to_contain_text("Scan of the page.")
    assert page.locator("figure[data-leaf='4'] .places a").count() > 3
    page.goto(f"{BOOK}/revisions/")
    expect(page.locator("#images ~ ol li").first).to_contain_text("straightened by")
    assert axe(page) == []

    # On a phone, at night: everything fits and is in reach.
    phone = curator(phone=True, color_scheme="dark")
    for address in (f"{BOOK}/scans/", f"{BOOK}/scans/1/"):
        phone.goto(address)
        ready(phone)
        assert axe(phone) == [], address
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_scans_work_without_java_script(curator):
    page = curator(java_script_enabled=False)
    page.goto("/books/rummy-1916/scans/")
    files = [
        {"name": "plain.jpg", "mimeType": "image/jpeg", "buffer": photograph(lines_of_print())},
        {"name": "trap.jpg", "mimeType": "image/jpeg", "buffer": HTML},
    ]
    page.set_input_files("#files", files)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".upload__file.is-refused")).to_contain_text("trap.jpg")
    page.locator("#scan-rows").get_by_role("link", name="plain.jpg").click()
    page.get_by_label("Left", exact=True).fill("20")
    page.get_by_label("Black and white").check(force=True)
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert page.get_by_label("Left", exact=True).input_value() == "20.0"
    assert "tone=bw" in page.locator("[data-result]").get_attribute("src")
