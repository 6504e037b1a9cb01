"""kill -9 of one process, of another, of all at once, while eight phones write: nothing acknowledged is lost.

A phone sends what was not answered again under the same id. Afterwards each entry is in the log once, under
the number that was told, and the numbers have no gap.
"""

import os
import random

from tests.resilience.comparison import judge
from tests.resilience.conftest import SOAK
from tests.resilience.writers import Load

SEED = int(os.environ.get("SEED", "1942"))
KILLS = int(os.environ.get("KILLS", "2000" if SOAK else "6"))
WORKERS = 2
ANSWERS_BETWEEN = 15


def kill_under_load(crew, load, chance, kills):
    """Kill one worker or the whole group, again and again, each time in the midst of answers."""
    for _ in range(kills):
        which = chance.choice([*range(WORKERS), "all"])
        for worker in range(WORKERS):
            crew.wait(worker)
        load.wait_for(chance.randint(1, 2 * ANSWERS_BETWEEN))
        if which == "all":
            crew.kill_all()
        else:
            crew.kill(which)
        for worker in range(WORKERS) if which == "all" else [which]:
            crew.spawn(worker)


def test_nothing_acknowledged_is_lost_or_doubled_when_processes_are_killed(crew, line, told):
    site = crew(WORKERS)
    with Load(site.ports, SEED) as load:
        kill_under_load(site, load, random.Random(SEED), KILLS)
        for worker in range(WORKERS):
            site.wait(worker)
    verdict = judge(line(site), load.tables.all, load.sent)
    again = sum(made.tries > 1 for made in load.sent)
    told(f"{KILLS} kills, {again} entries sent again; {verdict}")
    assert not verdict.broken
    assert verdict.entries == len(load.sent)
    assert again, "no kill hit a message under way; this run proves nothing"
    verified = site.manage("verify", "--pads")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_phone_that_does_not_send_again_loses_entries_and_it_is_noticed(crew, line):
    site = crew()
    with Load(site.ports, SEED, sends_again=False) as load:
        load.wait_for(40)
        site.kill(0)
        site.spawn(0)
        site.wait(0)
    verdict = judge(line(site), load.tables.all, load.sent)
    assert verdict.broken.keys() == {"lost"}


def test_a_site_that_answers_before_it_stores_loses_entries_and_it_is_noticed(crew, line):
    site = crew(PROMISE_BROKEN="answers_before_it_stores")
    with Load(site.ports, SEED) as load:
        load.wait_for(40)
        site.kill(0)
        site.spawn(0)
        site.wait(0)
    verdict = judge(line(site), load.tables.all, [made for made in load.sent if made.is_answered])
    assert verdict.lost
