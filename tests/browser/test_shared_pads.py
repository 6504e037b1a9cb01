"""Shared pads without network: scored on the phone, and compared where the table has gone on too."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, note_refused
from tests.browser.kits import PATIENCE, take_along
from tests.browser.pace import PACE
from tests.browser.pads import FOUR, TAP, asks, join, key, link, pad, shows_totals, start, undo, until

ANN, BERT, CORA, DAN = (
    "Ann: red victory, 10",
    "Bert: white victory, 10",
    "Cora: capture, 50",
    "Dan: blue victory, 10",
)
OWN = re.compile("/own/$")
THREE = ("Ann", "Bert", "Cora")

# The keys of the pad in whose middle a finger meets something else.
COVERED = """() => [...document.querySelectorAll("#keys button, #last button")].filter((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((one) => one.value)"""


@pytest.fixture(scope="module")
def phones(chromium, kit_site):
    """Two phones at a table: the first has taken the kit along."""
    troubles, contexts = [], []
    for _ in range(2):
        context = chromium.new_context(base_url=kit_site.url, **PHONE)
        context.on("weberror", lambda error: troubles.append(str(error.error)))
        context.on("console", lambda message: note_refused(message, troubles))
        contexts.append(context)
    ann, bert = (context.new_page() for context in contexts)
    take_along(ann)
    # Python starts anew with every page.
    expect.set_options(timeout=PATIENCE)
    yield ann, bert
    expect.set_options(timeout=60_000 if PACE else 15_000)
    for context in contexts:
        context.close()
    assert troubles == []


COPIED = """async (head) => {
  for (;;) {
    const asked = indexedDB.open("tallyroom-copies", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("copies", { keyPath: "code" });
    await new Promise((resolve) => { asked.onsuccess = resolve; });
    const copies = asked.result.transaction("copies").objectStore("copies");
    const found = copies.get(location.pathname.split("/")[2]);
    await new Promise((resolve) => { found.onsuccess = resolve; });
    asked.result.close();
    if (found.result?.head === head) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""


COPIES = """async () => {
  const asked = indexedDB.open("tallyroom-copies", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("copies", { keyPath: "code" });
  await new Promise((resolve) => { asked.onsuccess = resolve; });
  const found = asked.result.transaction("copies").objectStore("copies").count();
  await new Promise((resolve) => { found.onsuccess = resolve; });
  asked.result.close();
  return found.result;
}"""


def sat_down(phones, game="victory-rummy", names=("Ann", "Bert", "Cora", "Dan"), **options):
    ann, bert = phones
    ann.context.set_offline(False)
    start(ann, game, names, **options)
    join(bert, ann)
    return ann, bert


def lose(page, head):
    """The network goes, once this phone has the pad with so many entries."""
    page.evaluate(COPIED, head)
    page.context.set_offline(True)


def is_ahead(page, count):
    words = "1 entry" if count == 1 else f"{count} entries"
    expect(page.locator("[data-net]")).to_have_text(f"Scored on this phone: {words} not yet at the table")


def compared(page, mine, theirs):
    expect(page.locator("#compare h2")).to_have_text(
        f"You entered {mine}, the table has {theirs} you have not seen"
    )


def choose(page, name):
    page.locator("#compare").get_by_role("button", name=name).tap()


def both_go_on(phones):
    """Ann enters two without network, Bert two at the table; one of them is the same."""
    ann, bert = sat_down(phones)
    key(ann, ANN)
    shows_totals(bert, 10, 0, 0, 0)
    lose(ann, 1)
    key(ann, BERT)
    shows_totals(ann, 10, 10, 0, 0)
    key(ann, CORA)
    shows_totals(ann, 10, 10, 50, 0)
    key(bert, BERT)
    key(bert, DAN)
    shows_totals(bert, 10, 10, 0, 10)
    return ann, bert


@pytest.mark.thorough
def test_a_phone_without_network_goes_on_scoring_and_then_sends_it(phones):
    ann, bert = sat_down(phones)
    key(bert, ANN)
    shows_totals(ann, 10, 0, 0, 0)
    lose(ann, 1)
    key(ann, BERT)
    shows_totals(ann, 10, 10, 0, 0)
    is_ahead(ann, 1)
    expect(ann.locator("#sheet .is-ahead").first).to_contain_text("10")
    expect(ann.locator("#last")).to_contain_text("Not at the table yet")
    key(ann, CORA)
    shows_totals(ann, 10, 10, 50, 0)
    # The front page is not here; the list that stands for it leads back.
    address = pad(ann)
    ann.goto("/")
    ann.locator(f".herepads a[href='/pads/{address.split('/')[4]}/']").tap()
    is_ahead(ann, 2)
    shows_totals(ann, 10, 10, 50, 0)
    undo(ann)
    shows_totals(ann, 10, 10, 0, 0)
    # A number that no other phone has can be asked for its reason, and its sentence is in the kit.
    ann.locator("#sheet .is-ahead").first.tap()
    expect(ann.locator("#why")).to_contain_text("A VICTORY in white.")
    expect(ann.locator("#why")).to_contain_text("A VICTORY counts 10 points.")
    ann.keyboard.press("Escape")
    key(ann, DAN)
    shows_totals(ann, 10, 10, 0, 10)
    ann.context.set_offline(False)
    shows_totals(bert, 10, 10, 0, 10)
    expect(ann.locator("#pad:not([data-ahead])")).to_be_visible()
    expect(ann.locator("#waiting")).to_be_hidden()


@pytest.mark.thorough
def test_the_next_question_is_asked_without_network(phones):
    ann, bert = sat_down(phones, "rummy-1916", THREE)
    lose(ann, 0)
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    key(ann, "Bert: 7")
    asks(ann, "Cora’s count?")
    key(ann, "Cora: 4")
    shows_totals(ann, 0, 7, 4)
    key(ann, "Bert")
    asks(ann, "Ann’s count?")
    key(ann, "Ann: 3")
    asks(ann, "Cora’s count?")
    undo(ann)
    asks(ann, "Ann’s count?")
    ann.context.set_offline(False)
    # The half that is not finished comes to the table too.
    asks(bert, "Ann’s count?")
    expect(ann.locator("#pad:not([data-ahead])")).to_be_visible()
    key(bert, "Ann: 9")
    key(bert, "Cora: 5")
    shows_totals(bert, 9, 7, 9)
    shows_totals(ann, 9, 7, 9)


@pytest.mark.thorough
def test_mine_is_sent_after_theirs_even_if_its_answer_is_lost(phones):
    ann, bert = both_go_on(phones)
    ann.context.set_offline(False)
    compared(ann, 2, 2)
    expect(ann.locator("#compare .is-twin")).to_contain_text("The table has it too: entry 2. It counts once.")
    row = ann.locator("#compare tbody tr", has_text="Cora").locator("td")
    expect(row).to_have_text(["0", "50", "50"])
    # Nothing is decided by a reload, nor by putting it off.
    ann.reload()
    compared(ann, 2, 2)
    ann.get_by_role("button", name="Another one").tap()
    bert_row = ann.locator("#compare tbody tr", has_text="Bert").locator("td")
    expect(bert_row).to_have_text(["10", "20", "10"])
    ann.get_by_role("button", name="The same", exact=True).tap()
    expect(bert_row).to_have_text(["10", "10", "10"])
    lost = []

    def lose_first(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    ann.context.route(TAP, lose_first)
    choose(ann, "Send mine after theirs")
    until(ann, lambda: lost)
    shows_totals(ann, 10, 10, 50, 10)
    shows_totals(bert, 10, 10, 50, 10)
    ann.context.unroute(TAP)
    expect(ann.locator("#waiting")).to_be_hidden()
    ann.reload()
    shows_totals(ann, 10, 10, 50, 10)


@pytest.mark.thorough
def test_what_was_chosen_holds_for_what_is_tapped_before_it_could_be_sent(phones):
    ann, bert = both_go_on(phones)
    ann.context.set_offline(False)
    compared(ann, 2, 2)
    ann.context.set_offline(True)
    choose(ann, "Send mine after theirs")
    expect(ann.locator("#compare")).to_be_hidden()
    is_ahead(ann, 1)
    key(ann, "Cora: red victory, 10")
    is_ahead(ann, 2)
    ann.context.set_offline(False)
    shows_totals(bert, 10, 10, 60, 10)
    shows_totals(ann, 10, 10, 60, 10)
    expect(ann.locator("#compare")).to_be_hidden()


@pytest.mark.thorough
def test_mine_becomes_one_pad_of_its_own_even_if_its_answer_is_lost(phones):
    ann, bert = both_go_on(phones)
    table = pad(ann)
    ann.context.set_offline(False)
    compared(ann, 2, 2)
    made = []

    def lose_first(route):
        made.append(route.fetch().json()["pad"])
        return route.abort() if len(made) == 1 else route.continue_()

    ann.context.route(OWN, lose_first)
    choose(ann, "Keep mine as a pad of its own")
    until(ann, lambda: made)
    # The page is closed meanwhile: the next one asks again, by the same name.
    ann.reload()
    ann.wait_for_url(lambda address: table not in address)
    ann.context.unroute(OWN)
    ann.goto(pad(ann))
    shows_totals(ann, 10, 10, 50, 0)
    assert set(made) == {pad(ann).removeprefix(table.split("/pads/")[0])}
    ann.goto(table)
    shows_totals(ann, 10, 10, 0, 10)
    expect(ann.locator("#waiting")).to_be_hidden()
    shows_totals(bert, 10, 10, 0, 10)


@pytest.mark.thorough
def test_what_the_table_cannot_bear_says_why_and_can_be_dropped_and_brought_back(phones):
    ann, bert = sat_down(phones, names=("Ann", "Bert"))
    lose(ann, 0)
    key(ann, ANN)
    shows_totals(ann, 10, 0)
    key(bert, BERT)
    key(bert, "Bert: blue victory, 10")
    shows_totals(bert, 0, 20)
    ann.context.set_offline(False)
    compared(ann, 1, 2)
    refused = ann.locator("#compare .compare__refused")
    expect(refused).to_contain_text("Will be refused after theirs: Bert is out.")
    expect(refused.get_by_role("link", name="Read the sentence").first).to_be_visible()
    choose(ann, "Drop mine")
    shows_totals(ann, 0, 20)
    expect(ann.locator("#waiting")).to_contain_text("1 dropped entry is kept on this phone: Ann red victory")
    ann.reload()
    ann.locator("#waiting").get_by_role("button", name="Bring back").tap()
    compared(ann, 1, 2)
    choose(ann, "Send mine after theirs")
    expect(ann.locator("#waiting .is-refused")).to_contain_text("Bert is out.")
    expect(ann.locator("#waiting .is-refused a")).to_have_text("Read the sentence")
    ann.locator("#waiting").get_by_role("button", name="Discard").tap()
    expect(ann.locator("#waiting")).to_be_hidden()
    shows_totals(ann, 0, 20)


@pytest.mark.thorough
def test_a_dropped_hand_comes_back_with_the_one_that_was_not_finished(phones):
    ann, bert = sat_down(phones, "rummy-1916", ("Ann", "Bert"))
    lose(ann, 0)
    key(ann, "Ann")
    key(ann, "Bert: 7")
    shows_totals(ann, 0, 7)
    key(ann, "Bert")
    asks(ann, "Ann’s count?")
    for winner, count in (("Bert", "Ann: 9"), ("Bert", "Ann: 8")):
        key(bert, winner)
        key(bert, count)
    shows_totals(bert, 17, 0)
    ann.context.set_offline(False)
    compared(ann, 1, 2)
    choose(ann, "Drop mine")
    shows_totals(ann, 17, 0)
    # The table's game is over: played after it, neither would stand.
    ann.locator("#waiting").get_by_role("button", name="Bring back").tap()
    compared(ann, 1, 2)
    expect(ann.locator("#compare .compare__refused")).to_contain_text("Will be refused after theirs")
    choose(ann, "Send mine after theirs")
    expect(ann.locator("#waiting .is-refused")).to_contain_text(
        ["Ann out; Bert 7The game is over", "BertThe game is over"]
    )


@pytest.mark.thorough
def test_who_decides_later_goes_on_scoring_without_network(phones):
    ann, bert = sat_down(phones)
    lose(ann, 0)
    key(ann, ANN)
    shows_totals(ann, 10, 0, 0, 0)
    key(bert, BERT)
    shows_totals(bert, 0, 10, 0, 0)
    ann.context.set_offline(False)
    compared(ann, 1, 1)
    choose(ann, "Decide later")
    is_ahead(ann, 1)
    ann.context.set_offline(True)
    # The table has gone on further than the copy that this phone plays on from.
    key(ann, CORA)
    shows_totals(ann, 10, 0, 50, 0)
    is_ahead(ann, 2)
    ann.context.set_offline(False)
    compared(ann, 2, 1)


@pytest.mark.thorough
def test_a_phone_that_removes_the_kit_keeps_no_copy_of_shared_pads(kit_site, chromium):
    context = chromium.new_context(base_url=kit_site.url, **PHONE)
    ann = context.new_page()
    take_along(ann)
    start(ann, "victory-rummy")
    ann.evaluate(COPIED, 0)
    ann.goto("/phone/")
    ann.get_by_role("button", name="Remove it from this phone").click()
    expect(ann.get_by_role("button", name="Take it along")).to_be_visible()
    assert ann.evaluate(COPIES) == 0
    context.close()


def test_a_phone_without_the_kit_is_asked_when_it_was_long_away(device):
    ann = start(device(phone=True), "victory-rummy")
    ann.clock.install()
    ann.reload()
    bert = join(device(phone=True), ann)
    ann.context.set_offline(True)
    key(ann, BERT)
    key(ann, CORA)
    expect(ann.locator("#waiting li")).to_have_count(2)
    key(bert, DAN)
    shows_totals(bert, 0, 0, 0, 10)
    ann.clock.fast_forward(60_000)
    ann.context.set_offline(False)
    compared(ann, 2, 1)
    choose(ann, "Decide later")
    expect(ann.locator("#waiting li")).to_have_count(2)
    shows_totals(ann, 0, 0, 0, 10)
    ann.reload()
    compared(ann, 2, 1)
    # What the site refuses is chosen again.
    full = {"error": {"code": "too-many", "message": "Too many pads were begun here."}}
    ann.context.route(OWN, lambda route: route.fulfill(status=429, json=full), times=1)
    choose(ann, "Keep mine as a pad of its own")
    says = "Too many pads were begun here. Choose again."
    expect(ann.locator("#compare [data-says]")).to_have_text(says)
    choose(ann, "Send mine after theirs")
    shows_totals(ann, 0, 10, 50, 10)
    shows_totals(bert, 0, 10, 50, 10)


def test_who_lost_the_network_twice_is_offered_to_play_without(device):
    ann = start(device(phone=True), "victory-rummy")
    offer = ann.get_by_role("link", name="Play without network")
    for _ in range(2):
        expect(offer).to_be_hidden()
        ann.context.set_offline(True)
        key(ann, ANN)
        expect(ann.locator("[data-net]")).to_contain_text("No network")
        ann.context.set_offline(False)
        expect(ann.locator("[data-net]")).to_be_empty()
        undo(ann)
    expect(offer).to_be_visible()
    ann.get_by_role("button", name="Not now").tap()
    ann.context.set_offline(True)
    key(ann, ANN)
    expect(ann.locator("[data-net]")).to_contain_text("No network")
    ann.context.set_offline(False)
    expect(ann.locator("[data-net]")).to_be_empty()
    expect(offer).to_be_hidden()


def test_the_offer_to_play_without_network_covers_no_key(device):
    ann = start(device(phone=True), "victor-or-victim")
    headers = {"Authorization": f"Bearer {link(ann, 'keep').rpartition('/')[2]}"}
    cards = {name: ["red V", "blue I", "yellow C"] for name in FOUR}
    turn = {"id": "t", "type": "turn", "player": "Ann", "draw": "red M", "pass": ["red V"]}
    entries = [{"id": "s", "type": "setup", "cards": cards}, turn]
    assert ann.request.post(f"{pad(ann)}entries/", data={"entries": entries}, headers=headers).ok
    asks(ann, "Bert draws")
    ann.evaluate("localStorage.losses = 1")
    ann.context.set_offline(True)
    key(ann, "red C")
    expect(ann.locator("[data-net]")).to_contain_text("No network")
    ann.context.set_offline(False)
    expect(ann.get_by_role("link", name="Play without network")).to_be_visible()
    undo(ann)
    asks(ann, "Bert draws")
    for width, height in ((360, 740), (740, 360)):
        ann.set_viewport_size({"width": width, "height": height})
        assert ann.evaluate(COVERED) == []
