"""Tables: a list of signs with dot leaders, and the ruled score pad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from archive.facsimile.fonts import FontSet
from archive.facsimile.galley import Galley, Ruling, SetWord, TypeSpec, natural_width, set_row, word_width
from archive.facsimile.paragraphs import ParagraphShape, set_paragraph
from archive.facsimile.words import Word

HEAD_SIZE = 0.6
"""Column heads of a pad, in sizes of its figures."""


@dataclass(frozen=True)
class TableRow:
    """`columns` is the number of cells of the row, filled or not."""

    kind: str
    columns: int
    words: tuple[Word, ...]

    def cell(self, number: int) -> list[Word]:
        return [word for word in self.words if word.cell == number]


def set_legend(rows: Sequence[TableRow], spec: TypeSpec, fonts: FontSet, measure: float) -> Galley:
    """A legend: meanings at the left, signs at the right, dots between them."""
    signs = measure - spec.size * 1.6
    placed: list[SetWord] = []
    dots: list[Ruling] = []
    height, count = 0.0, 0
    for row in rows:
        shape = ParagraphShape(signs - spec.size * 2.2, hang=spec.size, justify=False)
        label = set_paragraph(row.cell(0), spec, fonts, shape)
        base = height + label.words[-1].y
        placed.extend(word.moved(0, height, count) for word in label.words)
        last = label.words[-1]
        dots.extend(_leaders(last.x + last.width + spec.size * 0.4, signs - spec.size * 0.3, base, spec))
        for column in range(1, row.columns):
            words = row.cell(column)
            sign = replace(spec, face="bold")
            placed.extend(set_row(words, sign, fonts, signs, base, spec.space, count + label.rows - 1))
        height += label.height + spec.size * 0.34
        count += label.rows
    return Galley(height, tuple(placed), tuple(dots))


def _leaders(start: float, end: float, y: float, spec: TypeSpec) -> list[Ruling]:
    """Dots on a grid of the page, so that those of all rows stand under each other."""
    step, size = spec.size * 0.42, spec.size * 0.085
    first = int(start / step) + 1
    return [
        Ruling(number * step, y - size, size, size, "soft", disc=True)
        for number in range(first, int(end / step) + 1)
    ]


@dataclass(frozen=True)
class Columns:
    """Left edges of a pad's columns, and the right edge of the last. `players` groups of them are alike."""

    edges: tuple[float, ...]
    players: int

    def span(self, cell: int, cells: int) -> tuple[float, float]:
        """Left edge and width of a cell in a row that has this many cells."""
        each = (len(self.edges) - 1) // cells
        left = self.edges[cell * each]
        return left, self.edges[min((cell + 1) * each, len(self.edges) - 1)] - left

    @property
    def inner(self) -> list[tuple[float, bool]]:
        """The edges between columns, each with whether it parts two players."""
        group = (len(self.edges) - 1) // self.players
        return [(edge, number % group == 0) for number, edge in enumerate(self.edges[1:-1], 1)]


def _columns(rows: Sequence[TableRow], spec: TypeSpec, fonts: FontSet, measure: float) -> Columns:
    """Columns as wide as their widest word asks, the same for every player."""
    count = max(row.columns for row in rows)
    players = rows[0].columns if count % rows[0].columns == 0 else 1
    group = count // players
    wants = [spec.size * 1.5] * group
    for row in rows:
        scale = 1.4 * HEAD_SIZE if row.kind == "rowhead" else 1.0
        for word in row.words if row.columns == count else ():
            wants[word.cell % group] = max(wants[word.cell % group], scale * word_width(word, spec, fonts))
    wants = [want + spec.size * 0.5 for want in wants]
    share = measure / players / sum(wants)
    edges = [0.0]
    for column in range(count):
        edges.append(edges[-1] + wants[column % group] * share)
    return Columns((*edges[:-1], measure), players)


