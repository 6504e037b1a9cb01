"""Every state of entry of all games, and of drawn pads, on every screen: totals and keys together.

A phone held sideways, a tablet, a desk. States are reached by the JSON addresses; what is measured is where
the server's drawing lies in the window, so that scripts are not needed, and half the time is saved.
"""

import pytest

from engine.declared.golden import pinned_sheet
from tests.browser.pads import asks, links
from tests.engine.declarations import example

FOUR = ("Ann", "Bert", "Cora", "Dan")
SIX = (*FOUR, "Emil", "Friederike-Luise")
EIGHT = (*SIX, "Gus", "Hanna")
SCREENS = {"sideways": (740, 360), "tablet": (820, 1180), "desk": (1280, 800)}
# The names of what is out of sight: totals and keys that leave the window or are cut off by what they lie in.
OUT_OF_SIGHT = """() => {
  const faults = [];
  const wide = document.scrollingElement;
  if (wide.scrollWidth > innerWidth) faults.push(`${wide.scrollWidth} wide`);
  if (wide.scrollHeight > innerHeight) faults.push(`${wide.scrollHeight} tall`);
  const clips = (style) => /hidden|auto|scroll|clip/.test(style.overflow);
  const named = (one) => (one.getAttribute("aria-label") ?? one.textContent).replace(/\\s+/g, " ").trim();
  const cut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2;
  const totals = ".seat__total, .count output, .stack output, .hand";
  const keys = "#keys :is(button, a, summary, label), #sheet .rack :is(button, a), #sheet .equals button, " +
    "#sheet .round-grid :is(button, a, output), #last :is(button, a)";
  for (const one of document.querySelectorAll(`${totals}, ${keys}`)) {
    if (!one.checkVisibility()) continue;
    const box = one.getBoundingClientRect();
    const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let above = one.parentElement; above; above = above.parentElement) {
      if (!clips(getComputedStyle(above))) continue;
      const edge = above.getBoundingClientRect();
      seen.left = Math.max(seen.left, edge.left);
      seen.top = Math.max(seen.top, edge.top);
      seen.right = Math.min(seen.right, edge.right);
      seen.bottom = Math.min(seen.bottom, edge.bottom);
    }
    const over = Math.max(seen.left - box.left, seen.top - box.top, box.right - seen.right,
      box.bottom - seen.bottom);
    if (over > 1) faults.push(`${named(one)} by ${Math.round(over)}`);
    else if (one.matches("button, output") && cut(one)) {
      faults.push(`${named(one)} is clipped`);
    }
  }
  return faults;
}"""
# One part is beside the other where neither begins before the other ends.
IS_BESIDE = """([one, other]) => {
  const [a, b] = [one, other].map((name) => document.querySelector(name).getBoundingClientRect());
  return a.right <= b.left + 1 || b.right <= a.left + 1;
}"""
BESIDE = {"sideways": ("#seats", "#keys"), "tablet": ("#sheet", "#keys"), "desk": ("#sheet", "#keys")}


class Table:
    """One pad on this page: what is entered, and what is begun, by its JSON addresses."""

    def __init__(self, page, game, names=FOUR, **options):
        wish = {"game": game, "players": names, "options": options}
        address = "/pads/"
        if game in DECLARED:
            address = "/pads/import/"
            wish = pinned_sheet(example(game), {"tally": 1, **wish, "entries": []})
        made = page.request.post(address, data=wish).json()
        self.page, self.address = page, made["pad"]
        links[made["pad"].split("/")[2]] = made
        page.goto(made["keep"])
        self.headers = {"Authorization": f"Bearer {made['keep'].rpartition('/')[2]}"}

    def post(self, place, data):
        answer = self.page.request.post(self.address + place, data=data, headers=self.headers)
        assert answer.ok, answer.text()
        return answer.json()

    def enter(self, *entries):
        for result in self.post("entries/", {"entries": entries})["results"]:
            assert result["status"] == "stored", result

    def begin(self, kind, *parts):
        self.post("draft/", {"type": kind, "put": parts})

    def drop(self):
        self.post("draft/drop/", {})

    def show(self, looking=""):
        self.page.goto(self.address + looking)


def part(field, value, player=None, **more):
    return {"field": field, "value": value, **({"player": player} if player else {}), **more}


def victory_rummy(page):
    names = ("Ann", "Bert", "Cora", "Maximiliane")
    table = Table(page, "victory-rummy", names, target=360)
    yield "nothing entered"
    for _ in range(3):
        for name in names:
            table.enter(victory(name, "blue"), victory(name, "blue"), {**AXIS, "player": name})
    table.show()
    yield "a long sheet"
    table.enter({"type": "capture", "player": "Bert"}, victory("Bert", "red"))
    table.show()
    yield "how many AXIS cards"
    for _ in range(4):
        table.enter({**AXIS, "player": "Bert"}, {"type": "capture", "player": "Bert"}, victory("Bert", "red"))
    table.show()
    yield "the end"


def thumbs_up(page):
    table = Table(page, "thumbs-up", EIGHT, sets=2, hands=3, stake=300)
    yield "who showed Thumbs Up"
    table.begin("hand", part("winner", "Bert"))
    table.show()
    yield "blocks, none yet"
    table.show("?by=points&at=losers/Ann&again=1")
    yield "what does Ann pay"
    blocks = ["blue dot", "blue dash", "green dot", "green v", "red liberty"]
    table.begin("hand", part("losers", {"blocks": blocks}, "Ann"))
    table.show("?at=losers/Ann&again=1")
    assert page.locator(".equals").is_visible()
    yield "blocks, equal colours"
    paid = {name: {"points": 25} for name in EIGHT if name != "Bert"}
    table.begin("hand", *(part("losers", value, name) for name, value in paid.items()))
    table.show()
    yield "who was the last to notice"
    table.drop()
    hand = {"type": "hand", "winner": "Bert", "losers": paid, "last": "Ann"}
    table.enter(hand, hand)
    table.show()
    yield "two hands played"
    table.enter(hand)
    table.show()
    yield "the end"


