"""What holds for every log that was corrected: by void, amend, revise and insert, in any order."""

import copy
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import engine
from engine import position as positions
from tests.engine.random_games import PROPOSE, random_correction, random_entry, random_log, random_sheet

games = st.sampled_from(sorted(PROPOSE))
seeds = st.integers(0, 2**32)
stretch_lengths = st.sampled_from([1, 2, 3, 32])


def outcome(attempt):
    """The result, or the refusal with its code, place, passages and sentence."""
    try:
        return attempt().result()
    except engine.Refused as refused:
        return refused.code, refused.entry, refused.cites, refused.message


def without_id(entry):
    return {key: value for key, value in entry.items() if key != "id"}


def played_as_the_format_says(entries):
    """Every entry that counts with its place, in order of play: written down slowly, word for word."""
    stands = {}
    place_of = {}
    for place, entry in enumerate(entries):
        if entry["type"] == "insert":
            stands[place] = entry["entry"]
        elif entry["type"] == "revise":
            for change in entry["changes"]:
                stands[place_of[change["of"]]] = change["entry"]
        elif entry["type"] in ("void", "amend"):
            stands[place_of[entry["of"]]] = entry.get("entry")
        else:
            stands[place] = without_id(entry)
        if "id" in entry and place in stands:
            place_of[entry["id"]] = place

    def inserts_after(name):
        for place, entry in enumerate(entries):
            if entry["type"] == "insert" and entry["after"] == name:
                yield place
                if "id" in entry:
                    yield from inserts_after(entry["id"])

    order = [*inserts_after(None)]
    for place, entry in enumerate(entries):
        if entry["type"] not in ("void", "amend", "revise", "insert"):
            order.append(place)
            if "id" in entry:
                order += inserts_after(entry["id"])
    return [(place, stands[place]) for place in order if stands[place] is not None]


@given(games, seeds)
def test_a_corrected_log_scores_as_if_it_had_been_written_in_order_of_play(game, seed):
    sheet = random_log(Random(seed), game)
    corrected = engine.score(sheet)
    played = played_as_the_format_says(sheet["entries"])
    written = engine.score(sheet | {"entries": [entry for _, entry in played]})
    places = [place for place, _ in played]
    assert corrected.lines == tuple(line._replace(entry=places[line.entry]) for line in written.lines)
    state = copy.deepcopy(written.state)
    for tally in state.get("tallies", ()):
        tally["entry"] = places[tally["entry"]]
    assert corrected == written._replace(lines=corrected.lines, state=state)
    standing = engine.replay(sheet).standing
    assert [(place, without_id(entry)) for place, entry in standing.items()] == played


@given(games, seeds, stretch_lengths)
def test_going_on_entry_by_entry_equals_replaying_the_whole(game, seed, length):
    rng = Random(seed)
    sheet = random_sheet(rng, game, 0)
    with patch.object(positions, "STRETCH_LENGTH", length):
        position = engine.replay(sheet)
        for number in range(16):
            entry = random_entry(rng, position, f"e{number}")
            whole = sheet | {"entries": [*position.entries, entry]}
            after = outcome(lambda: position.enter(entry))  # noqa: B023 - called at once
            assert after == outcome(lambda: engine.replay(whole))  # noqa: B023 - called at once
            if isinstance(after, engine.Result):
                position = position.enter(entry)
                assert position.steps == engine.replay(whole).steps
                assert position.places == engine.replay(whole).places


@given(games, seeds, stretch_lengths)
def test_the_cost_of_an_entry_is_the_number_of_entries_played(game, seed, length):
    rng = Random(seed)
    with patch.object(positions, "STRETCH_LENGTH", length):
        position = engine.replay(random_log(rng, game))
        entry = random_entry(rng, position, "new")
        cost = position.replay_cost(entry)
        with patch.object(
            positions._Course, "play", autospec=True, side_effect=positions._Course.play
        ) as play:
            after = outcome(lambda: position.enter(entry))
        if isinstance(after, engine.Result):
            assert cost == max(1, play.call_count)
        assert play.call_count <= cost


@pytest.mark.parametrize("sent", [None, 7, "void", [], {}, {"type": []}, {"type": "?"}, {"type": "revise"}])
def test_the_cost_of_what_is_no_entry_is_that_of_one(sent):
    position = engine.replay(random_log(Random(3), "victory-rummy"))
    assert position.replay_cost(sent) == 1


