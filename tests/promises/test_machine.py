"""Random games over HTTP against the pure engine: equal after every step, on one process and on two."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.promises.conftest import SOAK
from tests.promises.machine import Machine, Violation
from tests.promises.writers import Line

SEED = int(os.environ.get("SEED", "1942"))
STEPS = int(os.environ.get("STEPS", "1000000" if SOAK else "450"))
PLAYERS = 4


def played(ports, steps, player, noticed):
    """Pad after pad until there were so many steps, or somebody has noticed a violation."""
    lines = [Line(port) for port in ports]
    done = pads = 0
    while done < steps and not noticed:
        try:
            done += Machine(lines, f"{SEED}.{player}.{pads}").play()
        except Violation as violation:
            noticed.append(violation)
        pads += 1
    for line in lines:
        line.close()
    return done, pads


def play(site, steps):
    began, noticed = time.monotonic(), []
    with ThreadPoolExecutor(PLAYERS) as pool:
        shares = pool.map(
            lambda player: played(site.ports, steps // PLAYERS, player, noticed), range(PLAYERS)
        )
        done, pads = map(sum, zip(*shares, strict=True))
    return done, pads, time.monotonic() - began, noticed


def test_every_step_gives_what_the_pure_engine_gives(crew, told):
    site = crew(2 if SOAK else 1)
    done, pads, seconds, violations = play(site, STEPS)
    told(f"{done} steps on {pads} pads in {seconds:.0f} s: {len(violations)} violations")
    assert not violations, str(violations[0])
    verified = site.manage("verify", "--pads")
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.parametrize("broken", ["drops_a_correction", "loses_a_chip"])
def test_a_site_that_breaks_the_rules_is_noticed(crew, broken):
    _, _, _, violations = play(crew(PROMISE_BROKEN=broken), 800)
    assert violations
