import pytest


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("phone", [True, False])
def test_the_shelf_has_no_fault_that_axe_can_find(device, axe, theme, phone):
    page = device(phone=phone, color_scheme=theme)
    for address in ("/", "/about/", "/no-such-page/"):
        page.goto(address)
        assert axe(page) == []


def test_the_lamp_turns_the_page_dark_and_is_remembered_without_a_flash(device):
    page = device(color_scheme="light")
    page.goto("/")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    lamp = page.get_by_role("button", name="Kitchen at night")
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


@pytest.mark.parametrize("width", [320, 360, 768, 1280, 1920])
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
