"""Every page of every golden sheet, drawn by Python in Chromium, is the page that the site draws."""

import difflib
import json
import re

import pytest

import engine
from engine.declared.golden import pinned_sheet
from tests.browser import kits
from tests.browser.pace import AT_ONCE
from tests.browser.pads import asks, key, shows_totals
from tests.browser.site import ROOT
from tests.engine.declarations import EXAMPLES, KEYS, example

LINES_SHOWN = 12
SHEETS = ROOT / "fixtures" / "sheets"
PAGES = (
    *("", "fragment/", "help/", "table/", "history/", "after/", "print/", "board/", "code/", "readings/"),
    *("result.json", "log.json", "pad.json", "play.json", "about.json", "sheet.json", "sheet.csv"),
)
# In Python of the page, as its service worker asks it.
ASK = """async ([method, path, body]) => {
  const host = performance.getEntriesByType("resource").find(({ name }) => name.includes("/js/phone/host."));
  const { ask } = await import(host.name);
  const headers = { host: location.host, origin: location.origin, "content-type": "application/json" };
  const told = await ask({ method, path, headers, body: new TextEncoder().encode(body).buffer });
  return { status: told.status, text: new TextDecoder().decode(told.body) };
}"""
ASK_ALL = """async (paths) => {
  const host = performance.getEntriesByType("resource").find(({ name }) => name.includes("/js/phone/host."));
  const { ask } = await import(host.name);
  const headers = { host: location.host, origin: location.origin };
  const found = [];
  for (const path of paths) {
    const told = await ask({ method: "GET", path, headers, body: new ArrayBuffer(0) });
    found.push([told.status, new TextDecoder().decode(told.body)]);
  }
  return found;
}"""
# All that may differ: what only one of the two has…
OF_ONE = (
    r'\n<script type="module" src="/static/js/phone/page\.[0-9a-f]{12}\.js"></script>\n',
    r'\n<p class="status__plays"><a href="/pads/CODE/table/">Only on this phone</a></p>\n',
    r'\n +\n<section>\s+<h2 class="band-title">Only on this phone</h2>.*?</section>\n\n +',
    r'\n +<section id="clubs">.*?</section>\n +',
    r'\n +<div class="printed__qr">.*?<p>Watch</p></div>\n +',
    r'\n +<section>\s+<h2 class="band-title">Join</h2>.*?<section id="board-link">.*?</section>\n +',
    r'\n +<p><a href="/phone/">Play without network</a>.*?</p>\n +',
    r'\n +Nowhere to connect\? <a href="/phone/">Play without network</a>\.\n +',
)
# … and what chance, the clock and the names of pads have made.
OF_CHANCE = (
    (r'<input type="hidden" name="csrfmiddlewaretoken" value="[^"]*">', ""),
    (r'viewBox="0 0 \d+ \d+" class="qr"><path stroke="#000" d="[^"]*"', "QR"),
    (r"/q/[0-9A-Z.]+", "ADDRESS OF THE QR CODE"),
    (r'https://app\.bgstatsapp[^"]*', "BGSTATS"),
    (r"\b[0-9a-f]{32}\b", "ID"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:?00)", "TIME"),
    (r"\b\d?\d:\d\d\b", "TIME"),
)


def cases(game):
    return json.loads((SHEETS / f"{game}.json").read_text())


def plain(page, code):
    page = page.replace(code, "CODE")
    for pattern in OF_ONE:
        page = re.sub(pattern, "", page, flags=re.S)
    for pattern, words in OF_CHANCE:
        page = re.sub(pattern, words, page)
    return page


def with_ids(sheet):
    """The same sheet with ids of its entries, so that both have the same."""
    entries = [
        {"id": f"e{place}", **entry} if isinstance(entry, dict) else entry
        for place, entry in enumerate(sheet.get("entries") or [])
    ]
    return {**sheet, "entries": entries}


def addresses(sheet, lines):
    own = [entry["id"] for entry in sheet["entries"]]
    whys = [f"why/{number}/" for number in range(lines)]
    return [*PAGES, *whys, *(f"correct/{name}/" for name in own)]


