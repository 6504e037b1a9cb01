"""What a pad shows, as plain values: one small file per kind of pad, and the drawn pad for any other game.

Every kind answers the same questions: `status`, `seats`, `sheet`, `panel` (the keys now), `is_whole` (is the
entry being made ready for the log), `said` (an entry in words), `when` (its deal or hand) and `trail` (how a
number came about). None of them knows Django, a database or a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from scorepad.layouts import generic as drawn
from scorepad.layouts import rap_rummy as differences
from scorepad.layouts import rummy as against
from scorepad.layouts import thumbs_up as chips
from scorepad.layouts import victor_or_victim as letters
from scorepad.layouts import victory_rummy as symbols
from scorepad.pad_state import Moment

KINDS: dict[str, ModuleType] = {
    "victory-rummy": symbols,
    "thumbs-up": chips,
    "rap-rummy": differences,
    "rummy-1926": against,
    "rummy-1916": against,
    "victor-or-victim": letters,
}


def kind_of(game: str) -> ModuleType:
    return KINDS.get(game, drawn)


def begun(moment: Moment) -> dict[str, Any]:
    """The entry being made, with what need not be asked filled in; its type always, where it is settled."""
    kind = kind_of(moment.position.game.key)
    if kind is letters:
        return letters.made(moment)
    settled = drawn.kind(moment)
    if kind is chips:
        settled = "hand"
    return {"type": settled, **moment.made} if settled else dict(moment.made)


def in_words(moment: Moment, entry: Mapping[str, Any]) -> str:
    """An entry as people at the table would say it."""
    return " ".join(kind_of(moment.position.game.key).said(moment, entry)).strip()


__all__ = ["KINDS", "Moment", "begun", "in_words", "kind_of"]
