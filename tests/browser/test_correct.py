"""The correction page: taps in order, none lost, nothing moves under the finger; also without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pads import asks, key, shows_totals, start

BLOCKS = ("blue dot", "blue dash", "green dot", "red dash", "black v")
RED = "Ann: red victory, 10"


@pytest.fixture
def rack(device):
    """Ann's phone at the correction of her five blocks, which cost 40."""
    ann = hand_of_blocks(device(phone=True))
    ann.get_by_role("button", name=re.compile("^Ann: blue dot")).tap()
    expect(ann.locator(".rack")).to_be_visible()
    return ann


def hand_of_blocks(ann):
    start(ann, "thumbs-up", ("Ann", "Bert"), stake=300)
    key(ann, "Bert")
    asks(ann, "Ann’s five blocks")
    for block in BLOCKS:
        key(ann, block)
    asks(ann, "Who was the last to notice?")
    key(ann, "Nobody was last")
    shows_totals(ann, 260, 340)
    return open_correction(ann)


def open_correction(page):
    page.locator("#sheet [data-why]").first.click()
    page.get_by_role("link", name="Correct this").click()
    expect(page.get_by_role("heading", name="Correct an entry")).to_be_visible()
    return page


def hold_answers(page):
    """Let no tap of the correction page through; gives those under way, each to be continued by hand."""
    under_way = []

    def hold(route):
        if route.request.method == "POST":
            under_way.append(route)
        else:
            route.continue_()

    page.route("**/correct/**", hold)
    return under_way


def let_through(page, under_way, number):
    """Answer so many taps, one after another; there is never more than one under way."""
    for _ in range(number):
        for _ in range(500):
            if under_way:
                break
            page.wait_for_timeout(20)
        assert len(under_way) == 1
        under_way.pop().continue_()


def take_back(page, block):
    page.get_by_role("button", name=re.compile(f"^{block}: .*Take back")).first.tap()


def press_both(page, *words):
    """Press two keys in one breath: no answer can come between."""
    page.evaluate(
        """(words) => {
            const keys = [...document.querySelectorAll("button")];
            const says = (key) => key.querySelector(".unseen")?.textContent;
            for (const one of words) keys.find((key) => says(key) === one).click();
        }""",
        words,
    )


def test_two_keys_pressed_at_once_both_count(rack):
    press_both(rack, "black v: 25. Take back", "blue dot")
    expect(rack.locator(".foresee")).to_contain_text("Ann would have 285 instead of 260, Bert would have 315")


def test_a_second_tap_before_the_answer_is_applied_after_the_first(rack):
    under_way = hold_answers(rack)
    take_back(rack, "black v")
    key(rack, "blue dot")
    let_through(rack, under_way, 2)
    expect(rack.locator(".foresee")).to_contain_text("Ann would have 285 instead of 260, Bert would have 315")
    assert rack.locator(".correctpage > [role=alert]").count() == 0


@pytest.mark.thorough
def test_three_quick_taps_count_in_their_order(rack):
    under_way = hold_answers(rack)
    take_back(rack, "black v")
    key(rack, "blue dot")
    # The rack is still the old one, in which the fourth block is this one, and is so in the newest too.
    take_back(rack, "red dash")
    let_through(rack, under_way, 3)
    expect(rack.locator(".rack__row .block:not(.block--empty)")).to_have_count(4)
    faces = rack.locator(".rack__row .block .unseen").all_text_contents()
    assert [face.split(":")[0] for face in faces] == ["blue dot", "blue dash", "green dot", "blue dot"]


@pytest.mark.thorough
def test_two_blocks_taken_back_at_once_are_the_two_that_were_touched(rack):
    under_way = hold_answers(rack)
    take_back(rack, "blue dot")
    take_back(rack, "blue dash")
    let_through(rack, under_way, 2)
    expect(rack.locator(".rack__row .block:not(.block--empty)")).to_have_count(3)
    faces = rack.locator(".rack__row .block .unseen").all_text_contents()
    assert [face.split(":")[0] for face in faces] == ["green dot", "red dash", "black v"]


