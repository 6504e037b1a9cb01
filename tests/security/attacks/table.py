"""A table that plays while the site is attacked, and how long its taps take."""

import contextlib
import itertools
import threading
import time
from dataclasses import dataclass
from statistics import median

from tests.security.attacks.caller import new_pad
from tests.security.attacks.findings import Verdict

NAMES = ("Ann", "Bert", "Cleo", "Dora")
TAP_SECONDS_MOST = 30
JOIN_SECONDS = 60
PAUSE_SECONDS = 0.02


@dataclass
class Taps:
    """The seconds of each tap, and how many were not stored."""

    seconds: list
    refused: int = 0

    @property
    def p95(self):
        return sorted(self.seconds)[int(len(self.seconds) * 0.95)]

    @property
    def median(self):
        return median(self.seconds)


class Table:
    """One pad and one phone, which taps as a table does."""

    def __init__(self, site):
        self.phone = site.caller(patience=TAP_SECONDS_MOST)
        self.pad = new_pad(self.phone, NAMES, options={"target": 10_000})
        self.entries = plain_entries()
        self.tap()

    def tap(self):
        """Seconds of one tap, and whether it was stored."""
        sent = {"entries": [next(self.entries)]}
        began = time.perf_counter()
        try:
            answer = self.phone.post(self.pad.at("entries/"), sent, self.pad.play)
        except OSError:
            return time.perf_counter() - began, False
        stored = answer.status == 200 and answer.json["results"][0]["status"] == "stored"
        return answer.seconds, stored

    def taps(self, count, seconds_most=60):
        """So many taps, or as many as there is time for."""
        found, deadline = Taps([]), time.monotonic() + seconds_most
        while len(found.seconds) < count and time.monotonic() < deadline:
            seconds, stored = self.tap()
            found.seconds.append(seconds)
            found.refused += not stored
            time.sleep(PAUSE_SECONDS)
        return found


def plain_entries(prefix="tap"):
    """Entries that always stand: everyone in turn goes out, and no AXIS card is left in the other hands."""
    for number in itertools.count():
        player = NAMES[number // 3 % len(NAMES)]
        if number % 3 == 2:
            yield {"id": f"{prefix}{number}", "type": "axis", "player": player, "cards": 0}
        else:
            yield {"id": f"{prefix}{number}", "type": "victory", "player": player, "color": "red"}


@contextlib.contextmanager
def repeated(*works):
    """Each of these over and over in a thread of its own, until the end; yields the statuses that came."""
    stop, statuses = threading.Event(), []

    def run(work):
        while not stop.is_set():
            try:
                answer = work()
                statuses.append(answer.status)
                # A refusal is answered at once; nobody gains by asking a thousand times a second.
                if answer.status in (429, 503):
                    stop.wait(0.05)
            except OSError:
                statuses.append(0)
                stop.wait(0.2)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    try:
        yield statuses
    finally:
        stop.set()
        for thread in threads:
            thread.join(JOIN_SECONDS)


def tapped_beside(site, size, *works):
    """A table's taps while others do this, against its taps before."""
    table = Table(site)
    table.taps(5)
    quiet = table.taps(size.taps)
    with repeated(*works) as statuses:
        beside = table.taps(size.taps, size.taps_seconds)
    ratio = beside.p95 / quiet.p95
    held = ratio <= size.tap_ratio_most and not beside.refused
    counted = ", ".join(f"{statuses.count(one)} times {one}" for one in sorted(set(statuses)))
    figures = f"p95 of a tap {ratio:.1f} times a quiet one ({beside.p95 * 1000:.0f} ms), {beside.refused} of "
    return Verdict(held, f"{figures}{len(beside.seconds)} taps refused; attackers got {counted or 'nothing'}")
