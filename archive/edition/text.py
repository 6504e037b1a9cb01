"""The text of a book: leaves, lines, runs and passages.

Everything is frozen. Two layers come from one source: `printed` is what the witness has, with its errors;
`reading` is the mended text, where words we supplied always stand in angle brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from archive.edition.line_styles import STYLES, Style

Layer = Literal["printed", "reading"]
LineLayer = Literal["both", "printed", "reading"]
PassageKind = Literal["text", "furniture", "ours"]


RunKind = Literal["text", "mend", "omitted", "supplied", "lacuna", "hyphen", "cell", "superior", "doubt"]


@dataclass(frozen=True)
class Run:
    """A stretch of one line that is set, mended and cited alike.

    mend: printed and reading differ. omitted: in print only (doubled text). supplied: in the reading only,
    always within angle brackets. lacuna: lost, and nothing is proposed. hyphen: divides a word at the line's
    end; nothing is printed for it where the word has a hyphen of its own there. cell: the boundary between
    two cells of a row. superior: letters that stand above the line. doubt: words that cannot be read surely.
    """

    kind: RunKind
    printed: str
    reading: str
    emphasis: Literal["", "bold", "italic"] = ""
    note: str = ""
    passage: str = ""

    def text(self, layer: Layer) -> str:
        return self.printed if layer == "printed" else self.reading

    @property
    def words(self) -> str:
        """The reading without our angle brackets, for places that draw the brackets themselves."""
        return self.reading[1:-1] if self.kind in ("supplied", "lacuna") else self.reading


@dataclass(frozen=True)
class Line:
    """One line of a leaf. Lines of one paragraph share its number and are read as one."""

    leaf: int
    number: int
    style: str
    paragraph: int
    runs: tuple[Run, ...]
    gap: bool = False
    continues: bool = False
    layer: LineLayer = "both"
    note: str = ""

    @property
    def set(self) -> Style:
        return STYLES[self.style]

    @property
    def furniture(self) -> bool:
        return self.set.furniture

    @property
    def ours(self) -> bool:
        """A description by the editors stands on the leaf but in neither layer of its text."""
        return self.style == "described"

    @property
    def passages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(run.passage for run in self.runs if run.passage))

    @property
    def cells(self) -> tuple[tuple[Run, ...], ...]:
        cells: list[list[Run]] = [[]]
        for run in self.runs:
            if run.kind == "cell":
                cells.append([])
            else:
                cells[-1].append(run)
        return tuple(tuple(cell) for cell in cells)

    def text(self, layer: Layer) -> str:
        if self.layer not in ("both", layer) or self.ours:
            return ""
        return tidy("".join(run.text(layer) for run in self.runs))

    @property
    def printed(self) -> str:
        return self.text("printed")

    @property
    def reading(self) -> str:
        return "" if self.furniture else self.text("reading")


def tidy(text: str) -> str:
    """One space where an omitted stretch left two; none at the ends."""
    return re.sub(r" +", " ", text).strip(" ")


def without_spaces(text: str) -> str:
    """The letters alone, to compare texts wherever their lines end."""
    return "".join(text.split())


def join(lines: Iterable[Line], layer: Layer, passage: str | None = None) -> str:
    """The text of several lines: a paragraph's lines are joined by a space, divided words are made whole."""
    text = ""
    paragraph: int | None = None
    divided = False
    for line in lines:
        runs = [run for run in line.runs if passage is None or run.passage == passage]
        if line.layer not in ("both", layer) or not runs or (line.ours and passage is None):
            continue
        piece = "".join(run.text(layer) for run in runs)
        if text and not divided:
            text += " " if line.paragraph == paragraph else "\n"
        text += piece
        paragraph = line.paragraph
        divided = layer == "reading" and runs[-1].kind == "hyphen"
    return "\n".join(tidy(piece) for piece in text.split("\n"))


@dataclass(frozen=True)
class Leaf:
    """A page in its true place. `break_certainty` says how sure we are that a page begins here."""

    number: int
    label: str
    title: str
    break_certainty: str
    source_lines: str
    lines: tuple[Line, ...]

    @property
    def printed(self) -> str:
        return join(self.lines, "printed")

    @property
    def reading(self) -> str:
        return join((line for line in self.lines if not line.furniture), "reading")


@dataclass(frozen=True)
class Passage:
    """A citable piece of text. Its first anchor is its name; the others and the aliases lead to it too."""

    anchors: tuple[str, ...]
    aliases: tuple[str, ...]
    kind: PassageKind
    section: str
    lines: tuple[Line, ...]

    @property
    def anchor(self) -> str:
        return self.anchors[0]

    @property
    def leaves(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(line.leaf for line in self.lines if line.leaf))

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(run for line in self.lines for run in line.runs if run.passage == self.anchor)

    def text(self, layer: Layer) -> str:
        return join(self.lines, layer, self.anchor)

    @property
    def printed(self) -> str:
        return "" if self.kind == "ours" else self.text("printed")

    @property
    def reading(self) -> str:
        return "" if self.kind == "furniture" else self.text("reading")
