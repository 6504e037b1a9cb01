"""Nothing that a phone has acknowledged is lost: killed browsers, two tabs, full phones, moves cut off."""

import os
import random
import shutil

import pytest
from playwright.sync_api import expect

from tests.browser import kits
from tests.browser.conftest import CHROMIUM
from tests.browser.kits import SHARED, begin, enter, has, until

KILLS = int(os.environ.get("KILLS") or (200 if os.environ.get("SOAK") else 5))
SEED = int(os.environ.get("SEED") or 1)
TAPS_OF_A_TAB = 100
# Enters and strikes out for ever, one after the other; tells of each once it is acknowledged.
TAP_ON = """async ([path, name, most, isAlone]) => {
  const enter = async (id, entry) => {
    const headers = { Accept: "application/json", "Content-Type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify({ entries: [{ id, ...entry }] }) };
    const answer = await fetch(`${path}entries/`, sent);
    const told = await answer.json();
    if (!["stored", "known"].includes(told.results?.[0]?.status)) throw new Error(JSON.stringify(told));
    console.log(`acknowledged ${id}`);
  };
  // What was left standing by the kill before.
  const { log } = isAlone ? await (await fetch(`${path}log.json`)).json() : { log: [] };
  const struck = new Set(log.map(({ entry }) => entry.of));
  const standing = log.filter(({ id, entry }) => entry.type === "victory" && !struck.has(id));
  for (const { id } of standing) await enter(`${name}-${id}`, { type: "void", of: id });
  for (let number = 0; number < most; number += 2) {
    await enter(`${name}-${number}`, { type: "victory", player: "Ada", color: "red" });
    await enter(`${name}-${number + 1}`, { type: "void", of: `${name}-${number}` });
  }
}"""
BEGIN_TAPPING = (
    f"(asked) => void ({TAP_ON})(asked).catch(({{ message }}) => console.log(`failed ${{message}}`))"
)
IS_FULL = """() => {
  self.put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => { throw new DOMException("It is full.", "QuotaExceededError"); };
}"""
WRITES_NOTHING = "() => void (IDBObjectStore.prototype.put = () => {})"
# Two tabs begin at one signal, so that one is not done before the other begins.
BEGIN_TOGETHER = f"""(asked) => {{
  new BroadcastChannel("together").onmessage = () => ({BEGIN_TAPPING})(asked);
}}"""
SIGNAL = "() => new BroadcastChannel('together').postMessage('now')"
HAS_ROOM = "() => void (IDBObjectStore.prototype.put = self.put)"


@pytest.fixture
def killed_browser(chromium, tmp_path):
    browser = kits.OwnBrowser(chromium.browser_type, CHROMIUM, tmp_path / "profile")
    yield browser
    if browser.process.poll() is None:
        browser.kill()
    shutil.rmtree(browser.folder, ignore_errors=True)


def log(page, here):
    told = page.evaluate("async (path) => (await fetch(path)).json()", f"{here}log.json")
    return [entry["id"] for entry in told["log"]]


def test_a_browser_killed_in_the_middle_of_taps_has_kept_what_it_acknowledged(kit_site, killed_browser):
    chance = random.Random(SEED)
    page = killed_browser.open(f"{kit_site.url}/phone/")
    page.get_by_role("button", name="Take it along").click()
    expect(page.get_by_text("Ready. This phone")).to_be_visible(timeout=kits.PATIENCE)
    page.goto(f"{kit_site.url}/pads/here-new/?game=victory-rummy")
    kits.fill(page)
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(kits.HERE)
    acknowledged = set()
    for kill in range(KILLS):
        page, told = tap_and_kill(killed_browser, page, f"k{kill}", chance.uniform(0, 400))
        acknowledged |= told
        kept = log(page, page.url)
        assert acknowledged - {*kept} == set()
        assert len(kept) == len({*kept})
    assert len(acknowledged) >= KILLS
    # The control: one that acknowledges what it does not write.
    (python,) = page.workers
    python.evaluate(WRITES_NOTHING)
    page, told = tap_and_kill(killed_browser, page, "control", 0)
    assert told - {*log(page, page.url)}


def tap_and_kill(browser, page, name, after):
    """The page as it is found again, and the entries that were acknowledged until all was killed."""
    here, heard = page.url, []
    page.on("console", lambda message: heard.append(message.text))
    with page.expect_console_message():
        page.evaluate(BEGIN_TAPPING, [here, name, 400, True])
    page.wait_for_timeout(after)
    browser.kill()
    assert strange(heard) == []
    page = browser.open(here)
    has_pad(page)
    return page, {message.partition(" ")[2] for message in heard}


def strange(messages):
    return [message for message in messages if not message.startswith("acknowledged ")]


def has_pad(page):
    expect(page.locator("#pad[data-head]")).to_be_visible(timeout=kits.PATIENCE)


@pytest.fixture
def phone(kit_phone):
    kits.take_along(kit_phone)
    begin(kit_phone, "victory-rummy")
    return kit_phone


@pytest.mark.thorough
def test_two_tabs_that_tap_at_the_same_time_lose_nothing(phone):
    here = phone.url
    other = phone.context.new_page()
    other.goto(here)
    has_pad(other)
    acknowledged = []
    for page, name in ((phone, "a"), (other, "b")):
        page.on("console", lambda message: acknowledged.append(message.text))
        page.evaluate(BEGIN_TOGETHER, [here, name, TAPS_OF_A_TAB, False])
    phone.evaluate(SIGNAL)
    until(phone, lambda: len(acknowledged) >= 2 * TAPS_OF_A_TAB or strange(acknowledged))
    assert strange(acknowledged) == []
    kept = log(phone, here)
    assert sorted(f"acknowledged {name}" for name in kept) == sorted(acknowledged)
    # They took turns: neither had to wait until the other was done.
    tabs = [name[0] for name in kept]
    assert tabs != sorted(tabs)


def test_without_room_a_phone_says_so_and_keeps_the_tap(phone):
    enter(phone, 0, 1)
    (python,) = phone.workers
    python.evaluate(IS_FULL)
    phone.locator("#keys button").nth(1).click()
    expect(phone.locator("main")).to_contain_text("room left")
    has(phone, 1)
    python.evaluate(HAS_ROOM)
    has(phone, 2)
    phone.reload()
    has(phone, 2)


@pytest.mark.thorough
def test_a_move_whose_answer_is_lost_is_one_pad_and_what_came_meanwhile_comes_after_it(kit_site, phone):
    enter(phone, 0, 1)
    here, answers = phone.url, []

    def lose(route):
        answers.append(route.fetch().json())
        if len(answers) == 1:
            route.abort()
        else:
            route.fulfill(json=answers[-1])

    def hold(route):
        # While the answer is on its way another tab goes on.
        enter(other, 1, 2)
        lose(route)

    phone.context.route("**/pads/move/", lose)
    phone.goto(f"{here}table/")
    phone.get_by_role("button", name="Move it to the site").click()
    expect(phone.locator("#moving")).to_contain_text("No network. The pad stays on this phone")
    other = phone.context.new_page()
    other.goto(here)
    has(other, 1)
    phone.context.unroute("**/pads/move/")
    phone.context.route("**/pads/move/", lose)
    phone.context.route("**/pads/move/", hold, times=1)
    phone.get_by_role("button", name="Move it to the site").click()
    phone.wait_for_url(SHARED)
    has(phone, 2)
    assert len({answer["pad"] for answer in answers}) == 1
