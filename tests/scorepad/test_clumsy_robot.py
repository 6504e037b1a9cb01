"""Four phones driven by a clumsy robot end with exactly the log that the script of the evening intended."""

import os

import pytest

from tests.engine.random_games import PROPOSE
from tests.scorepad.clumsy_robot import Robot

EVENINGS = 30 if os.environ.get("SOAK") else 1
ENTRIES_MOST = 12


@pytest.mark.parametrize("game", sorted(PROPOSE))
@pytest.mark.parametrize("evening", range(EVENINGS))
def test_a_clumsy_evening_ends_as_it_was_meant(db, game, evening):
    robot = Robot(game, evening).play(ENTRIES_MOST)
    assert robot.script


def test_the_robot_is_clumsy_enough(db):
    robots = [Robot(game, "clumsy").play(6) for game in ("victory-rummy", "rummy-1916")]
    assert sum(robot.twins for robot in robots) > 2
    assert sum(robot.undone for robot in robots) > 2


def test_without_the_guard_the_same_entry_counts_twice(db, monkeypatch):
    """The control: nobody asks about twins."""
    monkeypatch.setattr("scorepad.twins._may_have_twin", lambda replay, entry: False)
    robot = Robot("victory-rummy", "control")
    with pytest.raises(AssertionError):
        robot.play(ENTRIES_MOST)
