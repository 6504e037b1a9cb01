"""Four phones, driven by clumsy fingers, end with exactly the log that the script of the evening intended."""

import os
import time

import pytest

from tests.browser.clumsy_fingers import Table
from tests.engine.random_games import PROPOSE

pytestmark = pytest.mark.thorough
ENTRIES = {"victory-rummy": 8, "victor-or-victim": 4}
SOAK_SECONDS = 300
"""For each of the six games: half an hour of play."""


@pytest.mark.parametrize("game", sorted(PROPOSE))
def test_a_clumsy_evening_ends_as_it_was_meant(device, game):
    table = Table(device, game, "evening")
    table.play(ENTRIES.get(game, 1))
    if os.environ.get("SOAK"):
        began = time.monotonic()
        while time.monotonic() - began < SOAK_SECONDS:
            if table.position.ended or not table.play(1).script:
                table.open()
    done = sum((phone.done for phone in table.phones), table.done)
    print(game, *(f"{what} {times}" for what, times in sorted(done.items())), sep=", ")
    assert table.script
    assert done["bounced"]
