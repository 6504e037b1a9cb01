"""What differs between two texts, line by line and within the line word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from archive.images.showing import Picture

AROUND = 2
"""So many unchanged lines are shown on either side of a change."""
WORDS = re.compile(r"\s+|\w+|[^\w\s]")
Piece = tuple[Literal["same", "out", "in"], str]


@dataclass(frozen=True)
class Row:
    """One line. `old` and `new` are its numbers in the two texts, None where it does not stand."""

    kind: Literal["same", "out", "in"]
    old: int | None
    new: int | None
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class FileDifference:
    """`clips` has the page beside each place, where there is one."""

    name: str
    hunks: tuple[tuple[Row, ...], ...]
    clips: tuple[Picture | None, ...] = ()

    @property
    def places(self) -> list[tuple[tuple[Row, ...], Picture | None]]:
        return list(zip_longest(self.hunks, self.clips))


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDifference]:
    """The files that differ, in the order of their names."""
    names = [name for name in sorted({*old, *new}) if old.get(name, "") != new.get(name, "")]
    return [FileDifference(name, tuple(_hunks(old.get(name, ""), new.get(name, "")))) for name in names]


def _hunks(old: str, new: str) -> Iterator[tuple[Row, ...]]:
    a, b = old.split("\n"), new.split("\n")
    for group in SequenceMatcher(None, a, b, autojunk=False).get_grouped_opcodes(AROUND):
        rows: list[Row] = []
        for kind, a1, a2, b1, b2 in group:
            if kind == "equal":
                rows += [Row("same", a1 + i + 1, b1 + i + 1, (("same", a[a1 + i]),)) for i in range(a2 - a1)]
            else:
                rows += _changed(a[a1:a2], b[b1:b2], a1, b1)
        yield tuple(rows)


def _changed(old: list[str], new: list[str], a: int, b: int) -> Iterator[Row]:
    """Lines that went, then lines that came; where they pair off, the words that differ are marked."""
    pairs = [words(x, y) for x, y in zip(old, new, strict=False)]
    for i, line in enumerate(old):
        gone = pairs[i] if i < len(pairs) else words(line, "")
        yield Row("out", a + i + 1, None, tuple(piece for piece in gone if piece[0] != "in"))
    for i, line in enumerate(new):
        come = pairs[i] if i < len(pairs) else words("", line)
        yield Row("in", None, b + i + 1, tuple(piece for piece in come if piece[0] != "out"))


def words(old: str, new: str) -> tuple[Piece, ...]:
    """The words of both lines in one row: those that stay, those that go, those that come."""
    a, b = WORDS.findall(old), WORDS.findall(new)
    pieces: list[Piece] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(("same", "".join(a[a1:a2])))
            continue
        if a1 < a2:
            pieces.append(("out", "".join(a[a1:a2])))
        if b1 < b2:
            pieces.append(("in", "".join(b[b1:b2])))
    return tuple(pieces)
