"""What is deleted, revoked or unwanted is forgotten by the phone; and how a player becomes an owner."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from tests.browser.pads import TAP, join, join_hearing, key, opened, pad, start, stored, until

IS_STORED = """async (path) => Boolean((await caches.match(path)) ?? (await caches.match(`${path}?drawn`)))"""
WAITING_TAPS = """() => new Promise((resolve) => {
  const opened = indexedDB.open("tallyroom-outbox", 1);
  opened.onsuccess = () => {
    const all = opened.result.transaction("taps").objectStore("taps").count();
    all.onsuccess = () => resolve(all.result);
  };
})"""
DELETE = """async () => {
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  await fetch("delete/", { method: "POST", headers, body: "{}" });
}"""


@pytest.fixture
def ann(device):
    page = start(device(phone=True), "victory-rummy")
    stored(page)
    return page


def path_of(page):
    return "/" + pad(page).split("/", 3)[3]


def not_stored(page, path):
    """Wait until the phone has nothing of this pad any more."""
    until(page, lambda: not page.evaluate(IS_STORED, path))


def forget(page):
    page.get_by_role("button", name="Forget on this phone").first.tap()


def test_a_deleted_pad_is_dropped_when_the_phone_hears_of_it(ann, device):
    bert, path = join(device(phone=True), ann), path_of(ann)
    stored(bert)
    start(bert, "rummy-1916", ("Bert", "Cora"))
    assert bert.evaluate(IS_STORED, path)
    ann.evaluate(DELETE)
    bert.goto("/")
    not_stored(bert, path)
    bert.context.set_offline(True)
    with suppress(Error):
        bert.goto(path)
    expect(bert.locator("#pad")).to_have_count(0)


def test_a_revoked_pad_that_is_open_goes_from_the_screen_and_from_the_store(ann, device):
    bert, path = join_hearing(device(phone=True), ann), path_of(ann)
    stored(bert)
    ann.goto(pad(ann) + "table/")
    ann.get_by_text("Other links").tap()
    ann.get_by_role("button", name="No player's link").tap()
    expect(bert.get_by_role("heading", name="No pad is open here")).to_be_visible()
    not_stored(bert, path)


def test_without_network_a_pad_says_that_it_may_be_gone(ann):
    ann.context.set_offline(True)
    ann.reload()
    expect(ann.locator("[data-net]")).to_contain_text(
        re.compile(r"As of \d+:\d\d.*, 0 entries; it may be gone by now")
    )


def test_a_pad_is_forgotten_on_this_phone(ann):
    path = path_of(ann)
    ann.goto("/")
    forget(ann)
    expect(ann.get_by_role("heading", name="Pads on this phone")).to_have_count(0)
    not_stored(ann, path)
    assert ann.goto(path).status == 404


def test_what_was_not_sent_is_forgotten_only_after_a_warning(ann):
    path = path_of(ann)
    ann.context.route(TAP, lambda route: route.abort())
    key(ann, "Ann: red victory, 10")
    expect(ann.locator("#waiting li")).to_have_count(1)
    ann.goto("/")
    ann.once("dialog", lambda dialog: dialog.dismiss())
    with ann.expect_event("dialog") as asked:
        forget(ann)
    assert "has not been sent" in asked.value.message
    expect(ann.get_by_role("heading", name="Pads on this phone")).to_be_visible()
    assert ann.evaluate(WAITING_TAPS) == 1
    ann.once("dialog", lambda dialog: dialog.accept())
    forget(ann)
    expect(ann.get_by_role("heading", name="Pads on this phone")).to_have_count(0)
    not_stored(ann, path)
    assert ann.evaluate(WAITING_TAPS) == 0


@pytest.mark.thorough
def test_without_scripts_a_pad_is_forgotten_too(device):
    ann = start(device(phone=True, java_script_enabled=False), "victory-rummy")
    path = path_of(ann)
    ann.goto("/")
    forget(ann)
    expect(ann.get_by_role("heading", name="Pads on this phone")).to_have_count(0)
    assert ann.goto(path).status == 404


def test_a_player_becomes_an_owner_by_the_owners_yes(ann, device, axe):
    bert, cora = join_hearing(device(phone=True), ann), join(device(phone=True), ann, "watch")
    bert.goto(pad(bert) + "table/")
    bert.locator("#seat").get_by_role("button", name="Bert").tap()
    opened(bert)
    bert.goto(pad(bert) + "table/")
    bert.get_by_text("Other links").tap()
    bert.get_by_role("button", name="Ask to become an owner").tap()
    expect(bert.locator(".handover")).to_contain_text("You have asked to become an owner")
    bert.goto(pad(bert))
    expect(bert.locator(".handover")).to_contain_text("You have asked to become an owner")
    expect(cora.locator(".handover")).to_contain_text("Bert asks to become an owner of this pad.")
    expect(ann.locator(".handover")).to_contain_text("You stay its owner.")
    assert axe(ann) == []
    ann.locator(".handover").get_by_role("button", name="Yes").tap()
    expect(cora.locator(".handover")).to_contain_text("the owner said yes")
    bert.get_by_role("button", name="Become an owner").tap()
    expect(bert.get_by_text("You are a new owner of this pad.")).to_be_visible()
    expect(bert.get_by_text("Delete this pad")).to_have_count(0)
    expect(cora.locator(".handover")).to_have_count(0)
