"""Every rule, every reading and every refusal, as plain sheets that outlive this engine."""

import copy

import pytest

import engine
from tests.engine.golden import SHEETS, Case, cases

CASES = cases()
SCORED = [case for case in CASES if case.result]
REFUSED = [case for case in CASES if case.error]
CODES_OF_THE_SHEET = {
    "bad-sheet",
    "unknown-game",
    "unknown-option",
    "bad-option",
    "bad-players",
    "unknown-player",
    "bad-entry",
    "unknown-entry",
    "duplicate-id",
    "unknown-target",
    "already-void",
    "game-over",
    "impossible",
}
CODES_OF_THE_GAMES = {
    "victory-rummy": {"axis-first", "not-out"},
    "thumbs-up": {"not-the-most", "not-a-win", "bad-block"},
    "rummy-1916": {"bad-card"},
    "rummy-1926": {"bad-card"},
    "rap-rummy": {"bad-card", "tie", "no-tie"},
    "victor-or-victim": {"eliminated", "not-your-turn", "not-on-table", "bad-card"},
}
RULE_CODES = {
    "game-over",
    "impossible",
    "axis-first",
    "not-out",
    "not-the-most",
    "not-a-win",
    "tie",
    "no-tie",
} | {
    "eliminated",
    "not-your-turn",
    "not-on-table",
}


def score(case: Case) -> engine.Result:
    return engine.score(copy.deepcopy(case.sheet))


@pytest.mark.parametrize("case", SCORED, ids=str)
def test_sheet_scores_as_written_down(case: Case):
    assert case.result is not None
    result = score(case)
    assert [[line.entry, line.player, line.points, line.symbol] for line in result.lines] == case.result[
        "lines"
    ]
    shown = result.as_dict()
    assert {key: shown[key] for key in case.result if key != "lines"} == {
        key: value for key, value in case.result.items() if key != "lines"
    }


@pytest.mark.parametrize("case", SCORED, ids=str)
def test_every_number_and_every_end_has_its_passage_and_its_sentence(case: Case):
    result = score(case)
    book = engine.GAMES[case.game].book
    for line in result.lines:
        assert line.cites and line.why, line
        assert {cite.book for cite in line.cites} == {book}
    assert (result.ended is not None) == (result.status == "finished")
    if result.ended:
        assert result.ended.cites and result.ended.why and result.winners


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_sheet_is_refused_as_written_down(case: Case):
    with pytest.raises(engine.Refused) as refused:
        score(case)
    assert {"code": refused.value.code, "entry": refused.value.entry} == case.error
    assert refused.value.message[-1] in ".?" and len(refused.value.message) < 300
    if refused.value.code in RULE_CODES:
        assert refused.value.cites, "a rule is the reason, so its passage is cited"


def test_every_game_has_its_golden_file():
    assert {file.stem for file in SHEETS.glob("*.json")} == set(engine.GAMES)


def test_names_of_cases_are_distinct():
    assert len({str(case) for case in CASES}) == len(CASES)


def test_every_refusal_code_is_shown_once():
    seen = {case.error["code"] for case in REFUSED if case.error}
    assert seen == CODES_OF_THE_SHEET | set().union(*CODES_OF_THE_GAMES.values())
    for game, codes in CODES_OF_THE_GAMES.items():
        assert codes <= {case.error["code"] for case in REFUSED if case.error and case.game == game}


@pytest.mark.parametrize("game", engine.GAMES.values(), ids=lambda game: game.key)
def test_every_value_of_every_option_is_played(game: engine.Game):
    played = [score(case).options for case in SCORED if case.game == game.key]
    for option in game.options:
        seen = {options[option.key] for options in played}
        if option.values is None:
            assert len(seen) > 1, f"{option.key} is never changed"
        else:
            assert seen == set(option.values), option.key
