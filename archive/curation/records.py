"""What differs between two states of a file of records: note by note, answer by answer, not as TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from archive.curation.changes import Piece, words

NAMES = ("id", "slug", "game")
"""What a record is called by. Tables without any of these are answers of the record that they stand in."""
Answer = tuple[str, str]


@dataclass(frozen=True)
class AnswerDifference:
    label: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class RecordDifference:
    """`name` and `kind` are empty for what a file says of the book itself."""

    kind: str
    name: str
    came: Literal["in", "out", ""]
    answers: tuple[AnswerDifference, ...]


def record_differences(old: str, new: str) -> list[RecordDifference]:
    """The records that differ; none if only their order or their writing does, or if one cannot be read."""
    try:
        before, after = _records(tomllib.loads(old)), _records(tomllib.loads(new))
    except tomllib.TOMLDecodeError:
        return []
    found = []
    for key in [*after, *(key for key in before if key not in after)]:
        answers = tuple(_answers(before.get(key, []), after.get(key, [])))
        if answers:
            came: Literal["in", "out", ""] = "in" if key not in before else "out" if key not in after else ""
            found.append(RecordDifference(*key, came, answers))
    return found


def _records(tables: dict[str, Any]) -> dict[tuple[str, str], list[Answer]]:
    records: dict[tuple[str, str], list[Answer]] = {("", ""): []}
    for kind, value in tables.items():
        if _are_records(value):
            for table in value:
                name = next(table[key] for key in NAMES if key in table)
                records.setdefault((kind, name), []).extend(_flat(table))
        else:
            records["", ""] += _flat({kind: value})
    return records


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and any(key in one for key in NAMES) for one in value
    )


def _flat(value: Any, label: str = "") -> Iterator[Answer]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(inner, f"{label}, {name}" if label else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(inner, label)
    else:
        text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
        yield label.replace("_", " ").capitalize(), text.strip()


def _answers(old: list[Answer], new: list[Answer]) -> Iterator[AnswerDifference]:
    """What went and what came; an answer that another takes the place of is one line with both."""
    for _, a1, a2, b1, b2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = old[a1:a2], new[b1:b2]
        if gone == come:
            continue
        for label, text in gone:
            other = next((answer for answer in come if answer[0] == label), (label, ""))
            if other in come:
                come.remove(other)
            yield AnswerDifference(label, words(text, other[1]))
        for label, text in come:
            yield AnswerDifference(label, words("", text))
