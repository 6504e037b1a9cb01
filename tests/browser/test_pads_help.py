"""A pad that explains itself: help, refusals, the printed page and the way back; keys that stay put."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import COLOURS
from tests.browser.pads import asks, key, link, opened, press, shows_totals, start

EIGHT = ("Ann", "Bert", "Cora", "Dan", "Emil", "Frieda", "Gus", "Hanna")

# Elements of the pad that show less than they hold, or reach over the edge. A list that scrolls shows all.
CLIPPED = """() => [...document.querySelectorAll("#pad *")].filter((one) => {
  const box = one.getBoundingClientRect();
  if (!box.width || one.closest(".unseen, svg, #last")) return false;
  const cuts = getComputedStyle(one).overflowX === "hidden";
  return (cuts && one.scrollWidth > one.clientWidth) || box.right > innerWidth + 0.5 || box.left < -0.5;
}).map((one) => one.outerHTML)"""
IN_SIGHT = """(one) => {
  const box = one.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
}"""
BELOW_THE_KEYS = """() => {
  const edge = document.getElementById("last").getBoundingClientRect().top;
  const cards = [...document.querySelectorAll(".cards .card")];
  return cards.map((one) => one.getBoundingClientRect().bottom).filter((bottom) => bottom > edge);
}"""
PLACE = "(one) => one.getBoundingClientRect().top + document.getElementById('keys').scrollTop"
TOO_TALL = "document.scrollingElement.scrollHeight - innerHeight"


@pytest.fixture
def axe(axe):
    def run(page):
        found = []
        for theme, rules in (("dark", None), ("light", COLOURS)):
            page.emulate_media(color_scheme=theme)
            found += [f"{theme}: {fault}" for fault in axe(page, rules)]
        return found

    return run


def box(found):
    return found.bounding_box()


def test_a_pad_explains_itself_without_being_left(device, axe):
    ann = start(device(phone=True), "victory-rummy")
    assert ann.evaluate(TOO_TALL) == 0
    expect(ann.locator(".hints li")).to_have_count(3)
    key(ann, "Ann: capture, 50")
    shows_totals(ann, 50, 0, 0, 0)
    expect(ann.locator(".hints")).to_have_count(0)

    key(ann, "Bert: capture, 50")
    refusal = ann.locator("#refusal")
    expect(refusal).to_contain_text("no second one is possible")
    assert box(refusal)["y"] + box(refusal)["height"] <= box(ann.locator("#keys"))["y"]
    refusal.tap()
    expect(refusal).to_be_hidden()

    ann.get_by_role("link", name="Help: signs, rules, corrections").tap()
    expect(ann.locator("#why").get_by_text("The rules in brief")).to_be_visible()
    assert axe(ann) == []
    lamp = ann.locator("#why [data-lamp]")
    lamp.tap()
    assert ann.evaluate("document.documentElement.dataset.theme") == "dark"
    ann.locator("#why [data-shut]").tap()

    key(ann, "Ann: red victory, 10")
    asks(ann, "Ann is out")
    key(ann, "Ann: 1 AXIS card, 10")
    shows_totals(ann, 70, 0, 0, 0)
    ann.locator("#sheet [data-why]").nth(1).tap()
    for which in ("The number before", "The number after"):
        expect(ann.get_by_role("link", name=which)).to_be_visible()
    assert ann.locator("#why").evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    ann.locator("#why [data-shut]").tap()
    ann.locator("#sheet [data-why]").first.tap()
    ann.set_viewport_size({"width": 740, "height": 360})
    assert ann.get_by_role("link", name="Correct this").evaluate(IN_SIGHT)
    ann.set_viewport_size({"width": 360, "height": 740})
    ann.get_by_role("link", name="See the page").tap()
    ann.wait_for_load_state()
    expect(ann.locator("#lit.is-here")).to_have_count(1)
    expect(ann.locator("#lit")).to_be_in_viewport(ratio=1)
    ann.get_by_role("link", name="Back to the pad").tap()
    shows_totals(opened(ann), 70, 0, 0, 0)


def test_an_old_entry_is_corrected_and_struck_out_in_three_taps(device, axe):
    ann = start(device(phone=True), "victory-rummy")
    for color in ("red", "white"):
        key(ann, f"Bert: {color} victory, 10")
        expect(ann.locator("#last")).to_contain_text(color)
    asks(ann, "Bert is out")
    key(ann, "Bert: 3 AXIS cards, 30")
    shows_totals(ann, 0, 50, 0, 0)
    key(ann, "Cora: red victory, 10")
    shows_totals(ann, 0, 50, 10, 0)
    number, store = (
        ann.locator("#sheet [data-why]").last,
        ann.get_by_role("button", name="Store the correction"),
    )
    for found in (number, ann.locator("#why").get_by_role("button", name="Dan: blue victory, 10"), store):
        found.tap()
    shows_totals(opened(ann), 0, 50, 0, 10)
    for found in (number, ann.get_by_role("link", name="Strike it out"), store):
        found.tap()
    shows_totals(opened(ann), 0, 50, 0, 0)

    cora = device(phone=True)
    cora.goto(link(ann))
    expect(cora.get_by_role("heading", name="Who are you?")).to_be_visible()
    assert axe(cora) == []
    cora.locator("#who").get_by_role("button", name="I only watch").tap()
    expect(cora.locator("#keys")).to_contain_text("You are watching")
    expect(cora.locator("#pad button:not([data-sound])")).to_have_count(0)


def test_no_key_moves_while_cards_are_picked_and_more_opens_in_sight(device):
    ann = start(device(phone=True), "rap-rummy", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Ann’s count?")
    press(ann, ann.locator("summary", has_text="More"))
    assert ann.locator(".units .key").last.evaluate(IN_SIGHT)
    press(ann, ann.get_by_role("link", name="By cards"))
    asks(ann, "Ann’s 6 cards")
    watched = ann.get_by_role("button", name="bamboos 10", exact=True)
    before = watched.evaluate(PLACE)
    for card in ("bamboos 1", "bamboos 2", "bamboos 3", "dots 4", "characters 4", "flowers 4"):
        key(ann, card)
        expect(ann.locator(".picked .piece:not(.piece--empty)").last).to_contain_text(card.split()[1])
    expect(ann.get_by_role("button", name="Ann that is all")).to_have_count(0)
    expect(ann.locator(".melds")).to_contain_text("Nothing left: 0")
    assert watched.evaluate(PLACE) == before


@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.thorough), 4, 6])
def test_all_cards_are_in_sight_on_a_phone_held_upright(device, seats):
    ann = start(device(phone=True), "rap-rummy", EIGHT[:seats])
    key(ann, "Bert")
    asks(ann, "Ann’s count?")
    press(ann, ann.get_by_role("link", name="By cards"))
    expect(ann.locator(".cards .card")).to_have_count(44)
    assert ann.evaluate(BELOW_THE_KEYS) == []


def test_eight_start_with_two_boxes_and_nothing_is_clipped(device):
    ann = device(phone=True)
    ann.goto("/pads/new/?game=thumbs-up")
    expect(ann.locator("#names li:visible")).to_have_count(4)
    ann.get_by_text("Other ways to play").tap()
    ann.get_by_text("Two boxes for eight").tap()
    expect(ann.locator("legend", has_text="Who plays?")).to_contain_text("8, with two boxes")
    for seat, name in enumerate(EIGHT, start=1):
        field = ann.locator(f"#name-{seat}")
        expect(field).to_be_focused() if seat > 1 else field.focus()
        ann.keyboard.type(name)
        ann.keyboard.press("Enter")
    opened(ann)
    expect(ann.locator(".stack output").first).to_have_text("300")
    assert ann.evaluate(CLIPPED) == []
    key(ann, "Bert")
    asks(ann, "Ann’s five blocks")
    for block in ("blue dot", "blue dash", "red dot", "red v", "black v"):
        key(ann, block)
    asks(ann, "Cora’s five blocks")
    expect(ann.locator(".stack").first).to_contain_text("pays 40, red")
    assert (ann.evaluate(CLIPPED), ann.evaluate(TOO_TALL)) == ([], 0)
    press(ann, ann.locator(".stack").first)
    asks(ann, "Ann’s five blocks")
    assert ann.get_by_role("button", name="blue 55").evaluate(IN_SIGHT)
