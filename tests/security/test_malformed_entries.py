"""Malformed entries that were struck out or replaced: shown as they were sent, and a fault nowhere."""

import os

import pytest

import engine
from tests.scorepad.conftest import Phone, browser_of, seated
from tests.security import malformed_entries

PAGES = ["", "fragment/", "table/", "history/", "after/", "print/", "why/0/"]
FILES = [
    "sheet.json", "result.json", "pad.json", "log.json", "play.json", "about.json", "draft.json", "sheet.csv",
]  # fmt: skip

SOAK = bool(os.environ.get("SOAK"))


def import_sheet(sheet):
    answer = Phone(None).post("/pads/import/", sheet)
    assert answer.status_code == 201, answer.content
    return seated(answer.json())


def walk(table, entry_ids):
    """Ask every address of a pad; return those that are at fault."""
    browser = browser_of(table.keeper)
    browser.raise_request_exception = False
    table.keeper.client.raise_request_exception = False
    at = f"/pads/{table.code}/"
    asked = [*PAGES, *FILES, *(f"correct/{name}/" for name in entry_ids[::3])]
    asked += [f"result.json?at={step}" for step in (1, 2, 13)]
    answers = {path: browser.get(at + path) for path in asked}
    for step in range(table.pad.entries.count() + 1):
        path = f"history/?at={step}"
        answers[path] = browser.get(at + path, headers={"X-Fragment": "1"})
    for name in entry_ids[-2:]:
        answers[f"strike {name}"] = post_form(browser, f"{at}correct/{name}/", {"strike": "1"})
        answers[f"preview {name}"] = table.keeper.post("preview/", {"type": "void", "of": name})
    return [path for path, answer in answers.items() if answer.status_code >= 500]


def post_form(browser, address, form):
    browser.cookies["csrftoken"] = "a" * 32
    return browser.post(address, form, headers={"X-CSRFToken": "a" * 32})


@pytest.mark.django_db
@pytest.mark.parametrize("game", engine.GAMES)
def test_no_address_of_a_pad_is_at_fault_for_what_does_not_stand(game):
    faults = []
    for number, sheet in enumerate(chosen_sheets(game)):
        table = import_sheet(sheet)
        ids = [entry["id"] for entry in sheet["entries"] if "id" in entry]
        faults += [f"sheet {number}: {path}" for path in walk(table, ids)]
    assert not faults, f"{len(faults)} faults: {faults[:20]}"


def chosen_sheets(game):
    """All of them where there is time, else one: from game to game another way of correcting."""
    every = list(malformed_entries.sheets(game))
    return every if SOAK else [every[5 * list(engine.GAMES).index(game)]]


SHEET = {
    "tally": 1,
    "game": "victory-rummy",
    "players": ["Ada", "Ben"],
    "entries": [
        {"id": "g0", "type": "victory", "player": "Ada", "color": "red"},
        {"id": "b0", "type": "axis", "player": {"Zoe": ["<b>"]}, "cards": "many"},
        {"id": "v0", "type": "void", "of": "b0"},
    ],
}
WORDS = (
    "{&quot;type&quot;: &quot;axis&quot;, &quot;player&quot;: {&quot;Zoe&quot;: [&quot;&lt;b&gt;&quot;]}, "
)


@pytest.mark.django_db
def test_what_does_not_stand_is_shown_as_it_was_sent():
    table = import_sheet(SHEET)
    browser = browser_of(table.keeper)
    for path in ("", "history/", "history/?at=3", "correct/b0/"):
        assert WORDS in browser.get(f"/pads/{table.code}/{path}").content.decode(), path
    for path in ("sheet.json", "pad.json", "log.json"):
        assert '{"Zoe": ["<b>"]}' in table.keeper.get(path).content.decode(), path
    page = browser.get(f"/pads/{table.code}/history/?at=2")
    assert page.status_code == 200 and "was corrected later: " in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("game", engine.GAMES)
def test_it_is_still_as_it_was_sent_when_seats_have_other_names(game):
    sheet = chosen_sheets(game)[-1]
    table = import_sheet(sheet)
    before = table.keeper.get("sheet.json").json()["entries"]
    names = sheet["players"]
    new = {name: f"{name}{name}" for name in names}
    assert table.keeper.post("names/", {"players": list(new.values())}).status_code == 200
    after = table.keeper.get("sheet.json").json()
    assert after["players"] == list(new.values())
    back = {value: key for key, value in new.items()}
    assert renamed(after["entries"], back) == before


def renamed(value, names):
    if isinstance(value, dict):
        return {names.get(key, key): renamed(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


@pytest.mark.django_db
def test_chips_are_counted_though_the_log_did_not_stand_at_an_earlier_count():
    pad = {"pad": 1, "sheet": SHEET, "checks": [{"head": 2, "counted": [0, 0]}]}
    table = import_sheet(pad)
    counted = table.keeper.result()["totals"]
    answer = table.keeper.post("checks/", {"counted": counted})
    assert answer.status_code == 200, answer.content