@pytest.mark.thorough
def test_control_without_the_script_the_first_of_both_is_lost(device):
    ann = device(phone=True, service_workers="block")
    ann.route("**/correct*.js", lambda route: route.abort())
    hand_of_blocks(ann)
    ann.get_by_role("button", name=re.compile("^Ann: blue dot")).tap()
    expect(ann.locator(".rack")).to_be_visible()
    press_both(ann, "black v: 25. Take back", "blue dot")
    expect(ann.locator(".correctpage > [role=alert]")).to_contain_text("There are 5 already")
    expect(ann.locator(".foresee")).to_have_count(0)


def test_a_refusal_is_not_wiped_away_by_a_tap_made_before_it(rack):
    under_way = hold_answers(rack)
    key(rack, "green v")
    take_back(rack, "black v")
    let_through(rack, under_way, 2)
    expect(rack.locator(".rack__row .block--empty")).to_have_count(1)
    expect(rack.locator(".correctpage > [role=alert]")).to_contain_text("There are 5 already")
    rack.unroute("**/correct/**")
    key(rack, "blue dot")
    expect(rack.locator(".foresee")).to_be_visible()
    expect(rack.locator(".correctpage > [role=alert]")).to_have_count(0)


def test_what_is_stored_is_what_was_tapped_last(device):
    ann = start(device(phone=True), "victory-rummy")
    key(ann, RED)
    shows_totals(ann, 10, 0, 0, 0)
    open_correction(ann)
    key(ann, "Bert: white victory, 10")
    expect(ann.locator(".foresee")).to_contain_text("Bert white victory")
    under_way = hold_answers(ann)
    key(ann, "Cora: capture, 50")
    ann.get_by_role("button", name="Store the correction").tap()
    let_through(ann, under_way, 2)
    ann.wait_for_url(re.compile(r"/pads/\w+/$"))
    shows_totals(ann, 0, 0, 50, 0)
    assert ann.locator("#last").inner_text().startswith("Cora capture (corrected)")


def test_a_correction_that_is_no_longer_whole_is_not_stored(rack):
    take_back(rack, "black v")
    key(rack, "blue dot")
    expect(rack.locator(".foresee")).to_be_visible()
    under_way = hold_answers(rack)
    take_back(rack, "red dash")
    rack.get_by_role("button", name="Store the correction").tap()
    let_through(rack, under_way, 1)
    expect(rack.locator(".correctpage > [role=alert]")).to_contain_text("Look at it again, then store it")
    assert under_way == []


def test_a_tap_that_found_no_network_is_sent_again(rack):
    lost = []

    def lose_one(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.request.post_data)
            route.abort()
        else:
            route.continue_()

    rack.route("**/correct/**", lose_one)
    take_back(rack, "black v")
    expect(rack.locator("#trouble")).to_contain_text("No network")
    expect(rack.locator(".rack__row .block--empty")).to_have_count(1)
    expect(rack.locator("#trouble")).to_have_count(0)
    assert len(lost) == 1


def test_the_keys_stay_under_the_finger_and_keep_the_focus(rack):
    take_back(rack, "black v")
    expect(rack.locator(".rack__row .block--empty")).to_have_count(1)
    chosen = rack.locator("#keys button", has_text="blue dot")
    chosen.scroll_into_view_if_needed()
    rack.evaluate("scrollBy(0, 1000)")
    assert rack.evaluate("scrollY") > 0
    before = chosen.bounding_box()
    chosen.press("Enter")
    expect(rack.locator(".foresee")).to_be_in_viewport()
    assert chosen.bounding_box() == pytest.approx(before, abs=1)
    expect(chosen).to_be_focused()


@pytest.mark.thorough
def test_the_focus_goes_to_the_next_block_when_its_own_is_taken_back(rack):
    rack.get_by_role("button", name=re.compile("^green dot: .*Take back")).press("Enter")
    expect(rack.locator(".rack__row .block--empty")).to_have_count(1)
    expect(rack.get_by_role("button", name=re.compile("^red dash: .*Take back"))).to_be_focused()


def test_an_old_hand_is_corrected_without_javascript(device):
    ann = start(device(java_script_enabled=False), "victory-rummy")
    ann.get_by_role("button", name=RED, exact=True).click()
    shows_totals(ann, 10, 0, 0, 0)
    open_correction(ann)
    ann.get_by_role("button", name="Bert: capture, 50", exact=True).click()
    expect(ann.locator(".foresee")).to_contain_text("Bert capture")
    ann.get_by_role("button", name="Store the correction").click()
    shows_totals(ann, 0, 50, 0, 0)
