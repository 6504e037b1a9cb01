"""What differs between two texts, line by line and within the line word by word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal

from archive.curation.changes import Piece, words
from archive.curation.records import RecordDifference, record_differences
from archive.images.pictures import Picture

AROUND = 2
"""So many unchanged lines are shown on either side of a change."""
TITLES = {
    "book.toml": "Catalogue",
    "brief.toml": "Rules in brief",
    "notes.toml": "Notes",
    "text.txt": "Text",
    "variants.toml": "Variants",
    "witness.txt": "Text as the machine read it",
}


@dataclass(frozen=True)
class Row:
    """One line. `old` and `new` are its numbers in the two texts, None where it does not stand."""

    kind: Literal["same", "out", "in"]
    old: int | None
    new: int | None
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class FileDifference:
    """`clips` has the page beside each place, where there is one. Files of records differ by records, others,
    or if only their writing differs, by lines."""

    name: str
    hunks: tuple[tuple[Row, ...], ...]
    clips: tuple[Picture | None, ...] = ()
    records: tuple[RecordDifference, ...] = ()

    @property
    def title(self) -> str:
        return TITLES.get(self.name, self.name)

    @property
    def places(self) -> list[tuple[tuple[Row, ...], Picture | None]]:
        return list(zip_longest(self.hunks, self.clips))


def differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[FileDifference]:
    """The files that differ, in the order of their names."""
    names = [name for name in sorted({*old, *new}) if old.get(name, "") != new.get(name, "")]
    return [_difference(name, old.get(name, ""), new.get(name, "")) for name in names]


def _difference(name: str, old: str, new: str) -> FileDifference:
    records = tuple(record_differences(old, new)) if name.endswith(".toml") else ()
    return FileDifference(name, () if records else tuple(_hunks(old, new)), records=records)


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
