"""Optional answers: all that an entry may leave out, on one panel, and the key that leaves out the rest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from scorepad.layouts import keys
from scorepad.layouts.keys import Group, Key, Panel
from scorepad.layouts.questions import Question, first_open
from scorepad.layouts.round_grid import answer_words, flag_key
from scorepad.pad_state import PadState


def optional_panel(state: PadState, asked: Sequence[Question]) -> Panel:
    """Keys for these questions as far as they may be left out. Once all are answered, the entry was refused,
    or every one of them was answered by hand."""
    optional = [question for question in asked if question.is_optional]
    groups: dict[str, Group] = {}
    for question in optional:
        is_said_by_key = question.field.kind == "flag" and not question.seat
        words = "" if is_said_by_key else question.field.question
        groups[words] = _with(groups.get(words, Group(words)), question, state.players)
    enter = Key("part", json.dumps({"at": [asked[0].path[0]], "rest": True}), "Enter", "Enter")
    heading = "Anything else?" if optional else "Not entered yet"
    hint = "" if first_open(optional) else "Change an answer, or enter it."
    return Panel("optional", heading, hint, done=enter, groups=tuple(groups.values()))


def _with(group: Group, question: Question, players: Sequence[str]) -> Group:
    """The group with the keys of one more question."""
    if question.field.kind == "flag":
        words = question.seat or question.field.question
        spoken = f"{words}: {question.field.question}" if question.seat else words
        return replace(group, keys=(*group.keys, flag_key(question, words, spoken)))
    if question.field.kind == "player":
        return replace(group, keys=tuple(_toggled(question, name) for name in players))
    words = f"{question.seat or ''} {answer_words(question.answer) or '–'}".strip()
    return replace(group, turns=(*group.turns, (question.place, words)))


def _toggled(question: Question, name: str) -> Key:
    """A name that is an answer, and taken back by a second tap."""
    is_chosen = question.answer == name
    what = "clear" if is_chosen else "put"
    value = True if is_chosen else name
    spoken = f"{question.field.question} {name}"
    return keys.part(question.path, what, value, name, spoken, is_chosen=is_chosen)
