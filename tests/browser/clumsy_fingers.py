"""Clumsy fingers: four phones at one table enter the script of an evening, with all that goes wrong there.

Fingers bounce and hit the wrong key, two phones record the same at once, messages and their answers are
lost, taps are undone and made again. The hand knows no game: it looks which key brings the entry nearer, as a
person does.
"""

import json
import time
from collections import Counter
from random import Random

from playwright.sync_api import Error

import engine
from tests.browser.pads import (
    BOUNCE_MILLISECONDS,
    FINGER_MILLISECONDS,
    TAP,
    join,
    links,
    pad,
    start,
    touch,
    until,
)
from tests.engine.random_games import PROPOSE

SEATS = ("Ann", "Bert", "Cora", "Dan")
TRIES_MOST = 80
TAPS_MOST = 80
MISSED_SECONDS = 5
COUNT_MOST = 41
"""The highest count that has a key of its own."""
OUTBOX = """() => new Promise((resolve) => {
  const request = indexedDB.open("tallyroom-outbox");
  request.onsuccess = () => {
    const database = request.result;
    const all = database.transaction("taps").objectStore("taps").getAll();
    all.onsuccess = () => {
      const code = document.getElementById("pad").dataset.code;
      database.close();
      resolve(all.result.filter((tap) => tap.pad === code));
    };
  };
})"""
KEYS = """() => [...document.querySelectorAll("#pad button[form=tap]")]
  .filter((key) => ["enter", "part"].includes(key.name) && key.dataset.undo === undefined)
  .filter((key) => key.checkVisibility())
  .map((key) => ({name: key.name, value: key.value, collects: "collects" in key.dataset,
    refused: key.getAttribute("aria-disabled") === "true"}))"""
SAVED = """
  window.saved = 0;
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...given) {
    if (this.name === "taps") window.saved += 1;
    return put.apply(this, given);
  };
"""
"""Counts what a phone has written into its outbox."""
WAYS = "() => [...document.querySelectorAll('#pad [data-by]')].map((way) => way.dataset.by)"


class Phone:
    """One phone and its thumb. A tap is two touches where the finger bounces."""

    def __init__(self, page, rng):
        self.page, self.rng = page, rng
        self.fingers = page.context.new_cdp_session(page)
        self.last = (0.0, (0.0, 0.0))
        self.done = Counter()
        self.is_away = False
        page.context.route(TAP, self.carry)
        page.context.add_init_script(SAVED)

    def carry(self, route):
        """The network: now and then a message is lost, or it is heard and its answer is lost."""
        chance = self.rng.random()
        if chance < 0.12 and not self.is_away:
            self.done["lost"] += 1
            route.fetch()
        elif chance < 0.18 or self.is_away:
            self.done["unheard"] += 1
        else:
            route.continue_()
            return
        route.abort()

    def leave(self, is_away=True):
        """Go out of the network's reach, or come back. The tests themselves would still reach the site."""
        self.is_away = is_away
        self.page.context.set_offline(is_away)

    def tap(self, found, collects=False, clumsy=True, is_tap=True):
        """Tap a key once it hears, twice where the finger bounces. A tap is on the phone before this ends.

        Gives when it was touched; never, where the key was replaced under the finger: the person will see.
        """
        page = self.page
        try:
            at = self.aim(found)
        except Error:  # it has just been replaced
            self.done["missed"] += 1
            return []
        since, before = self.last
        apart = BOUNCE_MILLISECONDS if max(abs(a - b) for a, b in zip(at, before, strict=True)) < 30 else 0
        page.wait_for_timeout(max(0, max(apart, FINGER_MILLISECONDS) - (time.monotonic() - since) * 1000))
        touches = [0.0]
        if clumsy and self.rng.random() < 0.4:
            touches.append(self.rng.uniform(0.011, 0.07) if collects else self.rng.uniform(0.011, 0.4))
            self.done["bounced"] += 1
        saved = page.evaluate("window.saved")
        touch(self.fingers, at, touches)
        self.last = (time.monotonic(), at)
        if is_tap and not self.heard(lambda: page.evaluate("window.saved") > saved):
            self.done["missed"] += 1
            return []
        return touches

    def aim(self, found):
        """The middle of a key, once it hears."""
        found.wait_for(timeout=MISSED_SECONDS * 1000)
        self.page.locator("#pad:not([data-deaf])").wait_for()
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        if box is None:
            raise Error("It is gone.")
        return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def heard(self, condition):
        """True once it is so; False if nothing comes of a tap, as far as a person would wait."""
        deadline = time.monotonic() + MISSED_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(20)
        return True

    def turn(self, way):
        """Turn to another way of answering, as often as it takes: what appears hears nothing at first."""

        def is_turned():
            self.tap(self.page.locator(f"#pad [data-by='{way}']").first, clumsy=False, is_tap=False)
            turned = self.page.locator(f"#keys[data-place$='/{way}']")
            return self.heard(lambda: turned.count())

        until(self.page, is_turned)

    def settle(self, meant=False):
        """Wait until each tap of this phone is judged; answer its questions, put away what was refused.

        What was meant is another one than the same before; what two phones have tapped is the same.
        """
        until(self.page, lambda: self.is_settled(meant))

    def is_settled(self, meant):
        page = self.page
        try:
            waiting = page.evaluate(OUTBOX)
        except Error:  # the page is on its way somewhere
            return False
        if not waiting:
            return True
        asked = [tap for tap in waiting if tap.get("asked")]
        refused = [tap for tap in waiting if tap.get("refused")]
        if asked and len(asked) + len(refused) == len(waiting):
            answers = page.locator("#asked button")
            other = answers.filter(has_text="Another one")
            answer = other.first if meant and other.count() else answers.first
            if answer.is_visible():
                self.done["asked"] += 1
                self.tap(answer, clumsy=False, is_tap=False)
        elif refused and len(refused) == len(waiting):
            away = page.locator("#waiting button", has_text="Discard").first
            if away.is_visible():
                self.done["refused"] += 1
                away.tap()
        return False


