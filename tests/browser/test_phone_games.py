"""Each game is played to its end on a phone while the site is stopped, and comes to the site as it was."""

import json
from random import Random

import pytest

import engine
from tests.browser import kits
from tests.browser.kits import HERE, SHARED, has
from tests.engine.random_games import PROPOSE, random_correction

pytestmark = pytest.mark.thorough
NAMES = ("Ada", "Ben", "Cy")
ENTRIES_MOST = 150
INTERRUPTED_EVERY = 9
ENTER = """async ([path, entry]) => {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify({ entries: [entry] }) };
  return (await (await fetch(`${path}entries/`, sent)).json()).results[0].status;
}"""
READ = "async (path) => (await fetch(path)).json()"


@pytest.fixture
def phone(kit_phone):
    kits.take_along(kit_phone)
    return kit_phone


def test_each_game_is_played_to_its_end_and_handed_over(kit_site, phone):
    played = {}
    kit_site.stop()
    try:
        phone.context.set_offline(True)
        for game in engine.GAMES:
            kits.begin(phone, game)
            here = phone.url
            phone = play(phone, here, game)
            played[here] = phone.evaluate(READ, f"{here}pad.json")
    finally:
        kit_site.start()
    phone.context.set_offline(False)
    for here, kept in played.items():
        phone.goto(f"{here}table/")
        phone.get_by_role("button", name="Move it to the site").click()
        phone.wait_for_url(SHARED)
        assert phone.evaluate(READ, f"{phone.url}pad.json") == kept
        phone.goto(here)
        phone.wait_for_url(SHARED)


def play(page, here, game):
    """Play until the game has ended, with corrections of all kinds; the page as it is found at last."""
    chance = Random(game)
    position = engine.replay(page.evaluate(READ, f"{here}pad.json")["sheet"])
    for number in range(ENTRIES_MOST):
        corrects = number % 5 == 4
        propose = random_correction if corrects else PROPOSE[game]
        entry = {**propose(chance, position), "id": f"e{number}"}
        try:
            position = position.enter(entry)
        except engine.Refused:
            assert page.evaluate(ENTER, [here, entry]) == "refused"
            continue
        assert page.evaluate(ENTER, [here, entry]) == "stored"
        if number % INTERRUPTED_EVERY == INTERRUPTED_EVERY - 1:
            page = interrupt(chance.choice((reload, close, stop_service_worker)), page, here)
            has(page, len(position.entries))
        if position.ended:
            break
    assert position.ended
    expected = json.loads(json.dumps(position.result().as_dict()))
    found = page.evaluate(READ, f"{here}result.json")
    assert {key: found[key] for key in expected} == expected
    return page


def interrupt(how, page, here):
    found = how(page) or page
    if not HERE.search(found.url):
        found.goto(here)
    return found


def reload(page):
    page.reload()


def close(page):
    """The only tab is closed; the next one starts Python by itself."""
    following = page.context.new_page()
    page.close()
    return following


def stop_service_worker(page):
    debugger = page.context.new_cdp_session(page)
    debugger.send("ServiceWorker.enable")
    debugger.send("ServiceWorker.stopAllWorkers")
    debugger.detach()
    page.reload()
