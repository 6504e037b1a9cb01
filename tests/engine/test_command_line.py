"""The command line: results and refusals as JSON, and never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine.strict_json import MAX_BYTES

ROOT = Path(__file__).parents[2]
SHEET = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"]}
RED = {"type": "victory", "player": "Ada", "color": "red"}


def run(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *words], input=stdin, capture_output=True, cwd=ROOT
    )


def refusal(text: bytes) -> dict:
    ran = run("score", "-", stdin=text)
    assert ran.returncode == 2
    assert ran.stderr == b""
    return json.loads(ran.stdout)["error"]


def test_score_prints_the_result_of_a_file(tmp_path):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(SHEET | {"entries": [RED]}))
    ran = run("score", str(file))
    assert ran.returncode == 0
    result = json.loads(ran.stdout)
    assert result["totals"] == {"Ada": 10, "Ben": 0}
    assert result["lines"][0]["cites"][0] == "victory-rummy-1942/score-victory"
    assert result["lines"][0]["why"] == "A VICTORY in red"
    assert result == engine.score(SHEET | {"entries": [RED]}).as_dict()


def test_score_reads_standard_input():
    assert json.loads(run("score", "-", stdin=json.dumps(SHEET).encode()).stdout)["status"] == "playing"


def test_a_name_in_any_script_comes_back_as_written():
    sheet = SHEET | {"players": ["Ása", "Борис"]}
    assert json.loads(run("score", "-", stdin=json.dumps(sheet).encode()).stdout)["players"] == [
        "Ása",
        "Борис",
    ]


def test_a_refused_sheet_says_code_sentence_entry_and_passages():
    text = json.dumps(SHEET | {"entries": [RED, {"type": "axis", "player": "Ada", "cards": 1}]}).encode()
    error = refusal(text)
    assert (error["code"], error["entry"]) == ("not-out", 1)
    assert error["message"].startswith("Ada is not out")
    assert "victory-rummy-1942/score-axis" in error["cites"]


def sheet_with(raw: str) -> bytes:
    """A sheet whose one entry is this JSON text."""
    return json.dumps(SHEET | {"entries": ["?"]}).replace('"?"', raw).encode()


HOSTILE = {
    "nothing": (b"", "bad-sheet", None),
    "not JSON": (b"{", "bad-sheet", None),
    "not UTF-8": (b'{"tally": 1, "title": "\xff"}', "bad-sheet", None),
    "a number": (b"7", "bad-sheet", None),
    "a list": (b"[]", "bad-sheet", None),
    "NaN as a sheet": (b"NaN", "bad-sheet", None),
    "NaN as the version": (b'{"tally": NaN}', "bad-sheet", None),
    "a version of a million digits": (b'{"tally": 1' + b"0" * 1_000_000 + b"}", "bad-sheet", None),
    "deep nesting": (b"[" * 200_000, "bad-sheet", None),
    "deep nesting in a field": (
        b'{"tally": 1, "title": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "bad-sheet",
        None,
    ),
    "a repeated key in the sheet": (b'{"tally": 1, "tally": 1}', "bad-sheet", None),
    "a file too large": (b" " * (MAX_BYTES + 1), "bad-sheet", None),
    "a repeated key in the options": (
        b'{"tally": 1, "game": "victory-rummy", "options": {"target": 50, "target": 50}}',
        "bad-option",
        None,
    ),
    "a lone surrogate in a name": (
        b'{"tally": 1, "game": "victory-rummy", "players": ["\\ud800", "B"]}',
        "bad-players",
        None,
    ),
    "a lone surrogate as the game": (b'{"tally": 1, "game": "\\udcff"}', "unknown-game", None),
    "a lone surrogate as a field": (
        sheet_with('{"type": "capture", "player": "Ada", "\\udcff": 1}'),
        "bad-entry",
        0,
    ),
    "a lone surrogate in an id": (
        sheet_with('{"id": "\\ud800", "type": "capture", "player": "Ada"}'),
        "bad-entry",
        0,
    ),
    "a repeated key in an entry": (
        sheet_with('{"type": "capture", "player": "Ada", "player": "Ada"}'),
        "bad-entry",
        0,
    ),
    "a huge number in an entry": (
        sheet_with('{"type": "axis", "player": "Ada", "cards": 1e999}'),
        "not-out",
        0,
    ),
    "a list as a player": (sheet_with('{"type": "capture", "player": ["Ada"]}'), "unknown-player", 0),
    "an object as a type": (sheet_with('{"type": {}}'), "bad-entry", 0),
    "an object as an id": (sheet_with('{"id": {}, "type": "capture", "player": "Ada"}'), "bad-entry", 0),
    "an object as a target": (sheet_with('{"type": "void", "of": {}}'), "bad-entry", 0),
    "an object as a colour": (
        sheet_with('{"type": "victory", "player": "Ada", "color": {}}'),
        "bad-entry",
        0,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_with_a_sentence(name):
    text, code, entry = HOSTILE[name]
    error = refusal(text)
    assert (error["code"], error["entry"]) == (code, entry)
    assert len(error["message"]) < 300 and "\n" not in error["message"]


def test_a_file_that_is_not_there(tmp_path):
    ran = run("score", str(tmp_path / "none.json"))
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["error"]["code"] == "bad-sheet"
    assert ran.stderr == b""


def test_a_folder_is_no_file(tmp_path):
    assert json.loads(run("score", str(tmp_path)).stdout)["error"]["code"] == "bad-sheet"


def test_a_reader_who_goes_away_sees_no_traceback():
    command = f"{sys.executable} -m engine games --json | head -c 10"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, cwd=ROOT)
    assert b"Traceback" not in ran.stderr


def test_games_as_data_has_every_game_with_its_options_and_entries():
    games = json.loads(run("games", "--json").stdout)
    assert [game["key"] for game in games] == list(engine.GAMES)
    for game in games:
        assert set(game) == {"key", "title", "book", "seats", "options", "entries"}
        assert all(
            option["question"] and option["cites"] and option["authority"] for option in game["options"]
        )
        assert all(entry["question"] for entry in game["entries"])


def test_games_explains_every_option_and_every_reading():
    words = " ".join(run("games").stdout.decode().split())
    for game in engine.GAMES.values():
        assert f"{game.title} ({game.key})" in words
        for option in game.options:
            assert option.question in words
            assert all(reading in words for reading in option.readings.values())


def test_melds_prints_count_melds_and_rest():
    ran = run("melds", "B1", "B2", "B3", "D9")
    assert json.loads(ran.stdout) == {"count": 9, "melds": [["B1", "B2", "B3"]], "rest": ["D9"]}


@pytest.mark.parametrize(("cards", "code"), [(["B12"], "bad-card"), (["B1", "B1"], "impossible")])
def test_melds_refuses_cards_that_cannot_be(cards, code):
    ran = run("melds", *cards)
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["error"]["code"] == code
