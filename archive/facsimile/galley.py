"""Type before it is placed on the page: words and rulings, measured from a galley's own top left corner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from archive.facsimile.book_styles import Ink
from archive.facsimile.diacritics import clusters
from archive.facsimile.fonts import ASCENT, DESCENT, Face, FontSet
from archive.facsimile.words import Segment, Word

SMALL_CAPS = 0.8
BRACKETS = re.compile("([⟨⟩])")
BRACKET_WIDTH = 0.3
"""In ems. The fonts do not have the brackets of supplied words, so they are drawn."""


@dataclass(frozen=True)
class TypeSpec:
    """The type of words: face, size in pixels, tracking in ems, ink; in small capitals or not."""

    face: Face
    size: int
    tracking: float = 0.0
    ink: Ink = "ink"
    small_caps: bool = False

    @property
    def ascent(self) -> float:
        return ASCENT[self.face] * self.size

    @property
    def descent(self) -> float:
        return DESCENT[self.face] * self.size

    @property
    def space(self) -> float:
        """The natural space between words; tracked lines need more of it."""
        return self.size * (0.25 + 1.6 * self.tracking)


@dataclass(frozen=True)
class SetWord:
    """A word in its place: x of its left edge, y of its baseline, and the row it belongs to."""

    word: Word
    x: float
    y: float
    width: float
    spec: TypeSpec
    row: int = 0

    def moved(self, dx: float, dy: float, rows: int = 0) -> SetWord:
        return replace(self, x=self.x + dx, y=self.y + dy, row=self.row + rows)


@dataclass(frozen=True)
class Ruling:
    """A printed rule or a sign without text, drawn as a filled rectangle, or as a disc."""

    x: float
    y: float
    w: float
    h: float
    ink: Ink = "ink"
    disc: bool = False

    def moved(self, dx: float, dy: float) -> Ruling:
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Galley:
    """One block of type. `above` is the space it wants before it."""

    height: float
    words: tuple[SetWord, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    above: float = 0.0

    @property
    def rows(self) -> int:
        return max((word.row for word in self.words), default=-1) + 1


SUPERIOR_SIZE, SUPERIOR_RISE = 0.62, 0.34
"""Of the size of the line: letters above it, and how far."""


def face_of(segment: Segment, spec: TypeSpec) -> Face:
    """Emphasis shows in plain type; a line that is bold or display as a whole stays so."""
    return spec.face if segment.face is None or spec.face in ("bold", "display") else segment.face


@dataclass(frozen=True)
class GlyphRun:
    """A piece of a word as it is drawn: text, face, size, its distance from the left edge of the word, and
    how far it stands above the line."""

    text: str
    face: Face
    size: int
    x: float
    raised: float = 0.0


def glyph_runs(word: Word, spec: TypeSpec, fonts: FontSet) -> tuple[tuple[GlyphRun, ...], float]:
    """The pieces of a word and its width. Tracked words are drawn letter by letter, others whole."""
    runs: list[GlyphRun] = []
    x = end = 0.0
    for segment in word.segments:
        face = face_of(segment, spec)
        for text, full in _pieces(segment.text, spec):
            size = round(full * SUPERIOR_SIZE) if segment.superior else full
            raised = full * SUPERIOR_RISE if segment.superior else 0.0
            runs.append(GlyphRun(text, face, size, x, raised))
            end = x + (BRACKET_WIDTH * size if BRACKETS.match(text) else fonts.width(text, face, size))
            x = end + spec.tracking * spec.size
    return tuple(runs), end


def _pieces(text: str, spec: TypeSpec) -> Iterator[tuple[str, int]]:
    """A word cut at its brackets, and into letters where the type wants it."""
    for piece in filter(None, BRACKETS.split(text)):
        apart = (spec.tracking or spec.small_caps) and not BRACKETS.match(piece)
        yield from _letters(piece, spec) if apart else [(piece, spec.size)]


def _letters(text: str, spec: TypeSpec) -> list[tuple[str, int]]:
    letters = clusters(text)
    if not spec.small_caps:
        return [(letter, spec.size) for letter in letters]
    small = round(spec.size * SMALL_CAPS)
    return [(letter.upper(), small) if letter.islower() else (letter, spec.size) for letter in letters]


def word_width(word: Word, spec: TypeSpec, fonts: FontSet) -> float:
    return glyph_runs(word, spec, fonts)[1]


def blank_width(word: Word, spec: TypeSpec) -> float:
    """The room left for lost letters, of average width."""
    return word.blank * spec.size * 0.45 + spec.space if word.blank else 0.0


def natural_width(words: Sequence[Word], spec: TypeSpec, fonts: FontSet) -> float:
    widths = (word_width(word, spec, fonts) + blank_width(word, spec) for word in words)
    return sum(widths) + spec.space * (len(words) - 1)


def set_row(
    words: Sequence[Word], spec: TypeSpec, fonts: FontSet, x: float, y: float, space: float, row: int = 0
) -> tuple[SetWord, ...]:
    """Words one after the other from x on, with the given space between them."""
    placed = []
    for word in words:
        x += blank_width(word, spec)
        width = word_width(word, spec, fonts)
        placed.append(SetWord(word, x, y, width, spec, row))
        x += width + space
    return tuple(placed)


def break_rows(
    words: Sequence[Word],
    spec: TypeSpec,
    fonts: FontSet,
    measure: float,
    indent: float = 0.0,
    hang: float = 0.0,
    runs_on: bool = False,
) -> list[Sequence[Word]]:
    """Rows whose spaces are as even as they can be: the whole paragraph is weighed, not one row at a time."""
    widths = [word_width(word, spec, fonts) + blank_width(word, spec) for word in words]
    count, space = len(words), spec.space
    best = [0.0] + [float("inf")] * count
    begins = [0] * (count + 1)
    for start in range(count):
        if best[start] == float("inf"):
            continue
        room = measure - (indent if start == 0 else hang)
        taken = 0.0
        for end in range(start + 1, count + 1):
            taken += widths[end - 1]
            cost = _row_cost(room, taken, end - start - 1, space, last=end == count and not runs_on)
            if cost is None and end > start + 1:
                break
            # A word wider than the measure stands alone in its row; nothing better can be done.
            total = best[start] + (cost if cost is not None else 1e6)
            if total < best[end]:
                best[end], begins[end] = total, start
    rows: list[Sequence[Word]] = []
    end = count
    while end > 0:
        rows.insert(0, words[begins[end] : end])
        end = begins[end]
    return rows


def _row_cost(room: float, taken: float, gaps: int, space: float, last: bool) -> float | None:
    """None where the words do not fit; otherwise the farther the spaces are from natural, the dearer."""
    if taken + gaps * space * 0.82 > room:
        return None
    if last:
        return 0.0 if gaps else 4.0
    if not gaps:
        return 400.0
    ratio = (room - taken) / gaps / space
    strain = (1 - ratio) * 3 if ratio < 1 else ratio - 1
    return 1.0 + strain**2 * 10 + strain**3


def justified_space(words: Sequence[Word], spec: TypeSpec, fonts: FontSet, room: float) -> float:
    """The space that makes a row exactly as wide as its room."""
    if len(words) < 2:
        return spec.space
    taken = sum(word_width(word, spec, fonts) + blank_width(word, spec) for word in words)
    return (room - taken) / (len(words) - 1)
