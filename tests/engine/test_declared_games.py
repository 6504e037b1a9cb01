"""Games declared as data: the examples score as their golden sheets say; Rummy 1916 equals the code."""

import copy
import json
from contextlib import suppress
from random import Random

import pytest

import engine
from archive.edition import read_book
from engine import packed_sheet
from engine.__main__ import main
from engine.declared import DeclarationError, read_declaration, silent_passages, statements
from engine.declared.golden import GoldenError, golden_cases, pinned_sheet
from tests.engine.declarations import EXAMPLES, KEYS, RUMMY_1916, example, random_entry, text_of
from tests.engine.golden import cases

RUMMY = read_declaration(RUMMY_1916)
NO_CARDS = [case for case in cases() if case.game == "rummy-1916" and '"cards"' not in json.dumps(case.sheet)]
ROOK = {"tally": 1, "game": "rook", "players": ["Us", "Them"]}
ROUND = {"type": "round", "bidder": "Us", "bid": 70, "taken": 85}


def outcome(sheet):
    """All that an engine says of a sheet, but for the name of the game."""
    try:
        found = engine.score(sheet).as_dict()
        return {**found, "game": found["game"].partition("@")[0]}
    except engine.Refused as refused:
        return refused.as_dict()


@pytest.mark.parametrize("case", NO_CARDS, ids=str)
def test_rummy_1916_as_data_equals_the_code(case):
    sheet = copy.deepcopy(case.sheet)
    if sheet.get("game") == "rummy-1916":
        assert outcome(pinned_sheet(RUMMY, sheet)) == outcome(sheet)


def test_many_golden_sheets_of_rummy_name_no_cards():
    assert len(NO_CARDS) >= 15


@pytest.mark.parametrize("key", KEYS)
def test_an_example_cites_its_book_and_scores_as_its_golden_sheets_say(key):
    edition = read_book(EXAMPLES / key)
    anchors = [anchor for passage in edition.passages for anchor in passage.anchors]
    declaration = read_declaration(text_of(key), anchors)
    judged = [*golden_cases(declaration, (EXAMPLES / key / "sheets.json").read_text())]
    assert len(judged) >= 3
    assert [case.name for case in judged if case.fault] == []
    silent = silent_passages(declaration, anchors)
    assert all(anchor == "name" or anchor.endswith("-heading") for anchor in silent), silent


@pytest.mark.parametrize("key", KEYS)
def test_a_declaration_is_read_back_in_sentences_with_their_passages(key):
    for statement in statements(example(key)):
        assert statement.cites
        assert statement.text.endswith((".", ")", "”"))


def test_the_sentences_of_a_declaration_say_what_its_sums_say():
    told = [statement.text for statement in statements(example("rook"))]
    assert "A round is played: the bidder gets −“bid”, if “taken” is less than “bid”." in told
    assert "A round is played: each player but the bidder gets “counters” − “taken”." in told


def test_players_of_whom_something_holds_are_told_as_a_number_of_players():
    text = RUMMY_1916.replace('points = "count"', 'points = "count"\nwhen = "sum(count <= 5) > 1"')
    (award,) = (s.text for s in statements(read_declaration(text)) if "gets" in s.text)
    assert "if (the number of players of whom “count” is at most 5) is more than 1." in award


def test_a_golden_sheet_that_scores_otherwise_is_told_with_both_numbers():
    rook = example("rook")
    wrong = [
        {"name": "Wrong", "sheet": {**ROOK, "entries": [ROUND]}, "result": {"totals": {"Us": 80, "Them": 35}}}
    ]
    (case,) = golden_cases(rook, json.dumps(wrong))
    assert case.fault == "totals is Us 85, Them 35, and should be Us 80, Them 35."
    (case,) = golden_cases(rook, json.dumps([{**wrong[0], "sheet": ROOK | {"game": "pit"}}]))
    assert case.fault == "Its game must be rook, without a declaration."


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '[{"name": "x", "sheet": {}}]', '[{"name": 1, "sheet": {}, "error": {}}]']
)
def test_a_file_that_holds_no_golden_sheets_is_refused(text):
    with pytest.raises(GoldenError):
        [*golden_cases(example("rook"), text)]


