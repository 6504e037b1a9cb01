"""Eight clumsy players on four pads beside eight strangers who do the dearest things, for an hour."""

import os
import random
import threading
import time
from dataclasses import dataclass, replace
from statistics import median

import pytest

from tests.resilience.comparison import judge
from tests.resilience.conftest import SOAK
from tests.resilience.site_processes import POSTGRES, database_of
from tests.resilience.writers import Line, Tables, Writer
from tests.security.attacks.cost import strangers
from tests.security.attacks.findings import FULL
from tests.security.attacks.table import repeated
from tests.security.attacks.target import own_site

SEED = int(os.environ.get("SEED", "1942"))
MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
HANDS = int(os.environ.get("HANDS", "900"))
PLAYERS, PADS = 8, 4
TAP_SECONDS_MOST = 2.0
GROWTH_MOST = 1.05
SAMPLE_SECONDS = 2
THINKING_SECONDS = (0.3, 1.5)


class ClumsyPlayer(Writer):
    """A phone whose owner taps twice, taps nonsense in between, and gets every hand home in the end."""

    def __init__(self, *args):
        super().__init__(*args)
        self.seconds = []

    def run(self):
        try:
            while not self.over.wait(self.chance.uniform(*THINKING_SECONDS)):
                began = time.perf_counter()
                self.write()
                self.seconds.append(time.perf_counter() - began)
                self.fumble(self.sent[-1])
        except Exception as fault:
            self.fault = fault

    def fumble(self, made):
        """The same tap once more, or one that cannot stand. Whatever is said to it, nothing may change."""
        turn = self.chance.random()
        entry = {"id": made.id, **made.entry} if turn < 0.3 else {"type": "hand", "winner": "Nobody"}
        if turn < 0.5:
            line = self.lines[self.ports[0]]
            body = {"entries": [entry], "who": made.label}
            status, answer = line.json("POST", made.table.address("entries/"), body, made.table.play)
            # A refusal for want of time is no answer to the entry.
            if status == 200:
                assert answer["results"][0]["status"] == ("known" if turn < 0.3 else "refused"), answer

    def send(self, made):
        """Refused for want of time means: wait a moment, as a phone does."""
        try:
            return super().send(made)
        except (KeyError, AssertionError):
            self.refusals.append(429)
            time.sleep(0.2)
            return False


@dataclass
class Figures:
    """What the hour came to."""

    seconds: list
    memory: list

    @property
    def late(self):
        return sum(one > TAP_SECONDS_MOST for one in self.seconds)

    @property
    def growth(self):
        """The last quarter of the memory against the second."""
        quarter = len(self.memory) // 4
        return median(self.memory[-quarter:]) / median(self.memory[quarter : 2 * quarter])

    def __str__(self):
        slowest, middle = max(self.seconds) * 1000, median(self.seconds) * 1000
        taps = f"{len(self.seconds)} taps: median {middle:.0f} ms, slowest {slowest:.0f} ms, {self.late} late"
        memory = f"memory {median(self.memory) / 1e6:.0f} MB, last quarter {self.growth:.3f} times the second"
        return f"{taps}; {memory}"


def watched(site, players, minutes):
    """Play for so long; the seconds of every tap, and the memory of the site meanwhile."""
    memory, deadline = [], time.monotonic() + minutes * 60
    for player in players:
        player.start()
    while time.monotonic() < deadline and not any(player.fault for player in players):
        memory.append(site.memory_bytes())
        time.sleep(SAMPLE_SECONDS)
    for player in players:
        player.over.set()
    for player in players:
        player.join(60)
    assert [player.fault for player in players if player.fault or player.is_alive()] == []
    return Figures([one for player in players for one in player.seconds], memory)


@pytest.mark.skipif(not SOAK, reason="an hour of make soak")
def test_every_tap_is_acknowledged_nothing_is_lost_and_memory_is_flat(tmp_path, told):
    var = tmp_path / "var"
    with own_site(var, database=database_of(var) if POSTGRES else "") as site:
        ports = [int(site.host.rsplit(":", 1)[1])]
        tables = Tables(PADS, ports, random.Random(f"{SEED} tables"))
        players = [ClumsyPlayer(f"p{number}", ports, tables, SEED) for number in range(PLAYERS)]
        with repeated(*strangers(site, replace(FULL, hands=HANDS))) as statuses:
            figures = watched(site, players, MINUTES)
        sent = [made for player in players for made in player.sent]
        verdict = judge(Line(ports[0]), tables.all, sent)
        counted = {status: statuses.count(status) for status in sorted(set(statuses))}
        told(f"{MINUTES:g} minutes, {figures}; strangers got {counted}; {verdict}")
        verified = site.manage("verify", "--pads")
    assert not verdict.broken and figures.late == 0 and figures.growth <= GROWTH_MOST
    assert verified.returncode == 0, verified.stdout


def test_a_late_tap_and_growing_memory_are_noticed():
    """The control: figures of an hour in which the promise was broken."""
    good = Figures([0.01] * 40, [100] * 40)
    assert good.late == 0 and good.growth <= GROWTH_MOST
    assert Figures([0.01] * 39 + [2.1], [100] * 40).late == 1
    assert Figures([0.01], list(range(100, 140))).growth > GROWTH_MOST


def test_a_player_whose_entry_is_lost_is_noticed(crew, line):
    """The control: a phone that believes it was told of an entry which the site has not."""
    site = crew()
    tables = Tables(1, site.ports, random.Random(SEED))
    player = ClumsyPlayer("p0", site.ports, tables, SEED)
    threading.Timer(1.5, player.over.set).start()
    player.run()
    assert player.fault is None and player.seconds
    assert not judge(line(site), tables.all, player.sent).broken
    player.sent.append(
        replace(player.sent[-1], id="never-sent", label="p0 never", number=len(player.sent) + 1)
    )
    assert judge(line(site), tables.all, player.sent).broken == {"lost": 1}
