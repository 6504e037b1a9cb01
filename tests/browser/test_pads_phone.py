"""The pad as a thing on a table: bad wifi, sleeping phones, corrections, phones without JavaScript."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.pads import (
    TAP,
    asks,
    join,
    key,
    link,
    pad,
    play_again,
    press,
    shows_totals,
    start,
    start_by_form,
    stored,
    undo,
)

RED, WHITE = "Ann: red victory, 10", "Ann: white victory, 10"

# Makes what waits on this phone six seconds older.
AGE = """async () => {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open("tallyroom-outbox", 1);
    request.onsuccess = () => resolve(request.result);
  });
  const writing = database.transaction("taps", "readwrite");
  const taps = writing.objectStore("taps");
  taps.getAll().onsuccess = ({ target }) =>
    target.result.forEach((tap) => taps.put({ ...tap, made: tap.made - 6000 }));
  await new Promise((resolve) => { writing.oncomplete = resolve; });
}"""


@pytest.fixture
def ann(device):
    return start(device(phone=True), "victory-rummy")


def test_undo_is_one_tap_and_can_be_put_back_at_once(ann):
    key(ann, RED)
    shows_totals(ann, 10, 0, 0, 0)
    undo(ann)
    shows_totals(ann, 0, 0, 0, 0)
    expect(ann.locator("#last")).to_contain_text("Undone: Ann red victory")
    press(ann, ann.get_by_role("button", name="Put it back"))
    shows_totals(ann, 10, 0, 0, 0)


def test_a_number_opens_its_sentence_in_place(ann):
    key(ann, RED)
    ann.locator("#sheet [data-why]").tap()
    expect(ann.locator("#why .leafquote").first).to_contain_text("A VICTORY counts 10 points.")
    expect(ann.locator("#why")).to_contain_text("Ann, deal 1")


def test_taps_without_network_survive_a_reload_and_arrive_once(ann, device):
    bert = join(device(phone=True), ann)
    stored(ann)
    ann.context.set_offline(True)
    key(ann, RED)
    expect(ann.locator("#waiting")).to_contain_text("kept on this phone")
    ann.reload()
    expect(ann.locator("#pad h1")).to_have_text("Victory Rummy")
    expect(ann.locator("#waiting")).to_contain_text("Ann: red victory")
    key(ann, "Bert: blue victory, 10")
    expect(ann.locator("#waiting li")).to_have_count(2)
    shows_totals(bert, 0, 0, 0, 0)
    ann.context.set_offline(False)
    shows_totals(bert, 10, 10, 0, 0)
    shows_totals(ann, 10, 10, 0, 0)
    expect(ann.locator("#waiting")).to_be_hidden()


def test_what_is_refused_on_return_is_listed_with_edit_and_discard(ann, device):
    bert = join(device(phone=True), ann)
    ann.context.set_offline(True)
    key(ann, "Cora: red victory, 10")
    expect(ann.locator("#waiting li")).to_have_count(1)
    key(bert, RED)
    shows_totals(bert, 10, 0, 0, 0)
    key(bert, WHITE)
    asks(bert, "Ann is out")
    # A refusal that comes so late is no answer to the finger any more.
    ann.evaluate(AGE)
    ann.context.set_offline(False)
    row = ann.locator("#waiting .is-refused")
    expect(row).to_contain_text("Ann is out. First count the AXIS cards", timeout=20000)
    row.get_by_role("button", name="Discard").tap()
    expect(ann.locator("#waiting")).to_be_hidden()


def test_a_lost_answer_is_asked_again_and_counts_once(ann):
    lost = []

    def lose_first(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())  # the server stores it, the phone never hears
        return route.abort()

    ann.context.route(TAP, lose_first)
    key(ann, RED)
    shows_totals(ann, 10, 0, 0, 0)
    expect(ann.locator("#sheet [data-why]")).to_have_count(1)


def test_a_half_made_entry_is_not_wiped_by_an_update(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    bert = join(device(phone=True), ann)
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    press(ann, ann.locator("summary", has_text="More"))
    press(ann, ann.locator('.tens input[value="50"]'))
    press(bert, bert.locator(".hints"))
    press(bert, bert.locator('[data-at="hands/Cora"]'))
    asks(bert, "Cora’s count?")
    key(bert, "Cora: 4")
    expect(ann.locator(".count output")).to_have_text(["–", "–", "4"])
    expect(ann.locator('.tens input[value="50"]')).to_be_checked()
    ann.locator(".units .key", has_text="3").tap()
    shows_totals(ann, 0, 53, 4)


def test_an_entry_three_rounds_back_is_corrected_after_seeing_what_else_changes(ann):
    for label in (RED, WHITE):
        key(ann, label)
    asks(ann, "Ann is out")
    key(ann, "Ann: 1 AXIS card, 10")
    for _ in range(2):
        key(ann, "Bert: capture, 50")
        key(ann, "Bert: red victory, 10")
        asks(ann, "Bert is out")
        key(ann, "Bert: 0 AXIS cards, 0")
        expect(ann.locator("#keys")).not_to_contain_text("Bert is out")
    key(ann, "Ann: blue victory, 10")
    shows_totals(ann, 115, 120, 0, 0)
    ann.locator("#sheet [data-why]").first.tap()
    ann.get_by_role("link", name="Correct this").tap()
    key(ann, "Ann: blue victory, 10")
    foreseen = ann.locator(".foresee")
    expect(foreseen).to_contain_text("Ann blue victory")
    expect(foreseen).to_contain_text("The GRAND VICTORY of Ann")
    ann.get_by_role("button", name="Store the correction").tap()
    shows_totals(ann, 40, 120, 0, 0)


def test_a_correction_that_a_later_entry_cannot_bear_offers_both(ann):
    for label in (RED, WHITE):
        key(ann, label)
    asks(ann, "Ann is out")
    key(ann, "Ann: 1 AXIS card, 10")
    shows_totals(ann, 30, 0, 0, 0)
    ann.locator("#sheet [data-why]").first.tap()
    ann.get_by_role("link", name="Correct this").tap()
    ann.get_by_role("button", name="Strike it out").tap()
    expect(ann.locator(".foresee")).to_contain_text("Ann out, 1 AXIS card is struck out")
    ann.get_by_role("button", name="Store the correction").tap()
    shows_totals(ann, 10, 0, 0, 0)


def test_a_watcher_sees_everything_and_has_no_keys(ann, device):
    watcher = join(device(phone=True), ann, "watch")
    key(ann, RED)
    shows_totals(watcher, 10, 0, 0, 0)
    expect(watcher.locator("#keys")).to_contain_text("You are watching")
    expect(watcher.locator("#pad button:not([data-sound])")).to_have_count(0)


def test_everything_works_without_javascript(device):
    plain = device(phone=True, java_script_enabled=False)
    start_by_form(plain, "rap-rummy", ("Ann", "Bert"))
    plain.get_by_role("button", name="Bert", exact=True).tap()
    plain.get_by_role("button", name="Ann: 11", exact=True).tap()
    plain.locator("#last button", has_text="Undo").tap()
    plain.get_by_role("button", name="Ann: 12", exact=True).tap()
    plain.get_by_role("button", name="Bert: 4", exact=True).tap()
    expect(plain.locator(".words")).to_contain_text("Bert takes 8 from Ann.")
    plain.locator("#sheet a", has_text="8").tap()
    expect(plain.locator(".why")).to_contain_text("Bert is lowest with 4: 8 from Ann, who counts 12.")
    expect(plain.locator(".why .leafquote").first).to_be_visible()
    plain.get_by_role("link", name="Correct this").tap()
    expect(plain.get_by_role("heading", name="Correct an entry")).to_be_visible()


def test_a_refusal_without_javascript_stands_on_the_pad_and_nothing_is_lost(device):
    plain = start(device(phone=True, java_script_enabled=False), "victory-rummy")
    other = join(device(phone=True), plain)
    for label in (RED, WHITE):
        key(other, label)
    asks(other, "Ann is out")
    key(plain, "Bert: red victory, 10")
    expect(plain.locator("#refusal")).to_contain_text("Ann is out. First count the AXIS cards")
    shows_totals(plain, 20, 0, 0, 0)


def test_joining_after_the_camera_is_one_tap(ann, device):
    bert = device(phone=True)
    bert.goto(link(ann))
    bert.locator("#who").get_by_role("button", name="Bert", exact=True).tap()
    expect(bert.locator("[data-own]")).to_contain_text("Bert")
    expect(bert.locator("#who")).to_have_count(0)
    key(bert, RED)
    expect(ann.locator("#last")).to_contain_text("Bert,")


@pytest.mark.thorough
def test_the_short_code_opens_the_pad(ann, device):
    ann.goto(pad(ann) + "table/")
    ann.get_by_role("button", name="A short code to type").tap()
    code = ann.locator(".code").inner_text()
    bert = device(phone=True)
    bert.goto("/join/")
    bert.fill("#code", code.lower())
    bert.get_by_role("button", name="Join").tap()
    bert.locator("#who").get_by_role("button", name="Cora").tap()
    expect(bert.locator("#who")).to_have_count(0)
    shows_totals(bert, 0, 0, 0, 0)


def test_rematch_is_one_tap_and_makes_an_evening(device):
    ann = start(device(phone=True), "victory-rummy", ("Ann", "Bert"), target=50)
    key(ann, "Bert: capture, 50")
    expect(ann.get_by_role("heading", name="Bert wins.")).to_be_visible()
    play_again(ann)
    shows_totals(ann, 0, 0)
    ann.goto(pad(ann) + "table/")
    ann.get_by_role("link", name="The evening", exact=True).tap()
    expect(ann.locator("table").first).to_contain_text("Bert")


@pytest.mark.thorough
def test_names_are_remembered_on_this_phone(device):
    ann = start_by_form(device(phone=True), "rap-rummy", ("Zoë", "Max"))
    ann.goto("/pads/new/?game=rummy-1916")
    expect(ann.locator("#name-1")).to_have_value("Zoë")
    ann.locator("li", has=ann.locator("#name-2")).get_by_role("button", name="Move up one seat").tap()
    expect(ann.locator("#name-1")).to_have_value("Max")
    ann.click(".starting__go")
    expect(ann.locator(".count b").first).to_contain_text("Max")


def test_first_load_weighs_less_than_120_kilobytes(ann, device):
    other = device(phone=True)
    address = link(ann)
    session = other.context.new_cdp_session(other)
    session.send("Network.enable")
    weights = []
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    other.goto(address)
    for seen in iter(lambda: len(weights), None):
        other.wait_for_timeout(700)
        if len(weights) == seen:
            break  # nothing more comes
    assert sum(weights) < 120_000, sum(weights)


def test_nothing_shifts_while_the_pad_loads(ann, device):
    other = device(phone=True)
    other.add_init_script(
        "window.shifted = 0; new PerformanceObserver(list => { for (const e of list.getEntries())"
        " window.shifted += e.value }).observe({type: 'layout-shift', buffered: true})"
    )
    other.goto(link(ann))
    other.wait_for_timeout(1200)
    assert other.evaluate("window.shifted") < 0.01


@pytest.mark.thorough
def test_a_block_of_an_old_hand_is_corrected_and_priced_anew(device):
    ann = start(device(phone=True), "thumbs-up", ("Ann", "Bert"), stake=300)
    key(ann, "Bert")
    asks(ann, "Ann’s five blocks")
    for block in ("blue dot", "blue dash", "green dot", "red dash", "black v"):
        key(ann, block)
    asks(ann, "Who was the last to notice?")
    key(ann, "Nobody was last")
    shows_totals(ann, 260, 340)
    ann.locator("#sheet [data-why]").first.tap()
    ann.get_by_role("link", name="Correct this").tap()
    ann.get_by_role("button", name=re.compile("^Ann: blue dot")).tap()
    ann.get_by_role("button", name="black v: 25. Take back").tap()
    key(ann, "blue dot")
    expect(ann.locator(".foresee")).to_contain_text("Ann would have 285 instead of 260, Bert would have 315")
    ann.get_by_role("button", name="Store the correction").tap()
    shows_totals(ann, 285, 315)


@pytest.mark.thorough
def test_the_newest_row_is_in_sight_after_every_tap(ann):
    """Also after a count of AXIS cards: then higher keys come back, and the sheet has less room."""
    for deal in range(1, 6):
        for color in ("red", "white"):
            key(ann, f"Ann: {color} victory, 10")
            expect(ann.locator("#last")).to_contain_text(color)
        asks(ann, "Ann is out")
        key(ann, f"Ann: {deal} AXIS card{'s' if deal > 1 else ''}, {10 * deal}")
        expect(ann.locator("#keys h2", has_text="Ann is out")).to_have_count(0)
        assert ann.evaluate("""() => {
            const sheet = document.getElementById("sheet").getBoundingClientRect();
            const row = document.querySelector("#sheet .is-new").getBoundingClientRect();
            return row.top >= sheet.top - 1 && row.bottom <= sheet.bottom + 1;
        }"""), deal


@pytest.mark.thorough
def test_long_names_stay_on_the_pages_around_a_pad(device):
    long = "Donaudampfschifffahrtsgesellschaftskapi"
    ann = start(device(phone=True), "rummy-1916", (long, "Anne-Marie Oppenheimer-Szymanowski"))
    key(ann, long)
    key(ann, "Anne-Marie Oppenheimer-Szymanowski: 7")
    expect(ann.locator("#sheet [data-why]").first).to_be_visible()
    for place in ("table/", "history/", "after/"):
        ann.goto(pad(ann) + place)
        assert ann.evaluate("document.documentElement.scrollWidth") <= 360, place


def test_keys_are_large_and_apart(ann):
    boxes = [box.bounding_box() for box in ann.locator("#keys button").all()]
    assert all(box["width"] >= 48 and box["height"] >= 48 for box in boxes)
    columns = sorted({round(box["x"]) for box in boxes})
    width = boxes[0]["width"]
    assert all(right - left - width >= 7.5 for left, right in pairwise(columns))
