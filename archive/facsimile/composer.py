"""The composer: which lines of a leaf are set together as galleys, and how each style of line is set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from archive.edition import Leaf, Line
from archive.edition.text import Layer
from archive.facsimile.book_styles import BookStyle, Ink
from archive.facsimile.fonts import Face, FontSet
from archive.facsimile.galley import Galley, Ruling, TypeSpec
from archive.facsimile.paragraphs import (
    ParagraphShape,
    set_centred,
    set_item,
    set_left,
    set_numbered,
    set_paragraph,
)
from archive.facsimile.tables import TableRow, set_legend, set_pad
from archive.facsimile.words import Word, is_set, words_of

TABLE_STYLES = ("rowhead", "row", "tally")


@dataclass(frozen=True)
class Block:
    """Lines that are set as one: a paragraph, a table, or lines of one style without a gap between them."""

    style: str
    lines: tuple[Line, ...]
    line_words: tuple[tuple[Word, ...], ...]
    begins: bool = True
    runs_on: bool = False
    after: str = ""

    @property
    def words(self) -> list[Word]:
        return [word for words in self.line_words for word in words]


@dataclass(frozen=True)
class CentredStyle:
    """The type of a style of centred line, in body sizes; `above` is the space before it."""

    face: Face
    size: float
    above: float
    tracking: float = 0.0
    ink: Ink = "ink"
    leading: float = 1.16
    small_caps: bool = False


CENTRED_STYLES: dict[str, CentredStyle] = {
    "title": CentredStyle("display", 3.7, 0.9, 0.015, "accent", 1.08),
    "display": CentredStyle("bold", 1.75, 0.8, 0.08),
    "centre": CentredStyle("roman", 1.0, 0.5),
    "heading": CentredStyle("bold", 1.06, 0.85, 0.05, small_caps=True),
    "lead": CentredStyle("bold", 1.0, 0.7, 0.05),
    "imprint": CentredStyle("roman", 0.86, 0.35, 0.05, small_caps=True),
    "ornament": CentredStyle("bold", 1.7, 0.8, 0.06, "accent"),
    "running-head": CentredStyle("bold", 0.92, 0.0, 0.14),
}

COVER_GROWTH = {"title": 1.25, "display": 1.1}
"""A cover has room for a larger title."""


def blocks_of(leaf: Leaf, next_continues: bool, layer: Layer) -> list[Block]:
    blocks: list[Block] = []
    for line in (line for line in leaf.lines if is_set(line, layer)):
        words = words_of(line, layer)
        last = blocks[-1] if blocks else None
        if last is not None and _joins(last, line):
            blocks[-1] = replace(last, lines=(*last.lines, line), line_words=(*last.line_words, words))
        else:
            after = last.style if last else ""
            blocks.append(Block(line.style, (line,), (words,), not line.continues, after=after))
    if blocks and next_continues:
        blocks[-1] = replace(blocks[-1], runs_on=True)
    return blocks


def _joins(block: Block, line: Line) -> bool:
    if block.style in TABLE_STYLES and line.style in TABLE_STYLES:
        return True
    if line.style != block.style or line.style == "rule":
        return False
    if line.set.flow:
        return line.paragraph == block.lines[-1].paragraph
    return not line.gap


@dataclass(frozen=True)
class Composer:
    """Sets blocks at one body size. `depth` is the height of the page's type area."""

    fonts: FontSet
    book_style: BookStyle
    size: int
    depth: float
    cover: bool = False

    @property
    def measure(self) -> float:
        return self.book_style.width - 2.0 * self.book_style.margin

    @property
    def body(self) -> TypeSpec:
        return TypeSpec("roman", self.size)

    def set(self, block: Block) -> Galley:
        if block.style in CENTRED_STYLES:
            return self.centred(block, CENTRED_STYLES[block.style])
        settings: dict[str, Callable[[Block], Galley]] = {
            "item": self.item,
            "numbered": self.numbered,
            "indented": self.indented,
            "rule": self.rule,
            "stamp": self.stamp,
            "described": self.described,
            "picture": self.picture,
        }
        if block.style in TABLE_STYLES:
            return self.table(block)
        return settings.get(block.style, self.paragraph)(block)

    def centred(self, block: Block, centred_style: CentredStyle) -> Galley:
        grown = COVER_GROWTH.get(block.style, 1.0) if self.cover else 1.0
        size = max(int(self.size * centred_style.size * grown), 12)
        spec = TypeSpec(
            centred_style.face, size, centred_style.tracking, centred_style.ink, centred_style.small_caps
        )
        galley = set_centred(block.line_words, spec, self.fonts, self.measure, centred_style.leading)
        if block.style == "heading" and block.after in ("title", "imprint"):
            return self.under_a_rule(galley)
        return replace(galley, above=self.size * centred_style.above)

    def under_a_rule(self, galley: Galley) -> Galley:
        """A short rule, thick in the middle, parts the title from the text."""
        space, wide, middle = self.size * 0.9, self.size * 5.0, self.measure / 2
        rules = (
            Ruling(middle - wide / 2, 2, wide, 2, "ink"),
            Ruling(middle - wide / 6, 0, wide / 3, 6, "accent"),
        )
        words = tuple(word.moved(0, space) for word in galley.words)
        moved = tuple(ruling.moved(0, space) for ruling in galley.rulings)
        return Galley(galley.height + space, words, rules + moved, above=self.size * 0.9)

    def paragraph(self, block: Block) -> Galley:
        # A paragraph that goes on from the leaf before, or runs on from a heading, is not indented.
        flush = not block.begins or block.after in ("lead", "")
        indent = 0.0 if flush else self.size * 1.1
        shape = ParagraphShape(self.measure, indent, runs_on=block.runs_on)
        galley = set_paragraph(block.words, self.body, self.fonts, shape)
        if block.after in ("title", "imprint"):
            return self.under_a_rule(galley)
        close = block.after in ("lead", "body")
        return replace(galley, above=self.size * (0.16 if close else 0.4))

    def item(self, block: Block) -> Galley:
        return replace(set_item(block.words, self.body, self.fonts, self.measure), above=self.size * 0.22)

    def numbered(self, block: Block) -> Galley:
        hang = self.size * 1.3
        shape = ParagraphShape(self.measure, hang, hang, runs_on=block.runs_on)
        setting = set_numbered if block.begins else set_paragraph
        return replace(setting(block.words, self.body, self.fonts, shape), above=self.size * 0.22)

    def indented(self, block: Block) -> Galley:
        galley = set_left(block.line_words, self.body, self.fonts, self.measure, self.size * 3)
        return replace(galley, above=self.size * 0.22)

    def rule(self, block: Block) -> Galley:
        rulings = (Ruling(0, 0, self.measure, 5), Ruling(0, 11, self.measure, 2))
        return Galley(13 + self.size * 0.3, rulings=rulings, above=self.size * 0.18)

    def table(self, block: Block) -> Galley:
        rows = [
            TableRow(line.style, len(line.cells), words)
            for line, words in zip(block.lines, block.line_words, strict=True)
        ]
        if any(row.kind == "rowhead" for row in rows):
            spec = TypeSpec("roman", int(self.size * 0.82))
            # The pad is ruled down to the foot; about a third of the leaf is left to its head and imprint.
            galley = set_pad(rows, spec, self.fonts, self.measure, self.depth * 0.66)
            return replace(galley, above=self.size * 0.9)
        legend = set_legend(rows, self.body, self.fonts, self.measure)
        return replace(legend, above=self.size * 0.9)

    def stamp(self, block: Block) -> Galley:
        """Set only to find its words on a scan."""
        spec = TypeSpec("display", int(self.size * 0.66), 0.1)
        return self._framed(block.line_words, spec, "ink")

    def picture(self, block: Block) -> Galley:
        """A lost picture leaves an empty frame."""
        if not block.words:
            width, height = self.size * 9, self.size * 5
            frame = _frame((self.measure - width) / 2, 0, width, height, 2, "rule")
            return Galley(height, rulings=frame, above=self.size * 0.5)
        spec = TypeSpec("italic", int(self.size * 0.86), 0.0, "soft")
        return self._framed(block.line_words, spec, "rule")

    def _framed(self, lines: Sequence[Sequence[Word]], spec: TypeSpec, ink: Ink) -> Galley:
        room = self.measure - 2 * spec.size
        inner = set_centred(lines, spec, self.fonts, room, 1.2)
        left = min(word.x for word in inner.words)
        right = max(word.x + word.width for word in inner.words)
        pad = spec.size * 0.5
        width, height = right - left + 2 * pad, inner.height + pad
        x = (self.measure - width) / 2
        words = tuple(word.moved(x + pad - left, pad / 2) for word in inner.words)
        return Galley(height, words, _frame(x, 0, width, height, 4, ink), above=self.size * 0.8)

    def described(self, block: Block) -> Galley:
        """A description of what is not transcribed; italics and two rules part it from print."""
        spec = TypeSpec("italic", self.size, 0.0, "soft")
        inset = self.size * 1.6
        inner = set_paragraph(
            block.words, spec, self.fonts, ParagraphShape(self.measure - 2 * inset, leading=1.3)
        )
        pad = self.size * 0.7
        words = tuple(word.moved(inset, pad) for word in inner.words)
        height = inner.height + 2 * pad
        wide = self.measure - 2 * inset
        rules = (Ruling(inset, 0, wide, 3, "rule"), Ruling(inset, height - 3, wide, 3, "rule"))
        return Galley(height, words, rules, above=self.size)


def _frame(x: float, y: float, w: float, h: float, line: float, ink: Ink) -> tuple[Ruling, ...]:
    return (
        Ruling(x, y, w, line, ink),
        Ruling(x, y + h - line, w, line, ink),
        Ruling(x, y, line, h, ink),
        Ruling(x + w - line, y, line, h, ink),
    )