class Table:
    """Four phones on one pad, and the script of what was meant."""

    def __init__(self, device, game, seed, **options):
        self.rng = Random(f"{game} {seed}")
        self.game, self.script, self.story = game, [], []
        self.done = Counter()
        pages = [device(phone=True) for _ in SEATS]
        self.phones = [Phone(page, self.rng) for page in pages]
        self.open(**options)

    def open(self, **options):
        """A new pad on all four phones."""
        first, *others = [phone.page for phone in self.phones]
        start(first, self.game, SEATS, **options)
        for page in others:
            join(page, first)
        code = first.url.split("/")[4]
        self.address, self.script = pad(first), []
        self.headers = {"Authorization": f"Bearer {links[code]['keep'].rpartition('/')[2]}"}
        self.position = engine.replay(self.sheet())

    def get(self, name):
        answer = self.phones[0].page.request.get(self.address + name, headers=self.headers)
        assert answer.ok, answer.text()
        return answer.json()

    def sheet(self):
        return self.get("sheet.json")

    def standing(self):
        """What counts in the log, in the order of play, without ids."""
        position = engine.replay(self.sheet())
        return [without_id(entry) for _, entry in sorted(position.standing.items())]

    def play(self, entries):
        for _ in range(entries):
            entry = self.next_entry()
            if entry is None:
                break
            self.enter(entry)
            self.script.append(entry)
            assert self.standing() == self.script
        return self

    def next_entry(self):
        """One entry for the script that stands, and that has a key for each of its counts."""
        for _ in range(TRIES_MOST):
            entry = sayable(PROPOSE[self.game](self.rng, self.position))
            try:
                after = self.position.enter(entry)
            except engine.Refused:
                continue
            self.position = after
            return entry
        return None

    def enter(self, entry):
        """The entry, tap by tap, by whoever sits nearest; some taps are undone, some made by two at once."""
        phone = self.rng.choice(self.phones)
        wanted = [*self.script, entry]
        for _ in range(TAPS_MOST):
            if self.standing() == wanted:
                break
            if self.rng.random() < 0.25:
                phone = self.rng.choice(self.phones)
            self.sees(phone)
            if self.rng.random() < 0.1:
                self.slip(phone, entry)
                self.sees(phone)
            key = self.find_key(phone, entry)
            if key is not None:
                self.tap(phone, key)
        for one in self.phones:
            one.settle()
        assert self.standing() == wanted, (self.standing()[len(self.script) :], entry, self.story[-30:])

    def tap(self, phone, key):
        """One tap that is meant, with what a table does to it."""
        late = self.rng.choice([None, None, *self.phones])
        if late in (phone, None) or not self.taps_too_early(late, key):
            late = None
        before = self.now()
        self.press(phone, key)
        phone.settle(meant=late is None)
        if late is not None:
            late.leave(is_away=False)
            late.settle()
        elif self.rng.random() < 0.15 and self.now() != before:
            self.undo(phone, before)

    def taps_too_early(self, late, key):
        """Another phone taps the same key, and is not heard yet; False where it shows no such key."""
        self.sees(late)
        if not late.page.locator(selector(key)).count():
            return False  # it has turned to another way of answering
        late.leave()
        self.press(late, key)
        self.done["twins"] += 1
        return True

    def slip(self, phone, entry):
        """Hit a wrong key, see it, and take it back."""
        before = self.now()
        keys = [key for key in phone.page.evaluate(KEYS) if not key["refused"]]
        wrong = [key for key in keys if says(key) and not helps(key, entry, before["partial"])]
        if not wrong:
            return
        self.press(phone, self.rng.choice(wrong))
        phone.settle()
        self.done["slips"] += 1
        if self.now() != before:
            self.undo(phone, before)

    def press(self, phone, key):
        touches = phone.tap(phone.page.locator(selector(key)).first, key["collects"])
        self.story.append((self.phones.index(phone), key["value"], touches))

    def now(self):
        """What counts, and what is being entered."""
        drafted = self.get("draft.json")["draft"]
        return {"standing": self.standing(), "partial": drafted["entry"] if drafted else {}}

    def undo(self, phone, before):
        """Take back this phone's last tap: all must be as it was before it."""
        self.sees(phone)
        found = phone.page.locator("#last button[data-undo]:not([data-undo=back])")
        self.story.append((self.phones.index(phone), found.inner_text()))
        while not phone.tap(found, clumsy=False):
            self.sees(phone)
        phone.settle()
        self.done["undone"] += 1
        assert self.now() == before, (self.now(), before, self.story[-30:])

    def sees(self, phone):
        """Wait until this phone shows the pad as it is."""

        def is_current():
            shown = phone.page.evaluate("() => ({...document.getElementById('pad').dataset})")
            drafted = self.get("draft.json")["draft"]
            draft = f"{drafted['id']}.{drafted['revision']}" if drafted else ""
            return (int(shown["head"]), shown["drafted"]) == (len(self.sheet()["entries"]), draft)

        until(phone.page, is_current)

    def find_key(self, phone, entry):
        """The key that brings the entry nearer; None if the pad first turns to another way of answering."""
        drafted = self.get("draft.json")["draft"]
        partial = drafted["entry"] if drafted else {}
        for key in phone.page.evaluate(KEYS):
            if helps(key, entry, partial):
                return key
        ways = phone.page.evaluate(WAYS)
        place = phone.page.evaluate("() => document.getElementById('keys').dataset.place").split("/")
        wanted = value_at(entry, place[:2]) or {}
        for way in ways:
            if isinstance(wanted, dict) and way in wanted:
                phone.turn(way)
                return None
        raise AssertionError(f"no key for {entry} at {place}, which has {partial}: {self.story[-30:]}")


