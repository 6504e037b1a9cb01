"""People at a table, for browser tests: they start pads, join them and tap keys."""

import math
import re
import time
from weakref import WeakKeyDictionary

from playwright.sync_api import expect

FOUR = ("Ann", "Bert", "Cora", "Dan")
TAP = re.compile("/tap/$")
FRAGMENT = re.compile("/fragment/")
EVENTS = re.compile("/events")
PATIENCE_SECONDS = 30
DEAF_MILLISECONDS = 1100
"""The keys of the end hear nothing for a second."""
BOUNCE_MILLISECONDS = 800
FINGER_MILLISECONDS = 90
SAME_PLACE = 24
_taps = WeakKeyDictionary()
"""When and where each phone was tapped last."""

# Waits until the service worker has the pad in store: as it was opened, or as drawn with this many entries.
STORED = """async (head) => {
  await navigator.serviceWorker.ready;
  for (;;) {
    const kept = await caches.match(head === null ? location.pathname : `${location.pathname}?drawn`);
    if (kept && (head === null || (await kept.text()).includes(`data-head="${head}"`))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""


links = {}
"""The links of the pads that were started here, by code and role."""


def start(page, game, names=FOUR, **options):
    """Start a pad and open it by its owner's link: one page instead of the two of start_by_form()."""
    wish = {"game": game, "players": names, "options": options}
    answer = page.request.post("/pads/", data=wish)
    assert answer.status == 201, answer.text()
    made = answer.json()
    links[made["pad"].split("/")[2]] = made
    page.goto(made["keep"])
    return opened_by_link(page)


def start_by_form(page, game, names=FOUR, **options):
    """Start a pad with the form, as anyone would."""
    page.goto(f"/pads/new/?game={game}&" + "&".join(f"{key}={value}" for key, value in options.items()))
    for seat, name in enumerate(names, start=1):
        page.fill(f"#name-{seat}", name)
    page.click(".starting__go")
    return opened(page)


def opened(page):
    """The pad with its script at work: a tap before that is a form sent, and another matter."""
    page.wait_for_selector("#pad")
    page.wait_for_load_state()
    return page


def opened_by_link(page):
    """The pad by its link, without an answer to who this is: the question is put away."""
    opened(page)
    if "who=" in page.url:  # without a script it stays in the address
        page.goto(pad(page))
    page.evaluate("document.getElementById('who')?.remove()")
    return page


def link(page, role="play"):
    """The link of this role; of a pad from the form as its table's page shows it, with the pad open again."""
    code = page.url.split("/")[4]
    if code in links:
        return links[code][role]
    page.goto(pad(page) + "table/")
    address = page.get_attribute(f"#link-{role}", "value")
    page.goto(pad(page))
    return address


def pad(page):
    """The address of the pad this page belongs to."""
    return "/".join(page.url.split("/")[:5]) + "/"


def join(page, other, role="play"):
    page.goto(link(other, role))
    return opened_by_link(page)


def key(page, label):
    """Tap a key by what it says to a screen reader. Every call is one tap that is meant."""
    found = page.locator("#pad").get_by_role("button", name=label, exact=True)
    # A key that is refused now can still be tapped, and says why; the driver would wait for ever.
    press(page, found, force=found.get_attribute("aria-disabled") == "true")


def press(page, found, force=False):
    """Tap as a person does who means it: once the keys hear, and not as a bounce of the tap before."""
    found.wait_for()
    page.locator("#pad:not([data-deaf])").wait_for()
    box = found.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) if box else (0, 0)
    since, before = _taps.get(page, (0, middle))
    apart = FINGER_MILLISECONDS if math.dist(middle, before) > SAME_PLACE else BOUNCE_MILLISECONDS
    page.wait_for_timeout(max(0, apart - (time.monotonic() - since) * 1000))
    found.tap(force=force)
    _taps[page] = (time.monotonic(), middle)


def asks(page, words):
    expect(page.locator("#keys h2, #sheet h2").filter(has_text=words).first).to_be_visible()


def shows_totals(page, *totals):
    """Everyone's total, in seat order, as the seat bar shows it."""
    expect(page.locator(".seat__total, .count output, .stack output")).to_have_text(
        [str(total).replace("-", "−") for total in totals]
    )


def undo(page):
    press(page, page.locator("#last button", has_text="Undo"))


def until(page, condition):
    """Wait for a condition that this process sees; what the page does meanwhile is heard."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        page.wait_for_timeout(10)


def join_hearing(page, other):
    """Join with both phones' streams open: what happens from now on is told to both."""
    with other.expect_response(EVENTS):
        other.reload()
    with page.expect_response(EVENTS):
        return join(page, other)


def stored(page, head=None):
    """Wait until a reload without network shows the pad, with this many entries."""
    page.evaluate(STORED, head)


class HeldAnswers:
    """Messages reach the server and are heard, but their answers stay away until release()."""

    def __init__(self, page, addresses=TAP):
        self.page, self.held, self.released = page, [], False
        page.context.route(addresses, self._hold)

    def _hold(self, route):
        if self.released:
            route.continue_()
        else:
            self.held.append((route, route.fetch()))

    def wait(self):
        """Wait until one message is heard and has no answer."""
        until(self.page, lambda: self.held)

    def release(self):
        self.released = True
        for route, answer in self.held:
            route.fulfill(response=answer)


def play_again(page):
    """Start a rematch from the end, once its keys hear the finger."""
    key = page.get_by_role("button", name="Play again")
    expect(key).to_be_visible()
    page.wait_for_timeout(DEAF_MILLISECONDS)
    key.tap()


def touch(fingers, at, touches):
    """Touch one place so many seconds after the first time, by the clock of the finger: a busy machine
    delivers late, and the gap between two touches stays. `fingers` is a session with the debugger."""
    now = time.time()
    for after in touches:
        time.sleep(max(0.0, now + after - time.time()))
        point = [{"x": at[0], "y": at[1]}]
        for kind, points in (("touchStart", point), ("touchEnd", [])):
            event = {"type": kind, "touchPoints": points, "timestamp": now + after}
            fingers.send("Input.dispatchTouchEvent", event)
