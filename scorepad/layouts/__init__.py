"""What a pad shows, as plain values: one small file per kind of pad, and the drawn pad for any other game.

Every kind answers the same questions: `status`, `seats`, `sheet`, `panel` (the keys now), `is_whole` (is the
entry being made ready for the log), `said` (an entry in words), `when` (its deal or hand) and `trail` (how a
number came about). None of them knows Django, a database or a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from scorepad.layouts import generic, rap_rummy, rummy, thumbs_up, victor_or_victim, victory_rummy
from scorepad.pad_state import PadState

KINDS: dict[str, ModuleType] = {
    "victory-rummy": victory_rummy,
    "thumbs-up": thumbs_up,
    "rap-rummy": rap_rummy,
    "rummy-1926": rummy,
    "rummy-1916": rummy,
    "victor-or-victim": victor_or_victim,
}


def kind_of(game: str) -> ModuleType:
    return KINDS.get(game, generic)


def begun(moment: PadState) -> dict[str, Any]:
    """The entry being made, with what need not be asked filled in; its type always, where it is settled."""
    kind = kind_of(moment.position.game.key)
    if kind is victor_or_victim:
        return victor_or_victim.made(moment)
    settled = generic.kind(moment)
    if kind is thumbs_up:
        settled = "hand"
    return {"type": settled, **moment.made} if settled else dict(moment.made)


def in_words(moment: PadState, entry: Mapping[str, Any]) -> str:
    """An entry as people at the table would say it."""
    return " ".join(kind_of(moment.position.game.key).said(moment, entry)).strip()


__all__ = ["KINDS", "PadState", "begun", "in_words", "kind_of"]