def differences(phone, sheet):
    """The addresses whose answers differ; an import that is refused has one answer."""
    ours = phone.request.post("/pads/import/", data=sheet, headers=AT_ONCE)
    theirs = phone.evaluate(ASK, ["POST", "/pads/import/", json.dumps(sheet)])
    assert theirs["status"] == ours.status, theirs["text"]
    if ours.status != 201:
        return [] if theirs["text"] == ours.text() else [(theirs["text"], ours.text())]
    made = [ours.json(), json.loads(theirs["text"])]
    codes = [one["pad"].split("/")[2] for one in made]
    phone.request.get(made[0]["keep"], headers=AT_ONCE)
    phone.evaluate(ASK_ALL, [f"/pads/{made[1]['keep'].partition('/pads/')[2]}"])
    lines = len(phone.request.get(f"/pads/{codes[0]}/result.json", headers=AT_ONCE).json()["lines"])
    paths = addresses(sheet, lines)
    drawn = phone.evaluate(ASK_ALL, [f"/pads/{codes[1]}/{path}" for path in paths])
    found = []
    for path, (status, text) in zip(paths, drawn, strict=True):
        told = phone.request.get(f"/pads/{codes[0]}/{path}", headers=AT_ONCE)
        lines = [plain(one, code).splitlines() for one, code in ((text, codes[1]), (told.text(), codes[0]))]
        # What is not there either says in its own words.
        if status != told.status or (status != 404 and lines[0] != lines[1]):
            found.append(f"{path} {status} {told.status}")
            found += list(difflib.unified_diff(*lines, "phone", "site", lineterm="", n=1))[:LINES_SHOWN]
    phone.evaluate(ASK, ["POST", f"/pads/{codes[1]}/delete/", ""])
    return found


@pytest.fixture
def phone(kit_phone):
    kits.take_along(kit_phone)
    kit_phone.goto("/pads/here/")
    return kit_phone


def test_the_pages_of_a_game_of_each_kind_are_the_sites(phone):
    for game in engine.GAMES:
        (sheet, *_) = [case["sheet"] for case in cases(game) if "error" not in case][-1:]
        assert differences(phone, with_ids(sheet)) == [], game


@pytest.mark.thorough
@pytest.mark.parametrize("game", list(engine.GAMES))
def test_the_pages_of_every_golden_sheet_are_the_sites(phone, game):
    for case in cases(game):
        assert differences(phone, with_ids(case["sheet"])) == [], case["name"]


@pytest.mark.thorough
@pytest.mark.parametrize("game", KEYS)
def test_the_pages_of_every_golden_sheet_of_a_declared_game_are_the_sites(phone, game):
    for case in json.loads((EXAMPLES / game / "sheets.json").read_text()):
        sheet = pinned_sheet(example(game), with_ids(case["sheet"]))
        assert differences(phone, sheet) == [], case["name"]


@pytest.mark.thorough
def test_a_declared_game_is_played_to_its_end_without_network(kit_site, phone):
    sheet = {"tally": 1, "game": "rook", "players": ["Us", "Them"], "options": {"target": 100}}
    told = phone.evaluate(ASK, ["POST", "/pads/import/", json.dumps(pinned_sheet(example("rook"), sheet))])
    assert told["status"] == 201, told["text"]
    phone.goto(f"/pads/{json.loads(told['text'])['keep'].partition('/pads/')[2]}")
    phone.context.set_offline(True)
    kit_site.stop()
    phone.get_by_role("button", name="I keep the score").tap()
    for who, bid, taken in (("Us", "70", "85"), ("Them", "40", "20+10")):
        asks(phone, "Which side had the bid?")
        key(phone, who)
        for number in (bid, taken):
            for sign in number:
                key(phone, "plus" if sign == "+" else sign)
            key(phone, "Enter")
    shows_totals(phone, 175, -5)
    phone.get_by_role("heading", name="Us win.").wait_for()
    kit_site.start()
    phone.context.set_offline(False)