def rap_rummy(page):
    table = Table(page, "rap-rummy", SIX)
    yield "who rapped"
    table.begin("hand", part("rapper", "Bert"))
    table.show()
    yield "a count"
    page.locator(".more summary").click()
    yield "more counts"
    cards = ["B1", "B2", "B3", "D9", "F4", "C2"]
    table.begin("hand", part("hands", {"cards": cards[:5]}, "Ann", open=True))
    table.show("?by=cards&at=hands/Ann")
    yield "cards and melds"
    table.drop()
    counts = zip(SIX[:5], (3, 3, 4, 5, 6), strict=True)
    hands = [part("hands", {"count": count}, name) for name, count in counts]
    table.begin("hand", part("rapper", None, none=True), *hands)
    table.show()
    page.get_by_role("button", name=f"{SIX[5]}: 7", exact=True).click()
    asks(page, "Who has the lowest set")
    yield "who has the lowest set"
    table.drop()
    hand = {"type": "hand", "rapper": "Bert", "hands": {name: {"count": 9} for name in SIX}}
    table.enter(*([{**hand, "hands": {**hand["hands"], "Bert": {"count": 2}}}] * 5))
    table.show()
    yield "five hands played"
    table.begin("hand", part("rapper", "Ann"), *(part("hands", {"count": 4}, name) for name in FOUR))
    table.show()
    yield "a count after five hands"
    table.drop()
    table.enter({**hand, "hands": {**hand["hands"], "Bert": {"count": 2}}})
    table.show()
    yield "the end"


def rummy_1926(page):
    table = Table(page, "rummy-1926", SIX)
    yield "who ran out of cards"
    table.begin("hand", part("winner", "Bert"))
    table.show("?by=cards&at=hands/Ann")
    yield "cards"
    table.show("?by=count&at=hands/Ann")
    yield "a count"
    table.drop()
    hand = {"type": "hand", "winner": "Bert", "hands": {n: {"count": 9} for n in SIX if n != "Bert"}}
    table.enter(*([hand] * 5))
    table.begin("hand", part("winner", "Bert"))
    table.show()
    yield "a count after five hands"
    table.drop()
    table.enter(hand)
    table.show()
    yield "the end"


def rummy_1916(page):
    table = Table(page, "rummy-1916", SIX)
    yield "who ran out of cards"
    table.begin("hand", part("winner", "Bert"))
    table.show("?by=count&at=hands/Ann")
    yield "a count"
    table.show("?by=cards&at=hands/Ann")
    yield "cards"


def victor_or_victim(page):
    table = Table(page, "victor-or-victim", SIX)
    yield "first letters, none yet"
    table.begin("setup", part("cards", ["red V", "red I"], "Ann", open=True))
    table.show()
    yield "first letters, two"
    table.drop()
    cards = {name: ["red V", "blue I", "yellow C"] for name in SIX}
    table.enter({"type": "setup", "cards": cards})
    for name in SIX * 2:
        table.enter({"type": "turn", "player": name, "draw": "blue T", "pass": ["red V"]})
    table.show()
    yield "draws"
    for draw, words in (
        ("red C", "one to pass"),
        ("pass-two", "two to pass"),
        ("acquisition", "one to take"),
    ):
        table.begin("turn", part("player", "Ann"), part("draw", draw))
        table.show()
        yield words
        table.drop()


def drawn(page):
    table = Table(page, "rum-500", EIGHT)
    entry = {"type": "deal", "cards": {name: {"laid": 145, "held": 1000} for name in EIGHT}}
    table.enter(entry, entry)
    table.begin("deal", *(part("cards", {"laid": 1000, "held": 105}, name) for name in EIGHT[:3]))
    table.show()
    yield "a grid of eight players"
    table = Table(page, "hearts", ("Ann", "Bert", "Cora", "Friederike-Luise"))
    table.begin("hand", *(part("took", {"hearts": 3}, name) for name in FOUR[:3]))
    table.show()
    yield "a grid and keys for each number"
    table.begin("hand", part("took", {"hearts": 4}, "Friederike-Luise"))
    table.show()
    yield "what may be left out, of each"
    table = Table(page, "pit", FOUR)
    table.begin("corner_called", part("player", "Ann"), part("grain", "wheat"))
    table.show()
    yield "what may be left out"
    table = Table(page, "rook", ("Ann & Bert", "Cora & Friederike-Luise"))
    table.begin("round", part("bidder", "Ann & Bert"))
    table.show()
    yield "a number of any size"


DECLARED = ("rum-500", "hearts", "pit", "rook")
AXIS = {"type": "axis", "cards": 0}
GAMES = (victory_rummy, thumbs_up, rap_rummy, rummy_1926, rummy_1916, victor_or_victim, drawn)


def victory(name, color):
    return {"type": "victory", "player": name, "color": color}


@pytest.mark.parametrize("states", GAMES, ids=lambda states: states.__name__)
def test_totals_and_keys_are_in_sight_on_every_screen(device, states):
    page, faults = device(java_script_enabled=False), []
    for state in states(page):
        for screen, (width, height) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            faults += [f"{state}, {screen}: {fault}" for fault in page.evaluate(OUT_OF_SIGHT)]
            if not page.evaluate(IS_BESIDE, BESIDE[screen]):
                faults.append(f"{state}, {screen}: {BESIDE[screen]} are not side by side")
    assert faults == []
