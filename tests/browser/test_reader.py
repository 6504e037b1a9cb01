"""Reading a leaflet: on phone and desk, by finger, pointer and keyboard, with and without JavaScript."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.marks import thorough

VICTORY = "/books/victory-rummy-1942/"
PAGES = [
    VICTORY,
    f"{VICTORY}?q=color#score-bonus",
    "/books/victor-or-victim/",
    f"{VICTORY}5/",
    f"{VICTORY}passages/score-bonus/",
    "/variants/",
    "/variants/strict-red-white-blue/",
    "/variants/compare/victory-rummy/",
    "/questions/thumbs-up/",
    "/questions/thumbs-up/simulated/",
    "/questions/victory-rummy/bonus_order/exact/1/",
    "/brief/",
    "/brief/rap-rummy/",
    "/search/?q=color",
    "/search/?q=xyzzyq",
]
BOOKS = ["victory-rummy-1942", "thumbs-up-1941", "rap-rummy-1926", "rummy-1916"]
LATE_SECONDS = 0.3
GAMES = ["victory-rummy", "thumbs-up", "rap-rummy", "rummy-1926", "rummy-1916", "victor-or-victim"]


@pytest.mark.parametrize(
    ("options", "width"), [({"color_scheme": "light"}, 1280), ({"color_scheme": "dark", "phone": True}, 360)]
)
def test_axe_finds_nothing_wrong_by_day_or_night_and_nothing_is_wider_than_the_phone(
    device, axe, options, width
):
    page, faults = device(**options), {}
    for address in PAGES:
        page.goto(address)
        faults[address] = axe(page)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults[address].append("wider than the screen")
    assert {address: found for address, found in faults.items() if found} == {}


LIGHT = [*(f"/books/{slug}/" for slug in BOOKS), "/books/thumbs-up-1941/passages/liberty-hands/"]


@pytest.mark.parametrize("address", LIGHT)
def test_the_first_view_on_the_sharpest_phone_is_light(device, address):
    page = device(phone=True, device_scale_factor=3)
    weights = weighed(page)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert sum(weights) < 250_000


def weighed(page):
    """The bytes of whatever the page loads from now on."""
    meter = page.context.new_cdp_session(page)
    meter.send("Network.enable")
    weights = []
    meter.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    return weights


def send_late(route):
    time.sleep(LATE_SECONDS)
    route.continue_()


def test_the_first_view_on_a_phone_is_light_and_nothing_shifts(device):
    page = device(phone=True)
    weights = weighed(page)
    # Nothing may depend on the order in which a slow server answers: here letters come last.
    page.context.route(re.compile(r"\.woff2"), send_late)
    page.add_init_script(
        "window.shifts = 0; new PerformanceObserver(list => { for (const shift of list.getEntries())"
        " window.shifts += shift.value; }).observe({type: 'layout-shift', buffered: true})"
    )
    page.goto(VICTORY)
    page.wait_for_load_state("networkidle")
    assert sum(weights) < 250_000
    assert page.evaluate("window.shifts") < 0.01


# Where a finger may land: the box of what is behind each § and each sign of a note, and those that overlap.
FINGERS = """() => {
  const shown = [...document.querySelectorAll(".own, .ref")].filter(link => link.checkVisibility())
  const boxes = shown.map(link => {
    const own = link.getClientRects()[0], room = getComputedStyle(link, "::after")
    const [width, height, left, top] = ["width", "height", "left", "top"].map(side => parseFloat(room[side]))
    const moved = parseFloat(room.translate.split(" ")[1]) / 100 * height
    const edge = parseFloat(getComputedStyle(link).borderLeftWidth)
    return {name: link.getAttribute("aria-label"), width, height, left: own.left + edge + left,
            top: own.top + edge + top + moved}
  })
  const shared = (a, b, side, size) =>
    Math.min(a[side] + a[size], b[side] + b[size]) - Math.max(a[side], b[side]) > 0.5
  const overlapping = boxes.flatMap((a, place) => boxes.slice(place + 1)
    .filter(b => shared(a, b, "left", "width") && shared(a, b, "top", "height"))
    .map(b => [a.name, b.name]))
  const small = boxes.filter(box => !(box.width >= 24 && box.height >= 24))
  return {count: boxes.length, small, overlapping}
}"""


def test_links_of_passages_and_signs_of_notes_have_room_for_a_fingertip(phone):
    for address in (*(f"/books/{slug}/" for slug in BOOKS), "/brief/victory-rummy/"):
        phone.goto(address)
        found = phone.evaluate(FINGERS)
        assert found["count"] and found["small"] == [] and found["overlapping"] == [], address


def test_two_variants_stand_side_by_side_on_a_phone_and_a_third_is_cut(phone):
    phone.goto("/variants/compare/victory-rummy/")
    heads = [head.bounding_box() for head in phone.locator(".compare thead th").all()]
    assert heads[2]["x"] + heads[2]["width"] <= 344 < heads[3]["x"] + heads[3]["width"]
    assert heads[3]["x"] < 340


def test_without_javascript_all_of_it_can_be_read(device):
    page = device(java_script_enabled=False, phone=True)
    page.goto(VICTORY)
    note = page.locator(".note", has_text="When are three colours consecutive?")
    assert not note.locator(".readings").is_visible()
    note.locator("summary").click()
    assert note.get_by_role("link", name="Play it this way: Exactly three").is_visible()
    page.get_by_role("link", name="Source text", exact=True).first.click()
    expect(page.locator(".text")).to_have_attribute("data-view", "printed")
    assert page.locator("del", has_text="cash").is_visible()
    assert not page.locator("ins", has_text="dash").first.is_visible()


def test_on_a_desk_notes_stand_open_in_the_margin_without_javascript(device):
    page = device(java_script_enabled=False)
    page.goto(f"{VICTORY}3/")
    note = page.locator(".note:not(.note--fold)").first
    assert note.locator(".note__body").is_visible()
    words = page.locator(".reader__text .p").first.bounding_box()
    assert note.bounding_box()["x"] > words["x"] + words["width"] / 2


def test_the_switch_needs_no_reload_and_the_address_keeps_it(page):
    page.goto(f"{VICTORY}#score-victory")
    page.evaluate("window.still = true")
    page.get_by_role("link", name="Reading text", exact=True).click()
    assert page.locator(".text").get_attribute("data-view") == "reading"
    assert page.evaluate("window.still && location.search + location.hash") == "?view=reading#score-victory"
    assert not page.locator("del", has_text="cash").is_visible()
    page.reload()
    assert page.locator(".text").get_attribute("data-view") == "reading"


def test_pointing_at_a_line_lights_its_place_and_the_other_way_round(page):
    page.goto(VICTORY)
    page.locator(".p[data-p='score-capture']").first.hover()
    assert page.locator(".places a[data-p='score-capture'] path.is-lit").count() == 1
    assert page.locator(".is-lit").count() == 2
    page.locator(".places a[data-p='win-500'] path[data-l]").hover()
    assert "500 points" in page.locator(".p.is-lit").inner_text()


def test_the_keyboard_lights_places_too(page):
    page.goto(f"{VICTORY}5/")
    page.locator(".own[data-to='score-bonus']").focus()
    assert page.locator(".places a[data-p='score-bonus'] .is-lit").count() >= 1
    stops = page.locator(".places a[tabindex='0']")
    assert stops.count() == 1
    stops.focus()
    first = page.evaluate("document.activeElement.dataset.p")
    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.dataset.p")
    assert first != second
    assert page.locator(f".p.is-lit[data-p='{second}']").count() >= 1
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == f"#{second}"


def test_a_linked_passage_is_yellow_in_the_text_and_on_the_page(page):
    page.goto(f"{VICTORY}#score-bonus")
    text = page.locator("#score-bonus")
    assert text.evaluate("e => getComputedStyle(e).backgroundColor") not in (
        "rgba(0, 0, 0, 0)",
        "transparent",
    )
    place = page.locator(".places a[data-p='score-bonus']")
    assert "is-here" in place.get_attribute("class")
    bar = place.locator(".places__bar").evaluate("e => getComputedStyle(e).fill")
    assert bar not in ("rgba(0, 0, 0, 0)", "transparent", "none")


def test_a_search_lands_on_the_passage_marked_in_text_and_image(page):
    page.goto("/search/?q=%22consecutive+order%22")
    page.locator("a[href*='#score-bonus']").click()
    page.wait_for_url("**#score-bonus")
    assert "".join(page.locator("#score-bonus mark").all_inner_texts()) == "consecutive order"
    assert page.locator("#leaf-5 .places__hit").count() == 1
    assert page.locator("#score-bonus").evaluate("e => e.getBoundingClientRect().top < innerHeight")


def test_a_sign_opens_its_note_and_the_note_leads_back(phone):
    phone.goto(VICTORY)
    phone.locator("#ref-bonus-order").tap()
    body = phone.locator("#note-bonus-order")
    body.wait_for(state="visible")
    body.locator("[role=doc-backlink]").tap()
    assert phone.evaluate("location.hash") == "#ref-bonus-order"


def test_zoom_loads_its_viewer_only_when_wanted_and_gives_the_focus_back(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{VICTORY}#score-bonus")
    assert not any("openseadragon" in url for url in asked)
    page.locator("#leaf-5 [data-zoom]").click()
    dialog = page.get_by_role("dialog", name="Page, enlarged")
    dialog.wait_for()
    page.locator(".zoom canvas").first.wait_for()
    page.locator(".zoom__place").wait_for()
    assert dialog.get_by_text("Page 5 of 6").is_visible()
    dialog.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()
    assert page.evaluate("document.activeElement.dataset.zoom") is not None


def test_the_keyboard_reaches_everything_in_order(page):
    page.goto(f"{VICTORY}5/")
    met = []
    for _ in range(60):
        page.keyboard.press("Tab")
        met.append(page.evaluate("document.activeElement.closest('[class]')?.className ?? ''"))
        shown = page.evaluate(
            "getComputedStyle(document.activeElement).outlineStyle != 'none'"
            " || document.activeElement.closest('.places') != null"
        )
        assert shown, met[-1]
    for wanted in ("skip", "wordmark", "ref", "own"):
        assert any(wanted in str(name).split() for name in met), wanted


@pytest.mark.parametrize("height", [640, thorough(740)])
def test_the_rules_in_brief_fit_one_phone_screen(device, height):
    phone = device(phone=True, viewport={"width": 360, "height": height})
    for game in GAMES:
        phone.goto(f"/brief/{game}/")
        assert phone.evaluate("document.documentElement.scrollHeight") <= height, game
        if height == 640:
            assert phone.evaluate(FINGERS)["overlapping"] == [], game


TOP = "document.querySelector('.reader__text .p').getBoundingClientRect().top"


def test_the_text_begins_in_the_first_screen_and_signs_lie_over_no_words(device):
    page = device(viewport={"width": 1280, "height": 800})
    page.goto(VICTORY)
    assert page.evaluate(TOP) < 500
    # The drawer leads to a section, closes, and the bar says where we are.
    page.locator(".contents summary").click()
    page.locator(".contents a", has_text="Winning a Grand Victory").click()
    expect(page.locator("[data-here]")).to_have_text("Winning a Grand Victory")
    assert not page.locator(".contents__in").is_visible()
    # Notes: the choice is remembered, also without the address.
    page.get_by_role("navigation", name="Show notes").get_by_text("None").click()
    assert page.locator(".note, .ref").first.is_hidden()
    page.goto("/books/rap-rummy-1926/")
    assert page.locator(".text").get_attribute("data-notes") == "none"
    page.get_by_role("navigation", name="Show notes").get_by_text("Questions").click()
    assert page.locator("#ref-rap-when").is_visible() and page.locator("#ref-two-sets-of-threes").is_hidden()
    sign, held = (page.locator("#ref-rap-when"), page.locator(".hold", has=page.locator("#ref-rap-when")))
    assert sign.evaluate("e => getComputedStyle(e).textIndent") == "0px"
    assert sign.bounding_box()["x"] >= held.bounding_box()["x"]
    own = page.locator(".own[data-to='rap']")
    assert own.evaluate("e => getComputedStyle(e).opacity") == "0"
    own.focus()
    assert own.evaluate("e => getComputedStyle(e).opacity") == "1"


COPIED = """(anchors) => {
  const [from, to] = anchors.map(anchor => [...document.querySelectorAll(`.p[data-p='${anchor}']`)].at(-1))
  const range = document.createRange()
  range.setStartBefore(from)
  range.setEndAfter(to)
  getSelection().removeAllRanges()
  getSelection().addRange(range)
  const data = new DataTransfer()
  from.dispatchEvent(new ClipboardEvent("copy", {clipboardData: data, bubbles: true, cancelable: true}))
  return data.getData("text/plain")
}"""


def test_brackets_are_printed_copied_and_seen_in_forced_colours_and_print_is_short(page):
    page.goto(f"{VICTORY}?view=reading&notes=all")
    words = page.evaluate(COPIED, ["any-order", "begin-again"])
    assert words.startswith("A GRAND VICTORY may be won in any order")
    assert "⟨etc.⟩" in words and words.endswith("⟨previously scored.⟩")
    assert "§" not in words and "When are three colours" not in words and "37" not in words
    # With both layers in sight the reading text is copied, and a table row by row.
    page.goto(f"{VICTORY}?notes=all")
    assert page.evaluate(COPIED, ["sign-red", "sign-white"]) == "R\nVICTORY in WHITE\tW"
    page.goto(f"{VICTORY}?view=reading&notes=all")
    for media in ({"media": "print"}, {"media": "screen", "forced_colors": "active"}):
        page.emulate_media(**media)
        bracket = page.locator("#begin-again .gap__o")
        assert bracket.inner_text() == "⟨" and bracket.bounding_box()["width"] > 3
        assert bracket.evaluate("e => getComputedStyle(e, '::before').content") == "none"
    page.emulate_media(media="null", forced_colors="null")
    printed = page.pdf(format="A4")
    assert 3 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 8


def test_on_a_phone_the_text_comes_first_and_a_tapped_line_shows_its_place(device):
    phone = device(phone=True, viewport={"width": 360, "height": 740})
    phone.goto(VICTORY)
    assert phone.evaluate(TOP) < 600
    phone.locator(".p[data-p='score-bonus']").first.tap()
    strip = phone.locator(".strip")
    strip.wait_for()
    assert "not a scan" in strip.inner_text()
    assert strip.locator("img").evaluate("async e => { await e.decode(); return e.naturalWidth }") == 720
    strip.get_by_role("button", name="Close").tap()
    assert strip.count() == 0
