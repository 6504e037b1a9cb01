"""Positions of notes in the text: behind the words they are about, found by them and not by counting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from archive.edition import Edition, Line, Note, Passage
from archive.edition.text import without_spaces

RunPosition = tuple[int, int, int]
"""A run of the text: leaf, line, place in the line."""


@dataclass(frozen=True, order=True)
class TextPosition:
    """A point in the text of a book: behind `offset` characters of a run, in the layer the note speaks of.
    Loose lines stand on leaf 0."""

    leaf: int
    line: int
    run: int
    offset: int


def place_notes(edition: Edition) -> list[tuple[Note, TextPosition | None]]:
    """Every note with the place of its first sign, in the order of the text; notes on the book come last."""
    marked = _marked(edition.lines)
    placed = [(note, marked.get(note.id) or _place(edition, note)) for note in edition.notes]
    return sorted(placed, key=lambda pair: (pair[1] is None, pair[1] or TextPosition(0, 0, 0, 0)))


def _marked(lines: Iterable[Line]) -> Mapping[str, TextPosition]:
    """The first place of every note that a mark in the text names."""
    marked: dict[str, TextPosition] = {}
    for line in lines:
        if line.note:
            marked.setdefault(line.note, TextPosition(line.leaf, line.number, len(line.runs), 0))
        for index, run in enumerate(line.runs):
            if run.note:
                marked.setdefault(
                    run.note, TextPosition(line.leaf, line.number, index, len(run.text("reading")))
                )
    return marked


def _place(edition: Edition, note: Note) -> TextPosition | None:
    passage = edition.passage(note.anchor) if note.anchor else None
    if passage is None:
        return None
    if note.quote:
        found = _find(passage, note)
        if found is not None:
            return found
    return _end(passage)


def _end(passage: Passage) -> TextPosition | None:
    """Behind the last word of a passage."""
    for line in reversed(passage.lines):
        for index, run in reversed(list(enumerate(line.runs))):
            if run.passage == passage.anchor and run.kind != "cell":
                return TextPosition(line.leaf, line.number, index, len(run.text("reading")))
    return None


def _find(passage: Passage, note: Note) -> TextPosition | None:
    """Behind the last word of the quote, wherever its lines end."""
    letters = list(letters_of(passage.lines, passage.anchor, note.layer))
    start = "".join(letter for letter, _ in letters).find(
        without_spaces(note.prefix + note.quote + note.suffix)
    )
    if start < 0:
        return None
    return letters[start + len(without_spaces(note.prefix + note.quote)) - 1][1]


def letters_of(lines: Sequence[Line], anchor: str, layer: str) -> Iterator[tuple[str, TextPosition]]:
    """Every letter of a passage that is not a space, with the place behind it."""
    for line in lines:
        if line.layer not in ("both", layer):
            continue
        for index, run in enumerate(line.runs):
            if run.passage != anchor:
                continue
            for offset, letter in enumerate(run.text("printed" if layer == "printed" else "reading"), 1):
                if not letter.isspace():
                    yield letter, TextPosition(line.leaf, line.number, index, offset)
