"""Scripts know no rule: a second engine would drift from the first."""

import re
from pathlib import Path

import engine
from tests.engine.golden import cases

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))


def words_of_rules():
    """Names that only somebody who scores would write: games, what can be entered, and options."""
    for game in engine.GAMES.values():
        yield game.key
        yield from (entry.key for entry in game.entries)
        yield from (option.key for option in game.options)


GENERAL = {"end", "take", "draw", "pass", "turn", "hand", "deal", "round"}
"""Words of some game that every script may use for something else."""


def test_no_script_holds_a_rule():
    words = set(words_of_rules()) - GENERAL
    assert len(words) > 20
    found = [
        (script.name, word)
        for script in SCRIPTS
        for word in re.findall(r"[\"'`]([\w-]+)[\"'`]", script.read_text())
        if word in words
    ]
    assert found == []


def awarded():
    """Every number of points that a line of a golden sheet has, but for those that every program has."""
    lines = (line for case in cases() if case.result is not None for line in engine.score(case.sheet).lines)
    return {abs(line.points) for line in lines} - set(range(5))


NAMED_OR_SAID = re.compile(r"^\s*(//.*|const [A-Z_]+ = .*)$|\"[^\"\n]*\"", re.M)
"""Comments, constants with a name, words."""
NUMBER = re.compile(r"(?<![\w.$#\\{,])\d[\d_]*\b(?!\.)")
OTHER_MEANINGS = {
    ("correct.js", 12): "milliseconds",
    ("host.js", 8): "letters",
    ("messages.js", 8): "pixels",
    ("render.js", 40): "pixels",
    ("router.js", 8): "rounds",
    ("take.js", 100): "percent",
    ("taps.js", 12): "milliseconds",
}


def numbers(text):
    return {int(found) for found in NUMBER.findall(NAMED_OR_SAID.sub("", text))}


def test_no_script_of_a_pad_holds_a_number_of_points():
    points = awarded()
    assert {10, 25, 50} <= points
    assert numbers("total = before + 50;\n// 25\nconst WAIT_MS = 10;") == {50}
    pads = [script for script in SCRIPTS if script.parent.name in ("pad", "phone")]
    found = {(script.name, number) for script in pads for number in numbers(script.read_text()) & points}
    assert found - OTHER_MEANINGS.keys() == set()