def set_pad(rows: Sequence[TableRow], spec: TypeSpec, fonts: FontSet, measure: float, room: float) -> Galley:
    """The score pad, ruled to the foot of its room; figures stand one under the other, as on paper."""
    figures = replace(spec, face="italic")
    columns = _columns(rows, figures, fonts, measure)
    step = spec.size * 1.36
    placed: list[SetWord] = []
    heads: list[float] = []
    y, count = 16.0, 0
    for row in rows:
        if row.kind == "rowhead":
            words, height = _head_row(row, columns, replace(spec, face="bold"), fonts)
            heads.append(y + height)
        else:
            words, height = _figure_row(row, columns, figures, fonts, step)
        placed.extend(word.moved(0, y, count) for word in words)
        count += max((word.row for word in words), default=-1) + 1
        y += height
    body = heads[-1]
    lines = max(int((max(room, y + step) - body) / step), 1)
    foot = body + lines * step
    rulings = [Ruling(0, body + line * step - 1, measure, 2, "rule") for line in range(1, lines)]
    rulings += [Ruling(0, head - 1, measure, 3) for head in heads]
    rulings += [Ruling(0, 0, measure, 6), Ruling(0, 12, measure, 2), Ruling(0, foot - 3, measure, 6)]
    rulings += [Ruling(0, 0, 4, foot), Ruling(measure - 4, 0, 4, foot)]
    for x, parts in columns.inner:
        # Rules between players are strong; those inside a player's columns begin under his name.
        top = 12 if parts else heads[0]
        rulings.append(Ruling(x - 2, top, 4, foot - top) if parts else Ruling(x - 1, top, 2, foot - top))
    return Galley(foot + 4, tuple(placed), tuple(rulings))


def _figure_row(
    row: TableRow, columns: Columns, spec: TypeSpec, fonts: FontSet, step: float
) -> tuple[list[SetWord], float]:
    placed: list[SetWord] = []
    for cell in range(row.columns):
        left, width = columns.span(cell, row.columns)
        for number, word in enumerate(row.cell(cell)):
            fitted = _fitted([word], spec, fonts, width * 0.88)
            x = left + (width - word_width(word, fitted, fonts)) / 2
            y = number * step + (step + fitted.size * 0.66) / 2
            placed.extend(set_row([word], fitted, fonts, x, y, 0, number))
    deepest = max((word.row for word in placed), default=0) + 1
    return placed, deepest * step


def _head_row(row: TableRow, columns: Columns, spec: TypeSpec, fonts: FontSet) -> tuple[list[SetWord], float]:
    """Names stand in one line; the heads of columns are stacked, level with each other's middle."""
    named = row.columns < len(columns.edges) - 1
    small = replace(spec, size=int(spec.size * (0.8 if named else HEAD_SIZE)), tracking=0.04)
    lead = small.size * 1.16
    stacks = [
        [row.cell(cell)] if named else [[word] for word in row.cell(cell)] for cell in range(row.columns)
    ]
    stacks = [[line for line in stack if line] for stack in stacks]
    deepest = max((len(stack) for stack in stacks), default=1)
    height = deepest * lead + small.size * 0.7
    placed: list[SetWord] = []
    for cell, stack in enumerate(stacks):
        left, width = columns.span(cell, row.columns)
        for number, line in enumerate(stack):
            fitted = _fitted(line, small, fonts, width * 0.9)
            x = left + (width - natural_width(line, fitted, fonts)) / 2
            middle = (height - len(stack) * lead) / 2 + (number + 0.5) * lead
            placed.extend(set_row(line, fitted, fonts, x, middle + fitted.size * 0.34, fitted.space, number))
    return placed, height


def _fitted(words: Sequence[Word], spec: TypeSpec, fonts: FontSet, room: float) -> TypeSpec:
    width = natural_width(words, spec, fonts)
    return spec if width <= room else replace(spec, size=max(int(spec.size * room / width), 12))
