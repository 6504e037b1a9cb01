"""Random games over HTTP against the pure engine: equal after every message, on one process and on two."""

import os
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context

import pytest

from tests.resilience.conftest import SOAK
from tests.resilience.random_player import played

SEED = int(os.environ.get("SEED", "1942"))
STEPS = int(os.environ.get("STEPS", "1000000" if SOAK else "1200"))
PLAYERS = 4


def play(site, steps):
    """Each player in a process of its own, for each has an engine to run beside the site's."""
    began = time.monotonic()
    with ProcessPoolExecutor(PLAYERS, get_context("spawn")) as pool:
        shares = pool.map(played, repeat(SEED), repeat(site.ports), repeat(steps // PLAYERS), range(PLAYERS))
        done, pads, busy, violations = zip(*shares, strict=True)
    seconds = time.monotonic() - began
    told = f"{sum(done)} steps on {sum(pads)} pads in {seconds:.0f} s, {sum(busy)} times busy"
    return told, [one for one in violations if one]


def test_every_step_gives_what_the_pure_engine_gives(crew, told):
    site = crew(2 if SOAK else 1)
    what, violations = play(site, STEPS)
    told(f"{what}: {len(violations)} violations")
    assert not violations, violations[0]
    verified = site.manage("verify", "--pads")
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.parametrize("broken", ["drops_a_correction", "loses_a_chip"])
def test_a_site_that_breaks_the_rules_is_noticed(crew, broken):
    _, violations = play(crew(PROMISE_BROKEN=broken), 800)
    assert violations
