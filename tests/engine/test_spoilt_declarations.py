"""Spoilt declarations: each fault is refused with its line and a sentence, and nothing else comes out."""

import os
import re
from contextlib import suppress
from random import Random

import pytest

import engine
from engine.declared import DeclarationError, read_declaration, read_draft, statements
from engine.declared.golden import pinned_sheet
from engine.declared.lines import lines_of
from tests.engine.declarations import KEYS, RUMMY_1916, random_entry, text_of

SPOILT = 100_000 if os.environ.get("SOAK") else 600
TEXTS = [RUMMY_1916, *(text_of(key) for key in KEYS)]
VALUES = """
1 -1 0 true "" "x" [] {} 1.5 nan inf 2026-01-01 [[1]] "é" ["name"] "sum(sum(count))" "1_" "a[b]" "players"
"total*total" "{0.__class__}" "{points" "not_1" "winner" "hands" "everybody" [1000000,-1000000] "9999999"
"nearest(1,0)" "count(count)" {a=1,b=2} "others_of_winner" "-count" "0-total" [table] = # \u202e 'x' 1_0
""".split()  # noqa: SIM905 - one that can be read
VALUES += ["9" * 400, "0x" + "f" * 4000, "[" * 400, "{a=" * 200, '"' + "(" * 12 + "1" + ")" * 12 + '"']
VALUES += ['"' + "1+" * 90 + '1"', '"others of winner"', '"not not 1"', '"1 or 2 and not 3"']
PIECES = re.compile(r"\"[^\"\n]*\"|[A-Za-z_]+|[0-9]+|[^\sA-Za-z0-9_]")

