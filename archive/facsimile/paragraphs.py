"""Running text: justified paragraphs, hanging items, and lines that stand where the printer set them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from archive.facsimile.fonts import FontSet
from archive.facsimile.galley import (
    Galley,
    Ruling,
    SetWord,
    TypeSpec,
    break_rows,
    justified_space,
    natural_width,
    set_row,
)
from archive.facsimile.words import Word

LEADING = 1.2


@dataclass(frozen=True)
class ParagraphShape:
    """A paragraph's outline: where its first and its other rows begin, and whether its rows are filled."""

    measure: float
    indent: float = 0.0
    hang: float = 0.0
    justify: bool = True
    runs_on: bool = False
    """The paragraph goes on overleaf, so its last row here is full."""
    leading: float = LEADING


def set_paragraph(words: Sequence[Word], spec: TypeSpec, fonts: FontSet, shape: ParagraphShape) -> Galley:
    rows = break_rows(words, spec, fonts, shape.measure, shape.indent, shape.hang, shape.runs_on)
    lead = spec.size * shape.leading
    placed: list[SetWord] = []
    for number, row in enumerate(rows):
        x = shape.indent if number == 0 else shape.hang
        last = number == len(rows) - 1
        full = shape.justify and (not last or shape.runs_on)
        filled = justified_space(row, spec, fonts, shape.measure - x)
        if last and filled > spec.space * 3:
            full = False
        space = filled if full else min(spec.space, filled)
        placed.extend(set_row(row, spec, fonts, x, _baseline(spec, lead, number), space, number))
    return Galley(lead * len(rows), tuple(placed))


def _baseline(spec: TypeSpec, lead: float, row: int) -> float:
    return row * lead + (lead - spec.ascent - spec.descent) / 2 + spec.ascent


def set_item(words: Sequence[Word], spec: TypeSpec, fonts: FontSet, measure: float) -> Galley:
    """An item hangs from a sign that is not part of its text: a disc, drawn."""
    hang = spec.size * 1.25
    galley = set_paragraph(words, spec, fonts, ParagraphShape(measure, hang, hang))
    size = spec.size * 0.22
    middle = galley.words[0].y - spec.size * 0.24
    disc = Ruling(hang - spec.size * 0.72, middle - size / 2, size, size, spec.ink, disc=True)
    return replace(galley, rulings=(disc,))


def set_numbered(words: Sequence[Word], spec: TypeSpec, fonts: FontSet, shape: ParagraphShape) -> Galley:
    """The printed number stands in the margin of its item."""
    number, *rest = words
    if not rest:
        return set_paragraph(words, spec, fonts, replace(shape, indent=0.0))
    galley = set_paragraph(rest, spec, fonts, shape)
    first = set_row([number], spec, fonts, 0, galley.words[0].y, spec.space)
    return replace(galley, words=first + galley.words)


def set_centred(
    lines: Sequence[Sequence[Word]], spec: TypeSpec, fonts: FontSet, measure: float, leading: float
) -> Galley:
    """Lines as the printer broke them, each in the middle; all are cut smaller if one is too wide."""
    widest = max(natural_width(words, spec, fonts) for words in lines)
    if widest > measure:
        spec = replace(spec, size=max(int(spec.size * measure / widest), 12))
    lead = (spec.ascent + spec.descent) * leading
    placed: list[SetWord] = []
    for number, words in enumerate(lines):
        x = (measure - natural_width(words, spec, fonts)) / 2
        placed.extend(set_row(words, spec, fonts, x, _baseline(spec, lead, number), spec.space, number))
    return Galley(lead * len(lines), tuple(placed))


def set_left(
    lines: Sequence[Sequence[Word]], spec: TypeSpec, fonts: FontSet, measure: float, indent: float
) -> Galley:
    """Lines set in from the margin; what does not fit hangs below."""
    placed: list[SetWord] = []
    height, rows = 0.0, 0
    for words in lines:
        shape = ParagraphShape(measure, indent, indent + spec.size, justify=False)
        galley = set_paragraph(words, spec, fonts, shape)
        placed.extend(word.moved(0, height, rows) for word in galley.words)
        height, rows = height + galley.height, rows + galley.rows
    return Galley(height, tuple(placed))
