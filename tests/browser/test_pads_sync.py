"""A tap leaves the phone only when the server has judged it."""

import json
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import expect

from tests.browser.pads import (
    FRAGMENT,
    TAP,
    HeldAnswers,
    asks,
    join_hearing,
    key,
    press,
    shows_totals,
    start,
    undo,
)

KEEP_MANY = """async ({ code, many }) => {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open("tallyroom-outbox", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("taps", { keyPath: "id" });
    request.onupgradeneeded = () => request.result.createObjectStore("taps", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
  });
  const writing = database.transaction("taps", "readwrite");
  for (let made = 1; made <= many; made += 1) {
    const body = { id: `tap-${made}`, type: "capture", player: "Ann" };
    const tap = { id: body.id, pad: code, kind: "entry", body, said: "Ann", made, refused: null };
    writing.objectStore("taps").put(tap);
  }
  await new Promise((resolve) => { writing.oncomplete = resolve; });
}"""


def test_a_message_turned_away_keeps_its_tap_and_can_be_sent_again(device):
    ann = start(device(phone=True), "victory-rummy")
    ann.context.route(TAP, lambda route: route.fulfill(status=413, body="<h1>Too large</h1>"))
    key(ann, "Ann: red victory, 10")
    row = ann.locator("#waiting .is-refused")
    expect(row).to_contain_text("The server did not take this.")
    ann.context.unroute(TAP)
    ann.reload()
    row.get_by_role("button", name="Send again").tap()
    shows_totals(ann, 10, 0, 0, 0)
    expect(ann.locator("#waiting")).to_be_hidden()


@pytest.mark.thorough
def test_a_part_turned_away_is_kept_too(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert"))
    ann.context.route(TAP, lambda route: route.fulfill(status=409, body=""))
    key(ann, "Ann")
    expect(ann.locator("#waiting .is-refused")).to_be_visible()
    ann.context.unroute(TAP)
    ann.locator("#waiting").get_by_role("button", name="Send again").tap()
    asks(ann, "Bert’s count?")


def test_what_waited_long_is_sent_in_pieces(device):
    ann = start(device(phone=True), "victory-rummy")
    sizes, drawn = [], ann.locator("#pad").evaluate("(pad) => pad.outerHTML")

    def answer(route):
        [sent] = parse_qs(route.request.post_data)["entries"]
        sizes.append(len(json.loads(sent)))
        route.fulfill(body=drawn, content_type="text/html; charset=utf-8")

    ann.context.route(TAP, answer)
    ann.evaluate(KEEP_MANY, {"code": ann.get_attribute("#pad", "data-code"), "many": 250})
    with ann.expect_response(lambda answer: TAP.search(answer.url) and len(sizes) == 3):
        ann.reload()
    expect(ann.locator("#waiting")).to_be_hidden()
    assert sizes == [100, 100, 50]


def test_edit_opens_what_was_refused_where_it_was_made(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    ann.context.route(TAP, lambda route: route.fulfill(status=409, body=""))
    key(ann, "Bert: 7")
    edit = ann.locator("#waiting").get_by_role("button", name="Edit")
    expect(edit).to_be_visible()
    ann.context.unroute(TAP)
    edit.tap()
    expect(ann.locator("#refusal")).to_contain_text("Bert: 7: tap what it should have been.")
    asks(ann, "Bert’s count?")
    expect(ann.locator("#waiting")).to_be_hidden()


@pytest.mark.thorough
def test_edit_opens_a_refused_correction_on_its_page(device):
    ann = start(device(phone=True), "victory-rummy")
    key(ann, "Ann: red victory, 10")
    shows_totals(ann, 10, 0, 0, 0)
    undo(ann)
    shows_totals(ann, 0, 0, 0, 0)
    ann.context.route(TAP, lambda route: route.fulfill(status=409, body=""))
    press(ann, ann.get_by_role("button", name="Put it back"))
    ann.locator("#waiting").get_by_role("button", name="Edit").tap()
    expect(ann.locator("h1")).to_have_text("Correct an entry")
    ann.context.unroute(TAP)
    ann.get_by_role("button", name="Store the correction").tap()
    shows_totals(ann, 10, 0, 0, 0)


def test_undo_of_a_correction_tapped_twice_is_one_undo(device):
    ann = start(device(phone=True), "victory-rummy")
    key(ann, "Ann: red victory, 10")
    shows_totals(ann, 10, 0, 0, 0)
    ann.locator("#sheet [data-why]").tap()
    ann.locator("#why").get_by_role("link", name="Correct").first.tap()
    ann.get_by_role("button", name="Bert: blue victory, 10").tap()
    ann.get_by_role("button", name="Store the correction").tap()
    shows_totals(ann, 0, 10, 0, 0)
    ann.locator("#last [data-undo]").evaluate("(key) => { key.click(); key.click(); }")
    shows_totals(ann, 10, 0, 0, 0)
    expect(ann.locator("#last")).to_contain_text("Ann red victory (corrected)")


def test_an_answer_that_comes_late_does_not_turn_the_pad_back(device):
    """Keys of a question that is answered would be tapped in vain."""
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    bert = join_hearing(device(phone=True), ann)
    late = HeldAnswers(bert, FRAGMENT)
    key(ann, "Ann")
    late.wait()
    key(bert, "Cora")
    press(bert, bert.get_by_role("button", name="Change to Cora"))
    asks(bert, "Ann’s count?")
    late.release()
    bert.wait_for_timeout(700)  # it changes nothing
    key(bert, "Ann: 3")
    key(bert, "Bert: 5")
    shows_totals(bert, 3, 5, 0)
    shows_totals(ann, 3, 5, 0)


def test_a_token_that_is_too_old_is_named_and_the_tap_is_kept(device):
    ann = start(device(phone=True), "victory-rummy")
    ann.locator("#tap [name=csrfmiddlewaretoken]").evaluate("(token) => { token.value = 'x'.repeat(32); }")
    key(ann, "Ann: red victory, 10")
    row = ann.locator("#waiting .is-refused")
    expect(row).to_contain_text("Reload the page and try again; your entry is kept.")
    ann.reload()
    row.get_by_role("button", name="Send again").tap()
    shows_totals(ann, 10, 0, 0, 0)


def test_a_part_that_another_phone_takes_back_is_gone_here_too(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    bert = join_hearing(device(phone=True), ann)
    with ann.expect_response("**/fragment/**"):
        ann.evaluate("window.dispatchEvent(new Event('online'))")
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    asks(bert, "Bert’s count?")
    undo(ann)
    asks(bert, "Who ran out of cards?")
    asks(ann, "Who ran out of cards?")


def test_a_question_turned_another_way_and_answered_elsewhere_is_left(device):
    ann = start(device(phone=True), "rummy-1926", ("Ann", "Bert", "Cora"))
    bert = join_hearing(device(phone=True), ann)
    key(ann, "Ann")
    asks(bert, "Bert’s count?")
    press(bert, bert.get_by_role("link", name="By cards"))
    expect(bert.locator("#keys[data-place='hands/Bert/cards']")).to_be_visible()
    key(ann, "Bert: 7")
    asks(bert, "Cora’s")
    # Whoever turns to an answer on purpose is not led away from it.
    press(bert, bert.locator("#pad [data-at='hands/Bert']"))
    asks(bert, "Bert’s")
    asks(ann, "Cora’s count?")
    key(ann, "Cora: 4")
    shows_totals(ann, 0, 7, 4)
