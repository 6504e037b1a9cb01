"""Scripts know no rule: a second engine would drift from the first."""

import re
from pathlib import Path

import engine

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
