import pytest

from tests.browser.conftest import COLOURS
from tests.browser.marks import thorough


@pytest.mark.parametrize("phone", [True, False])
def test_the_shelf_has_no_fault_that_axe_can_find_by_day_or_night(device, axe, phone):
    page = device(phone=phone)
    for address in ("/", "/about/", "/no-such-page/"):
        page.goto(address)
        for theme, rules in (("dark", None), ("light", COLOURS)):
            page.emulate_media(color_scheme=theme)
            assert axe(page, rules) == [], theme


def test_the_lamp_turns_the_page_dark_and_is_remembered_without_a_flash(device):
    page = device(color_scheme="light")
    page.goto("/")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    lamp = page.get_by_role("button", name="Dark theme")
    assert lamp.get_attribute("aria-pressed") == "false"
    lamp.click()
    assert lamp.get_attribute("aria-pressed") == "true"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper
    # The server draws the next page dark itself: nothing waits for a script.
    assert 'data-theme="dark"' in page.request.get("/").text()
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != paper


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_without_a_choice_and_without_scripts_the_page_follows_the_machine(device, theme):
    page = device(color_scheme=theme, java_script_enabled=False)
    page.goto("/")
    assert page.locator("html").get_attribute("data-theme") is None
    # Without scripts the lamp could do nothing, so it is not shown.
    assert not page.locator("[data-lamp]").is_visible()


@pytest.mark.parametrize("width", [320, thorough(360), thorough(768), 1280, thorough(1920)])
def test_nothing_on_the_shelf_is_wider_than_the_screen(device, width):
    page = device(viewport={"width": width, "height": 800})
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_phone_shows_start_and_search_before_games_and_books(phone):
    phone.goto("/")
    tops = [
        phone.locator(place).first.bounding_box()["y"]
        for place in (".welcome__go", ".search", ".starts", ".row")
    ]
    assert tops == sorted(tops)


def test_every_link_and_key_of_the_shelf_is_large_enough_for_a_thumb(phone):
    phone.goto("/")
    for place in (".starts__game", ".welcome__go", ".search button", ".lamp", ".masthead nav a"):
        for box in [each.bounding_box() for each in phone.locator(place).all()]:
            assert box["height"] >= 48


@pytest.mark.parametrize(("width", "scripts"), [(360, True), (360, False), (1280, True)])
def test_every_page_has_a_search_beside_the_lamp_and_the_head_does_not_wrap(device, width, scripts):
    page = device(viewport={"width": width, "height": 800}, java_script_enabled=scripts)
    for address in ("/", "/about/", "/books/rap-rummy-1926/", "/brief/thumbs-up/", "/no-such-page/"):
        page.goto(address)
        search = page.get_by_role("banner").get_by_role("link", name="Search")
        box, wordmark, lamp = (
            place.bounding_box() for place in (search, page.locator(".wordmark"), page.locator("[data-lamp]"))
        )
        assert min(box["width"], box["height"]) >= 48 and abs(box["y"] - lamp["y"]) < 1
        assert box["y"] < wordmark["y"] + wordmark["height"] and box["x"] + box["width"] <= lamp["x"]
        assert lamp["x"] + lamp["width"] <= width
        assert search.get_attribute("href") == "/search/"


def test_a_curators_fifth_way_on_fits_into_the_head_of_a_phone(device):
    page = device(viewport={"width": 360, "height": 800})
    page.goto("/about/")
    page.evaluate("""() => {
        const way = document.querySelector(".masthead li:last-child").cloneNode(true)
        way.firstElementChild.textContent = "Desk"
        document.querySelector(".masthead ul").append(way)
    }""")
    ways = [way.bounding_box() for way in page.locator(".masthead li").all()]
    assert len(ways) == 5 and len({round(box["y"]) for box in ways}) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_without_scripts_the_ways_between_leaves_stay_in_sight(device):
    page = device(java_script_enabled=False)
    page.goto("/books/rap-rummy-1926/2/")
    for name in ("Previous page", "Next page", "Zoom into page 2"):
        assert page.get_by_role("link", name=name).is_visible()


def test_nothing_moves_while_the_shelf_loads(phone):
    phone.add_init_script(
        "window.shift = 0;"
        "new PerformanceObserver(list => list.getEntries().forEach(entry => { shift += entry.value }))"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    phone.goto("/")
    phone.wait_for_load_state("networkidle")
    assert phone.evaluate("window.shift") < 0.01


def test_the_keyboard_reaches_the_content_in_one_step(page):
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
