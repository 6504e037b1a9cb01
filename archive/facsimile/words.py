"""The words of a line as they are set: of the reading text with its brackets for a page, of the source text,
where the place of supplied words stays blank, to find them on a scan."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from archive.edition import Line, Run
from archive.edition.text import Layer, tidy
from archive.facsimile.fonts import Face

MAX_BLANK_LETTERS = 8
ON_THE_COPY = ("stamp", "slip")
"""Styles of what was put on the copy later: no part of a page of print."""


@dataclass(frozen=True)
class Segment:
    """A stretch of a word in one face; empty stands for the face of the line's style. `superior` letters are
    small and stand above the line."""

    text: str
    face: Face | None
    superior: bool = False


@dataclass(frozen=True)
class Word:
    """`blank` is the room, in letters, left before the word for something lost."""

    line: int
    index: int
    offset: int
    text: str
    passage: str
    segments: tuple[Segment, ...]
    cell: int = 0
    blank: int = 0


def is_printed(line: Line) -> bool:
    """Lines that only the reading text has are not printed."""
    return line.layer != "reading"


def is_set(line: Line, layer: Layer) -> bool:
    """Lines of the other layer are not set; on a page of the reading text, neither are stamps and slips."""
    return (
        is_printed(line) if layer == "printed" else line.layer != "printed" and line.style not in ON_THE_COPY
    )


def _set_run(run: Run, layer: Layer) -> str:
    """A hyphen at the end of a page stands on it in either layer."""
    return run.printed if layer == "printed" or run.kind == "hyphen" else run.reading


def set_text(line: Line, layer: Layer) -> str:
    """The text of this line on the page; also our description of what is not transcribed."""
    return tidy("".join(_set_run(run, layer) for run in line.runs))


def words_of(line: Line, layer: Layer = "printed") -> tuple[Word, ...]:
    found: list[Word] = []
    cell = blank = 0
    open_word = False
    for run in line.runs:
        if run.kind == "cell":
            cell, blank, open_word = cell + 1, 0, False
            continue
        if layer == "printed" and run.kind in ("supplied", "lacuna"):
            blank = min(len(run.words), MAX_BLANK_LETTERS)
            continue
        face: Face | None = run.emphasis or None
        superior = run.kind == "superior"
        for piece in re.findall(r"\s+|\S+", _set_run(run, layer)):
            if piece.isspace():
                open_word = False
            elif open_word:
                last = found[-1]
                found[-1] = replace(
                    last, text=last.text + piece, segments=(*last.segments, Segment(piece, face, superior))
                )
            else:
                word = Word(
                    line.number,
                    len(found),
                    0,
                    piece,
                    run.passage,
                    (Segment(piece, face, superior),),
                    cell,
                    blank,
                )
                found.append(word)
                open_word, blank = True, 0
    return tuple(_with_offsets(found, set_text(line, layer)))


def _with_offsets(words: Iterable[Word], text: str) -> Iterable[Word]:
    for word, place in zip(words, re.finditer(r"\S+", text), strict=True):
        assert word.text == place[0], f"{word.text!r} is not {place[0]!r}"
        yield replace(word, offset=place.start())