def test_the_command_line_scores_a_sheet_that_brings_its_declaration(tmp_path, capsys):
    sheet = pinned_sheet(example("rook"), {**ROOK, "entries": [ROUND]})
    (tmp_path / "sheet.json").write_text(json.dumps(sheet))
    assert main(["score", str(tmp_path / "sheet.json")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["totals"] == {"Us": 85, "Them": 35}
    assert found["lines"][0]["cites"] == ["rook/made"]
    assert found["game"] == sheet["game"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"declaration": None}, 'lacks the "declaration"'),
        ({"declaration": 7}, "must be the text"),
        ({"declaration": text_of("rook") + "\n"}, "is not the one that"),
        ({"declaration": "\ud800"}, "is not the one that"),
        ({"game": "pit@" + example("rook").digest}, "declares rook"),
    ],
)
def test_a_sheet_whose_declaration_does_not_fit_is_refused(change, says):
    sheet = {
        key: value
        for key, value in (pinned_sheet(example("rook"), ROOK) | change).items()
        if value is not None
    }
    with pytest.raises(engine.Refused, match=says):
        engine.score(sheet)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "rook"}, "bad-sheet"),
        ({"game": "rook@"}, "bad-sheet"),
        ({"game": "rummy-1916"}, "bad-sheet"),
        ({"game": 7}, "bad-sheet"),
        ({"game": "rook@1234", "declaration": None}, "unknown-game"),
        ({"game": "rook@" + "A" * 32, "declaration": None}, "unknown-game"),
        ({"game": "rook@" + "0" * 32, "declaration": None}, "bad-declaration"),
    ],
)
def test_only_a_name_with_a_digest_brings_a_declaration(change, code):
    """For every other game the field is one that a tally sheet does not have."""
    sheet = pinned_sheet(example("rook"), ROOK) | change
    with pytest.raises(engine.Refused) as refused:
        engine.score({key: value for key, value in sheet.items() if value is not None})
    assert refused.value.code == code


def test_a_declaration_that_is_faulty_is_refused_with_its_line():
    text = text_of("rook").replace('points = "-bid"', 'points = "-bids"')
    digest = engine.declared.digest_of(text)
    with pytest.raises(engine.Refused, match=r"Line 72: .*Nothing here is called bids") as refused:
        engine.score({**ROOK, "game": f"rook@{digest}", "declaration": text})
    assert refused.value.code == "bad-declaration"


@pytest.mark.parametrize("key", KEYS)
def test_random_games_with_corrections_are_replayed_and_packed_like_coded_ones(key):
    random, declaration = Random(key), example(key)
    players = ["Ada", "Ben", "Cy", "Dot"][: declaration.seats[1]]
    start = engine.replay(pinned_sheet(declaration, {"tally": 1, "game": key, "players": players}))
    position = start
    for number in range(120):
        entry = {"id": f"e{number}", **random_entry(random, declaration.game, players)}
        if number % 7 == 5 and position.places:
            entry = {
                "id": f"e{number}",
                "type": "insert",
                "after": None,
                "entry": {k: v for k, v in entry.items() if k != "id"},
            }
        with suppress(engine.Refused):
            position = position.enter(entry)
    log = [*position.entries]
    sheet = pinned_sheet(declaration, {"tally": 1, "game": key, "players": players, "entries": log})
    assert engine.score(sheet).as_dict() == position.result().as_dict()
    back = packed_sheet.unpack(packed_sheet.pack(sheet))
    assert engine.score(back).totals == engine.score(sheet).totals
    assert back["declaration"] == declaration.text


def test_ties_are_played_on_and_a_total_never_grows_without_end():
    text = RUMMY_1916.replace('points = "count"', 'points = "1000000 * count"').replace(
        "rounds * players", "100000"
    )
    greedy = read_declaration(text)
    hand = {"type": "hand", "winner": "Ada", "hands": {"Ben": {"count": 999}}}
    sheet = {"tally": 1, "game": "rummy-1916", "players": ["Ada", "Ben"], "entries": [hand] * 3}
    with pytest.raises(engine.Refused, match="No total goes beyond"):
        engine.score(pinned_sheet(greedy, sheet))


