"""A table's own sheet by every reading, and one evening by two."""

import pytest

import engine
from lab.example import example
from lab.grid import STUDIES
from lab.rescored import replays, rescored

VICTORY = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"]}


def victory(player, color):
    return {"type": "victory", "player": player, "color": color}


def out(player, cards=0):
    return {"type": "axis", "player": player, "cards": cards}


BONUS = [
    victory("Ada", "red"),
    victory("Ada", "red"),
    out("Ada"),
    victory("Ada", "white"),
    victory("Ada", "blue"),
]


def by_value(found):
    return {row.value: row for row in found}


def test_the_winner_who_lives_by_a_bonus_would_not_have_won_by_a_stricter_reading():
    found = by_value(rescored({**VICTORY, "options": {"target": 100}}, BONUS))
    assert found["exact"].says == "The game would not be over yet."
    assert found["exact"].is_other
    assert dict(found["exact"].totals) == {"Ada": 65, "Ben": 0}
    assert found["in-order"].says.startswith("Nothing would have been different: Ada")
    assert not found["in-order"].is_other


def test_a_game_that_ends_sooner_leaves_its_last_entries_unread():
    played = {**VICTORY, "options": {"target": 60, "finish": "end-of-deal"}}
    log = [
        {"type": "capture", "player": "Ada"},
        victory("Ada", "red"),
        out("Ada", 1),
    ]
    row = by_value(rescored(played, log))["at-once"]
    assert row.says == "Ada would have won all the same, 1 entry sooner, with other points."


def test_somebody_else_wins_where_the_deal_is_played_out():
    played = {**VICTORY, "options": {"target": 50, "finish": "end-of-deal"}}
    log = [
        {"type": "capture", "player": "Ada"},
        victory("Ben", "red"),
        victory("Ben", "white"),
        out("Ben", 4),
    ]
    assert engine.score({**played, "entries": log}).winners == ("Ben",)
    row = by_value(rescored(played, log))["at-once"]
    assert row.says == "Ada would have won, 3 entries sooner."
    assert row.is_other


def test_a_log_that_does_not_stand_by_a_reading_says_why():
    played = {
        "tally": 1,
        "game": "rap-rummy",
        "players": ["Ada", "Ben"],
        "options": {"rapper_tie": "rapper-wins"},
    }
    hand = {"type": "hand", "rapper": "Ada", "hands": {"Ada": {"count": 4}, "Ben": {"count": 4}}}
    lost = {"type": "hand", "rapper": "Ada", "hands": {"Ada": {"count": 3}, "Ben": {"count": 9}}}
    found = by_value(rescored(played, [hand, lost]))
    assert found["rapper-loses"].says != found["tie-break"].says


def test_pay_what_you_can_needs_a_stake_and_says_so():
    played = {"tally": 1, "game": "thumbs-up", "players": ["Ada", "Ben"], "options": {"hands": 1}}
    log = [{"type": "hand", "winner": "Ada", "losers": {"Ben": {"points": 40}}}]
    row = by_value(rescored(played, log))["pay-what-you-can"]
    assert row.says.startswith("The log is not possible with this reading. ")
    assert "stake" in row.says


def test_replays_are_counted_before_they_are_made():
    for game in engine.GAMES.values():
        options = {option.key: option.default for option in game.options}
        expected = sum(len(option.readings) - 1 for option in game.options if option.readings)
        assert replays(game, options) == expected


@pytest.mark.parametrize("game", STUDIES)
def test_an_example_parts_where_it_says_and_its_totals_are_the_engines(game):
    study = STUDIES[game]
    for reading in study.readings:
        shown = example(game, reading.key, 1)
        assert not any(step.differs for step in shown.before)
        if shown.steps:
            assert shown.steps[0].differs
        last = (shown.before + shown.steps)[-1]
        for side, outcome in ((last.usual, shown.usual), (last.other, shown.other)):
            assert [total for _, total in side.totals] == [*outcome.position.totals]
