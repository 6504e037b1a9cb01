"""Round grid: what one entry asks of each player, a row for each question, under the sheet's columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import EntryType, Field
from scorepad.layouts import keys
from scorepad.layouts.keys import Key
from scorepad.layouts.questions import Question


@dataclass(frozen=True)
class GridCell:
    """One answer of one player. It leads to its question, or is a key itself where a tap says all."""

    spoken: str
    place: str = ""
    words: str = ""
    key: Key | None = None
    is_now: bool = False
    is_open: bool = False
    """Still to be answered before the entry is whole."""


@dataclass(frozen=True)
class GridRow:
    words: str
    question: str
    together: int | None
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class RoundGrid:
    rows: tuple[GridRow, ...]


def round_grid(
    entry_type: EntryType, players: Sequence[str], asked: Sequence[Question], now: Question | None
) -> RoundGrid | None:
    """The grid of an entry that asks each player in one way; None for any other."""
    each = next((field for field in entry_type.fields if field.kind == "each"), None)
    if each is None or len(each.shapes) != 1:
        return None
    found = {question.path: question for question in asked if question.seat}
    rows = tuple(_row(each, leaf, players, found, now) for leaf in each.shapes[0])
    return RoundGrid(rows)


def _row(
    each: Field,
    leaf: Field,
    players: Sequence[str],
    asked: Mapping[tuple[str, ...], Question],
    now: Question | None,
) -> GridRow:
    questions = [asked.get((each.key, name, leaf.key)) for name in players]
    numbers = [one.answer for one in questions if one is not None and type(one.answer) is int]
    return GridRow(
        keys.label(leaf.key),
        leaf.question,
        sum(numbers) if leaf.kind == "number" and len(numbers) > 1 else None,
        tuple(_cell(leaf, name, one, now) for name, one in zip(players, questions, strict=True)),
    )


def _cell(leaf: Field, name: str, question: Question | None, now: Question | None) -> GridCell:
    if question is None:
        return GridCell(f"{name} is not asked")
    spoken = f"{name}, {leaf.question}"
    words = answer_words(question.answer) if question.answered else ""
    return GridCell(
        spoken,
        question.place,
        words,
        key=flag_key(question, words or "no", spoken)
        if leaf.kind == "flag" and question.is_optional
        else None,
        is_now=now is not None and now.path == question.path,
        is_open=not question.answered and not question.is_optional,
    )


def flag_key(question: Question, words: str, spoken: str) -> Key:
    """A key that says yes, and when it has been said takes it back."""
    if question.answer is True:
        return keys.part(question.path, "clear", True, words, spoken, is_chosen=True)
    return keys.part(question.path, "put", True, words, spoken)


def answer_words(answer: Any) -> str:
    """An answer as short as a cell is."""
    if isinstance(answer, list):
        return str(len(answer)) if len(answer) > 1 else "".join(map(keys.spoken, answer))
    return "" if answer is None else keys.spoken(answer)
