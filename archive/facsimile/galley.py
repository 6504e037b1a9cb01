"""Type before it is placed on the page: words and rulings, measured from a galley's own top left corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from archive.facsimile.book_styles import Ink
from archive.facsimile.fonts import ASCENT, DESCENT, Face, Faces
from archive.facsimile.words import Segment, Word

SMALL_CAPS = 0.8


@dataclass(frozen=True)
class Cut:
    """How words are cut: face, size in pixels, tracking in ems, ink; in small capitals or not."""

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
    cut: Cut
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
    """One block of type. `above` is the space it wants before it; a `spring` takes what room is left."""

    height: float
    words: tuple[SetWord, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    above: float = 0.0
    spring: bool = False

    @property
    def rows(self) -> int:
        return max((word.row for word in self.words), default=-1) + 1


def face_of(segment: Segment, cut: Cut) -> Face:
    """Emphasis shows in plain type; a line that is bold or display as a whole stays so."""
    return cut.face if segment.face is None or cut.face in ("bold", "display") else segment.face


@dataclass(frozen=True)
class Sort:
    """A piece of a word as it is struck: text, face, size, and how far it is from the word's left edge."""

    text: str
    face: Face
    size: int
    x: float


def sorts_of(word: Word, cut: Cut, faces: Faces) -> tuple[tuple[Sort, ...], float]:
    """The pieces of a word and its width. Tracked words are struck letter by letter, others whole."""
    sorts: list[Sort] = []
    x = end = 0.0
    for segment in word.segments:
        face = face_of(segment, cut)
        for text, size in (
            _letters(segment.text, cut) if cut.tracking or cut.small_caps else [(segment.text, cut.size)]
        ):
            sorts.append(Sort(text, face, size, x))
            end = x + faces.width(text, face, size)
            x = end + cut.tracking * cut.size
    return tuple(sorts), end


def _letters(text: str, cut: Cut) -> list[tuple[str, int]]:
    if not cut.small_caps:
        return [(letter, cut.size) for letter in text]
    small = round(cut.size * SMALL_CAPS)
    return [(letter.upper(), small) if letter.islower() else (letter, cut.size) for letter in text]


def word_width(word: Word, cut: Cut, faces: Faces) -> float:
    return sorts_of(word, cut, faces)[1]


def blank_width(word: Word, cut: Cut) -> float:
    """The room left for lost letters, of average width."""
    return word.blank * cut.size * 0.45 + cut.space if word.blank else 0.0


def natural_width(words: Sequence[Word], cut: Cut, faces: Faces) -> float:
    widths = (word_width(word, cut, faces) + blank_width(word, cut) for word in words)
    return sum(widths) + cut.space * (len(words) - 1)


def set_row(
    words: Sequence[Word], cut: Cut, faces: Faces, x: float, y: float, space: float, row: int = 0
) -> tuple[SetWord, ...]:
    """Words one after the other from x on, with the given space between them."""
    placed = []
    for word in words:
        x += blank_width(word, cut)
        width = word_width(word, cut, faces)
        placed.append(SetWord(word, x, y, width, cut, row))
        x += width + space
    return tuple(placed)


def break_rows(
    words: Sequence[Word],
    cut: Cut,
    faces: Faces,
    measure: float,
    indent: float = 0.0,
    hang: float = 0.0,
    runs_on: bool = False,
) -> list[Sequence[Word]]:
    """Rows whose spaces are as even as they can be: the whole paragraph is weighed, not one row at a time."""
    widths = [word_width(word, cut, faces) + blank_width(word, cut) for word in words]
    count, space = len(words), cut.space
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


def justified_space(words: Sequence[Word], cut: Cut, faces: Faces, room: float) -> float:
    """The space that makes a row exactly as wide as its room."""
    if len(words) < 2:
        return cut.space
    taken = sum(word_width(word, cut, faces) + blank_width(word, cut) for word in words)
    return (room - taken) / (len(words) - 1)
