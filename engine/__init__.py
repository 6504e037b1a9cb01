"""Tallyroom's engine: a game's log in, points out, and for every number the passage that awards it.

>>> import engine
>>> sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"],
...          "entries": [{"type": "victory", "player": "Ada", "color": "red"}]}
>>> engine.score(sheet).totals
{'Ada': 10, 'Ben': 0}
"""

from engine.fields import check_part
from engine.games import GAMES
from engine.log import CORRECTIONS
from engine.rules import AUTHORITIES, Citation, EntryType, Field, Game, Option, Refused
from engine.sheet import Line, Position, Result, replay, score
from engine.strict_json import read

#: Changes whenever some sheet scores otherwise; the changelog's "Scoring changes" says how.
__version__ = "1.0"

__all__ = [
    "AUTHORITIES",
    "CORRECTIONS",
    "GAMES",
    "Citation",
    "EntryType",
    "Field",
    "Game",
    "Line",
    "Option",
    "Position",
    "Refused",
    "Result",
    "check_part",
    "read",
    "replay",
    "score",
]
