"""Tallyroom's engine: a game's log in, points out, and for every number the passage that awards it.

>>> import engine
>>> sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"],
...          "entries": [{"type": "victory", "player": "Ada", "color": "red"}]}
>>> engine.score(sheet).totals
{'Ada': 10, 'Ben': 0}

- `rules`: the terms in which a game is written: options, entries, fields, awards, refusals
- `games`: one file per game, and the registry; `declared`: games that are data, beside a rulebook
- `rummy`: the rules that the Rummies of 1916 and 1926 share
- `pack`: the 44 cards of 1926; `melds` and `meld_tables`: the best sets and sequences of a hand
- `sheet`: scores a tally sheet; `head`: its game, options, players; `player_names`: the rules for names
- `log`: its entries and corrections; `order_of_play`: when each is played; `fields`: checks of one entry
- `position`: where a game stands after an entry, and moves on to; `result`: its lines, totals and winners
- `packed_sheet`: a whole game in a few bytes, for codes; `packed_fields` and `mixed_radix`: how
- `strict_json`: reads a sheet; `__main__`: the command line
"""

from engine.fields import check_part
from engine.games import GAMES
from engine.log import CORRECTIONS
from engine.position import Position
from engine.result import Line, Result
from engine.rules import AUTHORITIES, Citation, EntryType, Field, Game, Option, Refused
from engine.sheet import replay, replay_in_parts, score
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
    "replay_in_parts",
    "score",
]
