"""Diff of two states of a book: texts by lines and words, other files by records and their answers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from archive.curation.matches import BoundedMatcher, DiffBudget
from archive.images.pictures import Picture

CONTEXT_LINES = 2
"""So many unchanged lines are shown on either side of a change."""
WORDS = re.compile(r"\s+|\w+|[^\w\s]")
RECORD_NAMES = ("id", "slug", "game", "key")
"""Keys that name a record. Tables without any of these are answers of the record that they stand in."""
FILE_TITLES = {
    "book.toml": "Catalogue",
    "brief.toml": "Rules in brief",
    "game.toml": "Declared game",
    "notes.toml": "Notes",
    "parallel.toml": "Corrected pairs of parallel texts",
    "sheets.json": "Example sheets of the declared game",
    "sources.toml": "Sources",
    "text.txt": "Text",
    "variants.toml": "Variants",
    "witness.txt": "Source text",
}
Piece = tuple[Literal["same", "out", "in"], str]
Answer = tuple[str, str]


@dataclass(frozen=True)
class DiffLine:
    """One line. `old` and `new` are its numbers in the two texts, None where it does not stand."""

    kind: Literal["same", "out", "in"]
    old: int | None
    new: int | None
    pieces: tuple[Piece, ...]


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


@dataclass(frozen=True)
class FileDifference:
    """`clips` has the page beside each place, where there is one. Files of records differ by records, others,
    or if only their writing differs, by lines. `is_cut` where more differs than a page can show."""

    name: str
    hunks: tuple[tuple[DiffLine, ...], ...]
    clips: tuple[Picture | None, ...] = ()
    records: tuple[RecordDifference, ...] = ()
    is_cut: bool = False

    @property
    def title(self) -> str:
        return FILE_TITLES.get(self.name, self.name)

    @property
    def places(self) -> list[tuple[tuple[DiffLine, ...], Picture | None]]:
        return list(zip_longest(self.hunks, self.clips))


def diff_files(old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDifference]:
    """The files that differ, in the order of their names."""
    names = [name for name in sorted({*old, *new}) if old.get(name, "") != new.get(name, "")]
    budget = DiffBudget()
    return [_diff_file(name, old.get(name, ""), new.get(name, ""), budget) for name in names]


def _diff_file(name: str, old: str, new: str, budget: DiffBudget) -> FileDifference:
    records = tuple(diff_records(old, new, budget)) if name.endswith(".toml") else ()
    hunks = () if records else tuple(_hunks(old, new, budget))
    return FileDifference(name, hunks, records=records, is_cut=budget.rows <= 0)


def _hunks(old: str, new: str, budget: DiffBudget) -> Iterator[tuple[DiffLine, ...]]:
    a, b = old.split("\n"), new.split("\n")
    for group in BoundedMatcher(a, b, budget).get_grouped_opcodes(CONTEXT_LINES):
        if budget.rows <= 0:
            return
        rows: list[DiffLine] = []
        for kind, a1, a2, b1, b2 in group:
            if kind == "equal":
                rows += [
                    DiffLine("same", a1 + i + 1, b1 + i + 1, (("same", a[a1 + i]),)) for i in range(a2 - a1)
                ]
            else:
                room = max(budget.rows - len(rows), 0)
                rows += _changed(a[a1:a2][:room], b[b1:b2][:room], a1, b1, budget)
        budget.rows -= len(rows)
        yield tuple(rows)


def _changed(old: list[str], new: list[str], a: int, b: int, budget: DiffBudget) -> Iterator[DiffLine]:
    """Lines that went, then lines that came; where they pair off, the words that differ are marked."""
    pairs = [word_diff(x, y, budget) for x, y in zip(old, new, strict=False)]
    for i, line in enumerate(old):
        gone = pairs[i] if i < len(pairs) else word_diff(line, "", budget)
        yield DiffLine("out", a + i + 1, None, tuple(piece for piece in gone if piece[0] != "in"))
    for i, line in enumerate(new):
        come = pairs[i] if i < len(pairs) else word_diff("", line, budget)
        yield DiffLine("in", None, b + i + 1, tuple(piece for piece in come if piece[0] != "out"))


def word_diff(old: str, new: str, budget: DiffBudget | None = None) -> tuple[Piece, ...]:
    """The words of two lines in one row: those that stay, those that go, those that come. Where the page has
    no room for them, the whole line goes and comes."""
    budget = budget or DiffBudget()
    pieces = tuple(_word_pieces(old, new, budget))
    if len(pieces) > budget.pieces:
        return tuple(piece for piece in (("out", old), ("in", new)) if piece[1])
    budget.pieces -= len(pieces)
    return pieces


def _word_pieces(old: str, new: str, budget: DiffBudget) -> list[Piece]:
    a, b = WORDS.findall(old), WORDS.findall(new)
    pieces: list[Piece] = []
    for kind, a1, a2, b1, b2 in BoundedMatcher(a, b, budget).get_opcodes():
        if kind == "equal":
            pieces.append(("same", "".join(a[a1:a2])))
            continue
        if a1 < a2:
            pieces.append(("out", "".join(a[a1:a2])))
        if b1 < b2:
            pieces.append(("in", "".join(b[b1:b2])))
    return pieces


def diff_records(old: str, new: str, budget: DiffBudget) -> list[RecordDifference]:
    """The records that differ; none if only their order or their writing does, or if one cannot be read."""
    try:
        before, after = _records(tomllib.loads(old)), _records(tomllib.loads(new))
    except tomllib.TOMLDecodeError:
        return []
    found = []
    for key in [*after, *(key for key in before if key not in after)]:
        answers = tuple(_answers(before.get(key, []), after.get(key, []), budget))
        if answers:
            came: Literal["in", "out", ""] = "in" if key not in before else "out" if key not in after else ""
            found.append(RecordDifference(*key, came, answers))
    return found


def _records(tables: dict[str, Any]) -> dict[tuple[str, str], list[Answer]]:
    records: dict[tuple[str, str], list[Answer]] = {("", ""): []}
    for kind, value in tables.items():
        if _are_records(value):
            for table in value:
                name = next(table[key] for key in RECORD_NAMES if key in table)
                records.setdefault((kind, name), []).extend(_flat(table))
        else:
            records["", ""] += _flat({kind: value})
    return records


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) and any(key in one for key in RECORD_NAMES) for one in value
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


def _answers(old: list[Answer], new: list[Answer], budget: DiffBudget) -> Iterator[AnswerDifference]:
    """Answers that went and that came; one that another takes the place of is one line with both."""
    for _, a1, a2, b1, b2 in BoundedMatcher(old, new, budget).get_opcodes():
        gone, come = old[a1:a2], new[b1:b2]
        if gone == come:
            continue
        for label, text in gone:
            other = next((answer for answer in come if answer[0] == label), (label, ""))
            if other in come:
                come.remove(other)
            yield AnswerDifference(label, word_diff(text, other[1], budget))
        for label, text in come:
            yield AnswerDifference(label, word_diff("", text, budget))