def selector(key):
    return f"#pad button[name={key['name']}][value='{key['value']}']"


def says(key):
    """True if a tap on this key says something; one that takes back is an undo itself."""
    return {"drop", "clear", "open"}.isdisjoint(json.loads(key["value"]))


def helps(key, entry, partial):
    """True if a tap on this key says what the entry says, and was not said yet."""
    body = json.loads(key["value"])
    if key["name"] == "enter":
        return body == entry
    at = body["at"]
    wanted, has = value_at(entry, at), value_at(partial, at)
    if "put" in body:
        return is_in(entry, at) and body["put"] == wanted and not (is_in(partial, at) and has == wanted)
    if "add" in body:
        so_far = has or []
        return (
            isinstance(wanted, list)
            and so_far == wanted[: len(so_far)]
            and body["add"] in wanted[len(so_far) :][:1]
        )
    return body.get("done") is True and has == wanted


def is_in(entry, at):
    for step in at:
        if not isinstance(entry, dict) or step not in entry:
            return False
        entry = entry[step]
    return True


def value_at(entry, at):
    for step in at:
        entry = entry.get(step) if isinstance(entry, dict) else None
    return entry


def without_id(entry):
    return {key: value for key, value in entry.items() if key != "id"}


def sayable(entry):
    """The same entry as the pad asks for it: every count has a key, and all is answered."""
    entry = without_id(entry)
    hands = entry.get("hands")
    if hands:
        entry["hands"] = {
            name: {"count": min(hand["count"], COUNT_MOST)} if "count" in hand else hand
            for name, hand in hands.items()
        }
    if "losers" in entry:
        entry.setdefault("last", None)
    if entry.get("draw") == "acquisition":
        entry.setdefault("take", None)
    return entry