def test_a_correction_near_the_end_plays_only_what_is_near_the_end():
    sheet = random_sheet(Random(1), "victory-rummy", 1_000, target=10_000)
    position = engine.replay(sheet)
    last, first = sheet["entries"][-1]["id"], sheet["entries"][0]["id"]
    assert len(sheet["entries"]) > 300
    assert position.replay_cost({"type": "void", "of": last}) < positions.STRETCH_LENGTH
    assert position.replay_cost({"type": "void", "of": first}) == len(sheet["entries"]) - 1
    both = {"type": "revise", "changes": [{"of": last, "entry": None}, {"of": first, "entry": None}]}
    assert position.replay_cost(both) == len(sheet["entries"]) - 2


@given(games, seeds)
def test_a_revise_of_one_change_equals_an_amend_or_a_void(game, seed):
    rng = Random(seed)
    position = engine.replay(random_log(rng, game, 12))
    correction = random_correction(rng, position, ("void", "amend"))
    assume(correction["type"] != "insert")
    change = {"of": correction["of"], "entry": correction.get("entry")}
    revised = outcome(lambda: position.enter({"type": "revise", "changes": [change]}))
    assert revised == outcome(lambda: position.enter(correction))


@given(games, seeds)
def test_a_revise_equals_its_changes_one_by_one_where_each_can_stand(game, seed):
    rng = Random(seed)
    position = engine.replay(random_log(rng, game, 12))
    assume(position.steps)
    for correction in [random_correction(rng, position, ("revise",)) for _ in range(8)]:
        alone = position
        try:
            for change in correction.get("changes", ()):
                alone = alone.enter({"type": "revise", "changes": [change]})
        except engine.Refused:
            continue
        if correction["type"] == "revise":
            assert position.enter(correction).result() == alone.result()


@given(games, seeds)
def test_an_insert_that_is_voided_equals_nothing_and_amended_it_is_back(game, seed):
    rng = Random(seed)
    position = engine.replay(random_log(rng, game, 12))
    for insert in [random_correction(rng, position, ("insert",)) | {"id": "new"} for _ in range(8)]:
        try:
            inserted = position.enter(insert)
        except engine.Refused:
            continue
        voided = inserted.enter({"type": "void", "of": "new"})
        assert voided.result() == position.result()
        back = voided.enter({"type": "amend", "of": "new", "entry": insert["entry"]})
        assert back.result() == inserted.result()


@given(games, seeds)
def test_an_insert_after_the_last_entry_equals_the_entry_itself(game, seed):
    rng = Random(seed)
    sheet = random_sheet(rng, game, 6)
    assume(sheet["entries"])
    *earlier, last = sheet["entries"]
    after = earlier[-1]["id"] if earlier else None
    insert = {"id": last["id"], "type": "insert", "after": after, "entry": without_id(last)}
    assert engine.score(sheet | {"entries": [*earlier, insert]}) == engine.score(sheet)


@given(games, seeds)
def test_folding_is_deterministic_and_changes_nothing_that_was_sent(game, seed):
    sheet = random_log(Random(seed), game)
    before = copy.deepcopy(sheet)
    position = engine.replay(sheet)
    assert engine.score(copy.deepcopy(sheet)) == position.result()
    assert sheet == before


@given(games, seeds)
def test_a_position_before_an_entry_is_that_of_the_entries_played_before_it(game, seed):
    rng = Random(seed)
    sheet = random_log(rng, game)
    position = engine.replay(sheet)
    assume(position.steps)
    turn = rng.randrange(len(position.steps))
    place = position.steps[turn][0]
    earlier = [without_id(entry) for _, entry in position.steps[:turn] if entry is not None]
    alone = engine.replay(sheet | {"entries": earlier})
    before = position.before(place)
    assert (before.totals, before.ended) == (alone.totals, alone.ended)
    assert [line.points for line in before.lines] == [line.points for line in alone.lines]
    assert position.states_before({place}) == {place: before.result().state}


def test_two_thousand_inserts_each_after_the_one_before():
    entries = [{"type": "insert", "after": None, "id": "i0", "entry": {"type": "capture", "player": "Ada"}}]
    entries += [{"type": "void", "of": "i0"}]
    for number in range(1, 2_000):
        entry = {"type": "victory", "player": "Ada", "color": "red"}
        entries.append({"type": "insert", "after": f"i{number - 1}", "id": f"i{number}", "entry": entry})
        entries.append({"type": "void", "of": f"i{number}"})
    sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"], "entries": entries}
    assert engine.score(sheet).lines == ()


def test_random_logs_have_corrections_of_all_four_kinds():
    kinds = {
        entry["type"] for seed in range(20) for entry in random_log(Random(seed), "rummy-1916")["entries"]
    }
    assert kinds == {"hand", "void", "amend", "revise", "insert"}