def test_the_example_in_the_documents_is_a_whole_declaration():
    document = (EXAMPLES.parents[1] / "docs" / "format.md").read_text()
    block = document.partition("```toml\nkey = ")[2].partition("```")[0]
    assert f"key = {block}" == text_of("rook")


def test_the_command_line_reads_a_declaration_back_in_sentences(tmp_path, capsys):
    assert main(["declaration", str(EXAMPLES / "rook" / "game.toml")]) == 0
    told = capsys.readouterr().out
    assert "A round is played: the bidder gets “taken”, if “taken” is at least “bid”. [made]" in told
    (tmp_path / "game.toml").write_bytes(b"key = \xff")
    assert main(["declaration", str(tmp_path / "game.toml")]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad-declaration"


def among_twelve(points="n", why="{who}", awards=1):
    """A game in which every player receives from every other, `awards` times a hand."""
    award = """
[[entry.award]]
to = "everybody"
from = "shares"
points = "%s"
symbol = "s"
why = "%s"
cites = ["a"]
"""
    return f"""
key = "among"
title = "Among twelve"
book = "among"
by = "A test"
seats = [12, 12]

[[entry]]
key = "hand"
question = "What happened?"
hand = true

[[entry.field]]
key = "named"
kind = "pieces"
question = "Which?"
values = ["{"w" * 40}"]
to = 60
required = false

[[entry.field]]
key = "bonus"
kind = "number"
question = "How much more?"
from = 1
to = 9
required = false

[[entry.field]]
key = "shares"
kind = "each"
question = "How many?"
share = [{{ key = "n", kind = "number", question = "How many?", from = 0, to = 3 }}]
{award % (points, why) * awards}
[end]
after = 1000
wins = "highest"
why = "All is played."
cites = ["a"]
"""


def among_sheet(declaration, hands, **more):
    names = [f"P{n}" for n in range(12)]
    hand = {"type": "hand", "shares": {name: {"n": 1} for name in names}, **more}
    entries = [{"id": f"e{n}", **hand} for n in range(hands)]
    return pinned_sheet(declaration, {"tally": 1, "game": "among", "players": names, "entries": entries})


@pytest.mark.parametrize(
    "more", [{"awards": 6}, {"why": "{named}" * 2}, {"points": " + ".join(["sum(n)"] * 4)}]
)
def test_an_entry_that_takes_long_to_work_out_is_refused_before_it_is_played(more):
    with pytest.raises(DeclarationError, match="steps to work out"):
        read_declaration(among_twelve(**more))


def test_lines_of_a_game_and_letters_of_a_line_do_not_grow_without_end(monkeypatch):
    declaration = read_declaration(
        among_twelve(why="{bonus} {named} " + "x" * 200).replace("to = 60", "to = 12")
    )
    lines = engine.score(among_sheet(declaration, 1, named=["w" * 40] * 12)).lines
    assert len(lines) == 12 * 11 * 2 and {len(line.why) for line in lines} == {600}
    monkeypatch.setattr("engine.declared.game.LINES_MOST", 500)
    with pytest.raises(engine.Refused, match="more than 500 lines"):
        engine.score(among_sheet(declaration, 2))


def test_an_answer_left_out_is_told_as_none():
    text = among_twelve(why="{bonus}, {named}, {kind}").replace("to = 60", "to = 12")
    kind = '{ key = "kind", kind = "choice", values = ["a"], question = "?", required = false }'
    declaration = read_declaration(text.replace("to = 3 }]", f"to = 3 }}, {kind}]"))
    assert engine.score(among_sheet(declaration, 1)).lines[0].why == "none, none, nothing"


def test_a_list_of_one_kind_of_piece_can_be_packed():
    sheet = among_sheet(read_declaration(among_twelve()), 1, named=["w" * 40] * 60)
    packed = packed_sheet.unpack(packed_sheet.pack(sheet, "x"))
    assert engine.score(packed).totals == engine.score(sheet).totals


def test_a_side_is_spoken_of_as_several():
    won = {**ROOK, "options": {"target": 100}, "entries": [ROUND, ROUND]}
    assert "Us have the higher score" in json.dumps(
        engine.score(pinned_sheet(example("rook"), won)).as_dict()
    )
