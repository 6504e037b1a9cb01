"""What holds for every game that can be played."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import engine
from tests.engine.random_games import PROPOSE, random_sheet

games = st.sampled_from(sorted(PROPOSE))
seeds = st.integers(0, 2**32)


@given(games, seeds)
def test_totals_are_the_stake_and_the_sum_of_the_lines(game, seed):
    result = engine.score(random_sheet(Random(seed), game))
    stake = result.options.get("stake", 0)
    for player, total in result.totals.items():
        assert total == stake + sum(line.points for line in result.lines if line.player == player)


@given(seeds)
def test_chips_are_conserved(seed):
    sheet = random_sheet(Random(seed), "thumbs-up")
    position = engine.replay(sheet | {"entries": []})
    chips = sum(position.totals)
    for entry in sheet["entries"]:
        position = position.enter(entry)
        assert sum(position.totals) == chips
    if sheet["options"].get("when_short") == "pay-what-you-can":
        assert min(position.totals) >= 0


@given(games, seeds)
def test_replaying_in_one_go_equals_going_on_entry_by_entry(game, seed):
    sheet = random_sheet(Random(seed), game)
    position = engine.replay(sheet | {"entries": []})
    for entry in sheet["entries"]:
        position = position.enter(entry)
    assert position.result() == engine.score(sheet)


@given(games, seeds)
def test_voiding_the_last_entry_and_entering_it_again_changes_nothing(game, seed):
    sheet = random_sheet(Random(seed), game)
    assume(sheet["entries"])
    last = sheet["entries"][-1]
    again = {key: value for key, value in last.items() if key != "id"}
    before = engine.score(sheet)
    position = engine.replay(sheet).enter({"type": "void", "of": last["id"]}).enter(again)
    after = position.result()
    assert after.totals == before.totals and after.winners == before.winners
    assert _without_places(after.state) == _without_places(before.state)


@given(games, seeds)
def test_voiding_and_amending_back_restores_the_result(game, seed):
    rng = Random(seed)
    sheet = random_sheet(rng, game)
    assume(sheet["entries"])
    entry = sheet["entries"][-1]
    plain = {key: value for key, value in entry.items() if key != "id"}
    position = engine.replay(sheet)
    back = position.enter({"type": "void", "of": entry["id"]}).enter(
        {"type": "amend", "of": entry["id"], "entry": plain}
    )
    assert back.result() == position.result()


@given(games, seeds)
def test_a_refused_entry_is_refused_alike_by_replay_and_by_going_on(game, seed):
    rng = Random(seed)
    sheet = random_sheet(rng, game, entries_most=8)
    entries = list(sheet["entries"])
    position = engine.replay(sheet)
    odd = rng.choice([*entries, {"type": "void", "of": f"e{rng.randrange(9)}"}, {"type": "?"}, 7])
    with_odd = sheet | {"entries": [*entries, odd]}
    assert _outcome(lambda: position.enter(odd).result()) == _outcome(lambda: engine.score(with_odd))


STRICTER = [
    ("unbroken", "exact"),
    ("exact", "first-of-each"),
    ("exact", "last-three"),
    ("first-of-each", "in-order"),
    ("last-three", "in-order"),
]


@given(seeds, st.sampled_from(STRICTER))
def test_a_stricter_reading_of_the_bonus_never_scores_more(seed, readings):
    strict, loose = readings
    sheet = random_sheet(Random(seed), "victory-rummy", 60, target=10000, bonus_order=loose)
    loose_totals = engine.score(sheet).totals
    strict_totals = engine.score(sheet | {"options": sheet["options"] | {"bonus_order": strict}}).totals
    assert all(strict_totals[player] <= loose_totals[player] for player in sheet["players"])


@given(seeds)
def test_a_letter_on_the_table_never_spells_a_word_for_one_who_plays_on(seed):
    position = engine.replay(random_sheet(Random(seed), "victor-or-victim", 60))
    result = position.result()
    for player, held in result.state["cards"].items():
        for color in ("red", "blue", "yellow"):
            letters = sorted(card[-1] for card in held if card.startswith(color))
            if player not in result.winners:
                assert not _spells(letters, "VICTOR") and not _spells(letters, "VICTIM")
        assert not held or player not in result.state["out"]


@pytest.mark.parametrize("game", sorted(PROPOSE))
def test_random_play_reaches_the_end_of_a_game(game):
    finished = [engine.score(random_sheet(Random(seed), game, 400)).ended for seed in range(12)]
    assert any(finished)


def _spells(letters, word):
    return all(letters.count(letter) >= word.count(letter) for letter in word)


def _without_places(state):
    tallies = [tally["totals"] for tally in state.get("tallies", [])]
    return {**state, "tallies": tallies}


def _outcome(attempt):
    try:
        return attempt()
    except engine.Refused as refused:
        return refused.code, refused.entry, refused.cites
