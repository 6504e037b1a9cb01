"""Results kept in fixtures/lab: they come from this engine and these simulators, and can be played again."""

import json
import os
import re
from pathlib import Path

import pytest
from django.core.management import call_command

import engine
from lab.computation import compute, document, tasks
from lab.findings import results
from lab.grid import SEED, STUDIES
from lab.intervals import share
from lab.panel import panels
from lab.report import report
from lab.sentences import sentence

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "lab"
SOAK = bool(os.environ.get("SOAK"))


def kept(game):
    return json.loads((FOLDER / f"{game}.json").read_text(encoding="utf-8"))


def test_every_study_has_its_results_and_no_other_game():
    assert {path.stem for path in FOLDER.glob("*.json")} == {*STUDIES}
    assert results(FOLDER, "rummy-1916") is None
    assert panels(FOLDER, "victor-or-victim") == {}


@pytest.mark.parametrize("game", STUDIES)
def test_the_results_come_from_this_engine(game):
    """A change of the engine's version asks for `manage.py lab`."""
    assert kept(game)["engine"] == engine.__version__
    assert kept(game)["seed"] == SEED


@pytest.mark.parametrize("game", STUDIES)
def test_the_results_tell_the_grid_and_the_policies_as_they_are(game):
    study = STUDIES[game]
    empty = {part: [{}] * len(getattr(study, part)) for part in ("cells", "duels", "apart")}
    told = document(study, empty)
    for key, value in told.items():
        if key not in ("tables", "duels", "apart"):
            assert kept(game)[key] == value
        else:
            assert [
                {name: there[name] for name in one} for one, there in zip(value, kept(game)[key], strict=True)
            ] == value


@pytest.mark.parametrize("game", STUDIES)
def test_the_first_evenings_played_again_come_to_the_same_numbers(game):
    figures = compute(STUDIES[game], only_first=True)
    for part, name in (("cells", "tables"), ("duels", "duels"), ("apart", "apart")):
        assert [tree["first"] for tree in figures[part]] == [one["first"] for one in kept(game)[name]]


@pytest.mark.skipif(not SOAK, reason="SOAK=1 plays every evening again")
@pytest.mark.parametrize("game", STUDIES)
def test_all_evenings_played_again_come_to_the_same_numbers(game):
    assert document(STUDIES[game], compute(STUDIES[game], workers=os.cpu_count())) == kept(game)


@pytest.mark.parametrize("game", STUDIES)
def test_every_cell_has_as_many_evenings_as_the_grid_wants(game):
    study, found = STUDIES[game], kept(game)
    assert [one["all"]["evenings"] for one in found["tables"]] == [cell.evenings for cell in study.cells]
    assert [one["all"]["evenings"] for one in found["duels"]] == [2 * duel.evenings for duel in study.duels]
    assert [one["all"]["evenings"] for one in found["apart"]] == [one.evenings for one in study.apart]


@pytest.mark.parametrize("game", STUDIES)
def test_blocks_cover_every_evening_once(game):
    for part in ("cells", "duels", "apart"):
        for place, item in enumerate(getattr(STUDIES[game], part)):
            blocks = [one.evenings for one in tasks(STUDIES[game]) if (one.part, one.place) == (part, place)]
            assert [number for block in blocks for number in block] == [*range(item.evenings)]


def test_two_cores_come_to_the_same_numbers_as_one():
    study = STUDIES["rap-rummy"]
    few = study._replace(cells=study.cells[-2:], duels=(), apart=())
    assert tasks(few, only_first=True)
    assert compute(few, 2, only_first=True) == compute(few, 1, only_first=True)


@pytest.mark.parametrize("game", STUDIES)
def test_every_reading_has_a_sentence_with_its_number_and_its_interval(game):
    study = STUDIES[game]
    found = results(FOLDER, game).readings
    assert [*found] == [reading.key for reading in study.readings]
    for result in found.values():
        words = sentence(result).replace("\N{NO-BREAK SPACE}", " ")
        assert words.startswith("Out of 10,000 simulated evenings of four")
        row = result.rows[0]
        assert f"{row.other:,} (" in words
        assert "95 % interval" in words
        for percentage in re.findall(r"\(([\d.]+) %", words):
            assert f"({percentage} %; 95 % interval" in words


def test_the_bonus_agrees_with_theory_at_every_table_that_is_blind_to_colours():
    for table in kept("victory-rummy")["tables"]:
        lines = table["all"]["default"]["lines"]
        found = share(lines["RWB"], lines["G"])
        # Of six tables one may lie outside an interval of 95 %; none may lie far outside.
        assert found.low - 0.01 < 1 / 6 < found.high + 0.01


def test_the_note_on_unbroken_ties_has_the_figures_of_the_lab():
    tables = {table["policy"]: table["all"]["default"] for table in kept("rap-rummy")["tables"][:8]}
    notes = (FOLDER.parent / "books" / "rap-rummy-1926" / "notes.toml").read_text(encoding="utf-8")
    note = " ".join(notes.partition('id = "tie-not-broken"')[2].partition("signed")[0].split())
    bold, careful = tables["raps at 25"], tables["raps at 0"]["events"]
    assert f"In {bold['deals']:,} simulated hands of four players who rap at 25" in note
    for events, prefix in ((bold["events"], ""), (careful, ""), (bold["events"], "dealt ")):
        ties, unbroken = events[f"{prefix}ties"], events[f"{prefix}unbroken ties"]
        found = share(unbroken, ties)
        assert f"{ties:,}" in note
        assert f"{unbroken:,}" in note
        assert f"{100 * found.figure:.1f} %; " in note
        assert f"{100 * found.low:.1f} to {100 * found.high:.1f} %" in note


@pytest.mark.parametrize("game", STUDIES)
def test_nobody_is_called_stronger_who_has_not_won(game):
    found = results(FOLDER, game)
    for duel, row in zip(found.duels, report(found).duels.rows, strict=True):
        assert ("is stronger than" in row[-1]) == (duel.share.low > 0.5 or duel.share.high < 0.5)


def test_the_command_refuses_a_game_that_is_not_simulated():
    with pytest.raises(Exception, match="invalid choice"):
        call_command("lab", "rummy-1916")


def test_the_command_writes_what_was_computed(monkeypatch, settings, tmp_path, capsys):
    study = STUDIES["rap-rummy"]
    few = study._replace(cells=(study.cells[0]._replace(evenings=200),), duels=(), apart=())
    monkeypatch.setitem(STUDIES, "rap-rummy", few)
    settings.FIXTURES = tmp_path
    call_command("lab", "rap-rummy", workers=1)
    written = json.loads((tmp_path / "lab" / "rap-rummy.json").read_text(encoding="utf-8"))
    assert written["tables"][0]["all"] == kept("rap-rummy")["tables"][0]["first"]
    assert "1 of 1 blocks" in capsys.readouterr().out
