"""What waits on a phone for its answer. Undo means the last tap; a turned question is turned once."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pads import (
    DEAF_MILLISECONDS,
    TAP,
    HeldAnswers,
    asks,
    join,
    key,
    pad,
    play_again,
    shows_totals,
    start,
    stored,
    undo,
    until,
)

ANN, BERT = "Ann: red victory, 10", "Bert: white victory, 10"

# Taps this key of the end the moment it comes up, before any finger could wait.
TAP_AT_ONCE = """(name) => new MutationObserver((changes, observer) => {
  const key = [...document.querySelectorAll(".ended button")].find((one) => one.textContent.includes(name));
  if (!key) return;
  observer.disconnect();
  key.click();
  document.getElementById("pad").dataset.tappedAtOnce = "";
}).observe(document.getElementById("pad"), { childList: true, subtree: true })"""

# As browsers close a database that they think nobody needs, or that has become too large for the phone.
CLOSED_ONCE = """() => {
  const own = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...asked) {
    IDBDatabase.prototype.transaction = own;
    this.close();
    return own.apply(this, asked);
  };
}"""
FULL = """() => {
  self.put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => { throw new DOMException("It is full.", "QuotaExceededError"); };
}"""
HAS_ROOM = "() => void (IDBObjectStore.prototype.put = self.put)"


@pytest.fixture
def ann(device):
    page = start(device(phone=True), "victory-rummy")
    key(page, ANN)
    shows_totals(page, 10, 0, 0, 0)
    return page


def test_undo_before_the_answer_takes_back_the_tap_that_waits(ann):
    answers = HeldAnswers(ann)
    key(ann, BERT)
    expect(ann.locator("#last")).to_contain_text("Bert: white victory")
    answers.wait()
    undo(ann)
    answers.release()
    expect(ann.locator("#last")).to_contain_text("Undone: Bert white victory")
    shows_totals(ann, 10, 0, 0, 0)


def test_undo_without_network_removes_the_newest_tap_and_then_the_one_before(ann):
    ann.context.set_offline(True)
    key(ann, BERT)
    key(ann, "Cora: blue victory, 10")
    expect(ann.locator("#waiting li")).to_have_count(2)
    undo(ann)
    expect(ann.locator("#last")).to_contain_text("Bert: white victory")
    undo(ann)
    expect(ann.locator("#last")).to_contain_text("Ann red victory")
    key(ann, "Dan: blue victory, 10")
    ann.context.set_offline(False)
    shows_totals(ann, 10, 0, 0, 10)
    expect(ann.locator("#waiting")).to_be_hidden()


def test_undo_of_an_entry_whose_answer_was_lost_counts_for_that_entry(ann):
    lost = []

    def lose_first(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        return route.abort()

    ann.context.route(TAP, lose_first)
    key(ann, BERT)
    until(ann, lambda: lost)
    undo(ann)
    expect(ann.locator("#last")).to_contain_text("Undone: Bert white victory")
    shows_totals(ann, 10, 0, 0, 0)


def test_undo_of_an_entry_that_was_heard_as_the_network_went_counts_for_it(ann, device):
    bert = join(device(phone=True), ann)

    def hear_and_lose(route):
        route.fetch()
        ann.context.set_offline(True)
        route.abort()

    ann.context.route(TAP, hear_and_lose, times=1)
    key(ann, BERT)
    shows_totals(bert, 10, 10, 0, 0)
    expect(ann.locator("[data-net]")).to_contain_text("No network")
    undo(ann)
    ann.context.set_offline(False)
    shows_totals(bert, 10, 0, 0, 0)
    shows_totals(ann, 10, 0, 0, 0)


def test_a_tap_that_cannot_be_kept_says_so_and_a_closed_store_is_opened_again(ann):
    ann.evaluate(CLOSED_ONCE)
    key(ann, BERT)
    shows_totals(ann, 10, 10, 0, 0)
    ann.evaluate(FULL)
    key(ann, "Cora: blue victory, 10")
    expect(ann.locator("#refusal")).to_contain_text("could not be kept on this phone")
    expect(ann.locator("#last")).to_contain_text("Bert white victory")
    expect(ann.locator("#pad .is-pending")).to_have_count(0)
    ann.evaluate(HAS_ROOM)
    key(ann, "Cora: blue victory, 10")
    shows_totals(ann, 10, 10, 10, 0)


def test_undo_of_a_part_before_its_answer_asks_that_part_again(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    answers = HeldAnswers(ann)
    key(ann, "Bert: 7")
    answers.wait()
    undo(ann)
    answers.release()
    expect(ann.locator("#waiting")).to_be_hidden()
    expect(ann.locator(".count output")).to_have_text(["–", "–", "–"])
    asks(ann, "Bert’s count?")


def test_undo_of_a_part_that_is_answered_under_the_finger_is_not_lost(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    answers = HeldAnswers(ann)
    key(ann, "Bert: 7")
    answers.wait()
    expect(ann.locator("#last")).to_contain_text("No answer yet")
    box = ann.locator("#last button", has_text="Undo").bounding_box()
    finger = ann.context.new_cdp_session(ann)
    touch = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touch]})
    with ann.expect_response(TAP):
        answers.release()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(ann.locator(".count output")).to_have_text(["–", "–", "–"])
    asks(ann, "Bert’s count?")


@pytest.mark.thorough
def test_undo_without_network_takes_back_a_part(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    ann.context.set_offline(True)
    key(ann, "Bert: 7")
    asks(ann, "Cora’s count?")
    expect(ann.locator("#waiting")).to_be_visible()
    undo(ann)
    asks(ann, "Bert’s count?")
    expect(ann.locator(".count output")).to_have_text(["–", "–", "–"])


def test_a_question_turned_in_one_hand_is_not_turned_in_the_next(device):
    ann = start(device(phone=True), "rummy-1916", ("Ann", "Bert", "Cora"))
    key(ann, "Ann")
    asks(ann, "Bert’s count?")
    ann.locator('[data-at="hands/Cora"]').tap()
    asks(ann, "Cora’s count?")
    key(ann, "Cora: 4")
    asks(ann, "Bert’s count?")
    key(ann, "Bert: 5")
    shows_totals(ann, 0, 5, 4)
    key(ann, "Ann")
    asks(ann, "Bert’s count?")


@pytest.mark.thorough
def test_just_the_amount_stays_for_the_next_hand_but_not_the_player_asked(device):
    ann = start(device(phone=True), "thumbs-up", ("Ann", "Bert"), stake=300)
    key(ann, "Bert")
    asks(ann, "Ann’s five blocks")
    ann.get_by_text("Just the amount").tap()
    key(ann, "Ann: 40")
    asks(ann, "Who was the last to notice?")
    key(ann, "Nobody was last")
    shows_totals(ann, 260, 340)
    asks(ann, "Who showed Thumbs Up?")


@pytest.mark.thorough
def test_a_double_tap_on_the_winning_key_starts_no_rematch(device):
    ann = start(device(phone=True), "victory-rummy", ("Ann", "Bert"), target=50)
    address = ann.url
    ann.evaluate(TAP_AT_ONCE, "Play again")
    key(ann, "Bert: capture, 50")
    expect(ann.locator("#pad[data-tapped-at-once]")).to_be_visible()
    ann.wait_for_timeout(DEAF_MILLISECONDS)
    assert ann.url == address
    play_again(ann)
    shows_totals(ann, 0, 0)


def test_a_reload_without_network_shows_the_newest_pad_and_how_old_it_is(device):
    ann = start(device(phone=True), "victory-rummy")
    ann.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    ann.reload()
    for label, totals in ((ANN, (10, 0, 0, 0)), (BERT, (10, 10, 0, 0))):
        key(ann, label)
        shows_totals(ann, *totals)
    stored(ann, head=2)
    ann.context.set_offline(True)
    ann.reload()
    shows_totals(ann, 10, 10, 0, 0)
    expect(ann.locator("[data-net]")).to_contain_text(re.compile(r"As of \d+:\d\d.*, 2 entries"))
    ann.context.set_offline(False)
    expect(ann.locator("[data-net]")).to_be_empty()


def test_what_waits_covers_neither_names_nor_totals_and_can_be_removed(ann):
    ann.context.set_offline(True)
    keys = ann.locator("#keys").bounding_box()
    for name in ("Bert", "Cora", "Dan"):
        key(ann, f"{name}: red victory, 10")
    key(ann, "Cora: capture, 50")
    rows = ann.locator("#waiting li")
    expect(rows).to_have_count(4)
    strip, heads = ann.locator("#waiting").bounding_box(), ann.locator("#seats").bounding_box()
    assert strip["y"] >= heads["y"] + heads["height"]
    assert ann.locator("#keys").bounding_box()["y"] == keys["y"]
    rows.filter(has_text="Bert").get_by_role("button", name="Remove").tap()
    expect(rows).to_have_count(3)
    ann.context.set_offline(False)
    shows_totals(ann, 10, 0, 60, 10)


def test_who_is_still_at_the_end_is_told_that_the_others_play_on(device):
    ann = start(device(phone=True), "victory-rummy", ("Ann", "Bert"), target=50)
    bert = join(device(phone=True), ann)
    key(ann, "Bert: capture, 50")
    expect(ann.get_by_role("heading", name="Bert wins.")).to_be_visible()
    play_again(ann)
    shows_totals(ann, 0, 0)
    bert.get_by_role("link", name="The others play on: follow").tap()
    shows_totals(bert, 0, 0)
    assert pad(bert) == pad(ann)


def test_a_watcher_who_may_not_correct_finds_back_to_the_pad(ann, device):
    address = ann.locator("#sheet [data-why]").get_attribute("href")
    ann.goto(address)
    correcting = ann.get_by_role("link", name="Correct this").get_attribute("href")
    watcher = join(device(phone=True), ann, "watch")
    watcher.goto(correcting)
    watcher.get_by_role("link", name="Back to the pad").tap()
    shows_totals(watcher, 10, 0, 0, 0)
    watcher.goto(pad(watcher) + "history/")
    assert watcher.get_by_role("link", name="Back to the pad").bounding_box()["height"] >= 48
