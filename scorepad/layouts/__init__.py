"""Layouts: how the pad of each game looks, as plain values for the templates.

- `base`: the class `Layout`, which every game's layout inherits
- `generic`: any game without a layout of its own
- `hand_counts`: shared by games in which everyone counts the cards in hand
- `rummy`, `rap_rummy`, `thumbs_up`, `victor_or_victim`, `victory_rummy`: one layout per game
- `rack`: the blocks of a loser of Thumbs Up, priced
- `legend`: what the signs on a pad mean
- `questions`: what is still to be asked of an entry, and where an answer goes
- `keys`: the keys and panels that ask it
- `round_grid`: the answers of all players to one entry
- `optional_answers`: the panel for what may be left out
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scorepad.layouts.base import Layout
from scorepad.layouts.generic import Generic
from scorepad.layouts.rap_rummy import RapRummy
from scorepad.layouts.rummy import Rummy, Rummy1916
from scorepad.layouts.thumbs_up import ThumbsUp
from scorepad.layouts.victor_or_victim import VictorOrVictim
from scorepad.layouts.victory_rummy import VictoryRummy
from scorepad.pad_state import PadState

AS_SENT_LENGTH_MOST = 500
"""Letters of a malformed entry on a page; the files of the pad have all of it."""

GENERIC = Generic()
LAYOUTS: dict[str, Layout] = {
    "victory-rummy": VictoryRummy(),
    "thumbs-up": ThumbsUp(),
    "rap-rummy": RapRummy(),
    "rummy-1926": Rummy(),
    "rummy-1916": Rummy1916(),
    "victor-or-victim": VictorOrVictim(),
}


def layout_of(game: str) -> Layout:
    """The layout of a game, by its key."""
    return LAYOUTS.get(game, GENERIC)


def describe_entry(state: PadState, entry: Mapping[str, Any]) -> str:
    """An entry as people at the table would say it, in one sentence."""
    return " ".join(who_and_what(state, entry)).strip()


def who_and_what(state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    """Whose an entry is and what happened; a malformed one, which does not stand, as it was sent."""
    if state.is_well_formed(entry):
        return layout_of(state.game).describe(state, entry)
    sent = json.dumps({key: entry[key] for key in entry if key != "id"}, ensure_ascii=False)
    return "", sent if len(sent) <= AS_SENT_LENGTH_MOST else f"{sent[:AS_SENT_LENGTH_MOST]}…"


__all__ = ["GENERIC", "LAYOUTS", "Layout", "PadState", "describe_entry", "layout_of", "who_and_what"]