FAULTS = [
    ("seats = [2, 6]", "seats = [6, 2]", 5, "least and the most players"),
    ("seats = [2, 6]", "seats = [2.0, 6]", 5, "whole numbers"),
    ('by = "A test"', 'by = "A test"\nsilent = ["a", "B c"]', 5, "silent lists names of passages"),
    ('by = "A test"', 'by = "A test"\nsilent = []', 5, "silent must list"),
    ('by = "A test"', 'by = "A test"\nruns = "x"', 5, 'there is no key "runs" here'),
    ('key = "rounds"', 'key = "Rounds"', 8, "no name"),
    ('key = "rounds"', 'key = "players"', 8, "taken already"),
    ("default = 1", "default = 0", 10, "from 1 to 100"),
    ("default = 1", "default = true", 10, "whole number"),
    ('authority = "text"', 'authority = "hearsay"', 13, "authority is one of text"),
    ('cites = ["one-deal-each"]', "cites = []", 14, "cites must list"),
    ('cites = ["one-deal-each"]', 'cites = ["One deal"]', 14, "names of passages"),
    ('cites = ["one-deal-each"]\n', "", 7, "No number without its passage"),
    ("hand = true\n", "hand = 1\n", 19, "true or false"),
    ("hand = true\n", "", 40, "no entry ends a hand"),
    ('kind = "player"', 'kind = "person"', 23, "kind is one of"),
    ('but = "winner"', 'but = "loser"', 29, "but names a player field"),
    ("from = 1, to", "from = 5, to", None, None),
    ("from = 1, to", "from = 5, step = 2, to", 31, "multiples of the step"),
    ('to = "hands"', 'to = "nobody"', 34, "to is one of winner"),
    ('points = "count"', 'points = "counts"', 35, "Nothing here is called counts"),
    ('points = "count"', 'points = "count ** 9"', 35, "is not expected here"),
    ('points = "count"', "points = 'winner.name'", 35, "cannot stand in a sum"),
    ('points = "count"', 'points = "count - count * 0 = 1"', 35, "Write == to compare"),
    ('points = "count"', 'points = "prices[count]"', 35, "There is no table prices"),
    ('points = "count"', 'points = "1000000 * 1000000 * count"', 35, "more than any game counts"),
    ('points = "count"', 'points = "0 * count"', 35, "always 0"),
    ('points = "count"', 'points = "(1"', 35, "“)” is missing"),
    ('why = "{who} is', 'why = "{nobody} is', 38, "Nothing here is called {nobody}"),
    ('why = "{who} is', 'why = "{who.name} is', 38, "A brace stands only"),
    ('after = "rounds * players"', 'after = "0"', 41, "must always be 1 or more"),
    ('after = "rounds * players"', 'reaches = "-1"', 41, "must always be 1 or more"),
    ('after = "rounds * players"', "falls = -5", 41, "no award takes from a total"),
    ('after = "rounds * players"\n', "", 40, "when is the game over"),
    ('wins = "lowest"', 'wins = "first"', 42, "only if there is a total to reach"),
    ("[end]\n", "[end\n", 40, "not TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("was", "becomes", "line", "says"), FAULTS)
def test_a_fault_is_refused_with_its_line_and_a_sentence(was, becomes, line, says):
    assert was in RUMMY_1916
    spoilt = RUMMY_1916.replace(was, becomes, 1)
    if says is None:
        read_declaration(spoilt)
        return
    with pytest.raises(DeclarationError, match=re.escape(says)) as fault:
        read_declaration(spoilt)
    assert fault.value.line == line, str(fault.value)


def test_a_choice_without_a_price_is_refused():
    with pytest.raises(DeclarationError, match="no number for “hay”"):
        read_declaration(text_of("pit").replace("hay = 50\n", ""))


def test_a_passage_that_the_book_has_not_is_refused():
    anchors = ["one-deal-each", "points-against"]
    with pytest.raises(DeclarationError, match='the book has no passage "fewest-wins"'):
        read_declaration(RUMMY_1916, anchors)


def test_a_text_too_long_to_read_is_refused():
    with pytest.raises(DeclarationError, match="longer than"):
        read_declaration("#" * 20_000)


def test_every_key_of_a_declaration_is_found_in_its_line():
    for text in TEXTS:
        lines = text.split("\n")
        for path, line in lines_of(text).items():
            if path and type(path[-1]) is str:
                assert path[-1] in lines[line - 1], (path, line)


def spoil(random, text):
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        lines = text.split("\n")
        at = random.randrange(len(lines))
        way = random.randrange(7)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(random.randrange(len(lines)), lines[at])
        elif way == 2 and " = " in lines[at]:
            lines[at] = lines[at].partition(" = ")[0] + " = " + random.choice(VALUES)
        elif way == 3:
            other = random.choice(TEXTS).split("\n")
            lines[at] = random.choice(other)
        elif way == 4:
            place = random.randrange(len(text) + 1)
            text = (
                text[:place] + random.choice("\"'[]{}=,.#\\\n\x00é9-a") + text[place + random.randrange(3) :]
            )
            continue
        else:
            pieces = PIECES.findall(text)
            text = text.replace(
                random.choice(pieces), random.choice([*pieces, *VALUES]), random.choice((1, 1, 9))
            )
            continue
        text = "\n".join(lines)
    return text


def test_a_spoilt_declaration_is_refused_or_plays_and_nothing_else_comes_out():
    random, read, refused = Random(16), 0, 0
    for number in range(SPOILT):
        text = spoil(random, TEXTS[number % len(TEXTS)])
        fault = fault_of(text, random)
        refused += fault is not None
        read += fault is None
        assert fault is None or 10 < len(str(fault)) < 2_000
    assert refused > SPOILT / 3 and read > SPOILT / 20


def fault_of(text, random):
    """What is wrong with a declaration; one that can be read is told and played."""
    try:
        declaration = read_declaration(text)
    except DeclarationError as fault:
        check_draft(text, fault)
        return fault
    assert read_draft(text).declaration.name == declaration.name
    assert statements(declaration)
    play(random, declaration)
    return None


def check_draft(text, fault):
    """As a draft the same text has that fault among others, and what it says can be told."""
    try:
        draft = read_draft(text)
    except DeclarationError:
        return
    assert draft.declaration is None and draft.faults[0].sentence == fault.sentence
    for path in draft.read:
        statement = draft.statement(path)
        assert statement is None or statement.text


def play(random, declaration):
    """Some entries of a declared game: each is scored or refused."""
    players = [f"P{seat}" for seat in range(declaration.seats[1])]
    sheet = {"tally": 1, "game": declaration.key, "players": players, "entries": []}
    position = engine.replay(pinned_sheet(declaration, sheet))
    for _ in range(4):
        with suppress(engine.Refused):
            position = position.enter(random_entry(random, declaration.game, players))
    assert set(position.result().totals) == {*players}
