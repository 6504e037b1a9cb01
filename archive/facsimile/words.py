"""The words of a line as they are printed. Supplied words are not in the print: their place stays blank."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from archive.edition import Line
from archive.edition.text import tidy
from archive.facsimile.fonts import Face

MAX_BLANK_LETTERS = 8


@dataclass(frozen=True)
class Segment:
    """A stretch of a word in one face; empty stands for the face of the line's style."""

    text: str
    face: Face | None


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


def printed_text(line: Line) -> str:
    """The text of this line on the page; also our description of what is not transcribed."""
    return tidy("".join(run.printed for run in line.runs)) if line.ours else line.printed


def words_of(line: Line) -> tuple[Word, ...]:
    found: list[Word] = []
    cell = blank = 0
    open_word = False
    for run in line.runs:
        if run.kind == "cell":
            cell, blank, open_word = cell + 1, 0, False
            continue
        if run.kind in ("supplied", "lacuna"):
            blank = min(len(run.words), MAX_BLANK_LETTERS)
            continue
        face: Face | None = run.emphasis or None
        for piece in re.findall(r"\s+|\S+", run.printed):
            if piece.isspace():
                open_word = False
            elif open_word:
                last = found[-1]
                found[-1] = replace(
                    last, text=last.text + piece, segments=(*last.segments, Segment(piece, face))
                )
            else:
                word = Word(
                    line.number, len(found), 0, piece, run.passage, (Segment(piece, face),), cell, blank
                )
                found.append(word)
                open_word, blank = True, 0
    return tuple(_with_offsets(found, printed_text(line)))


def _with_offsets(words: Iterable[Word], text: str) -> Iterable[Word]:
    for word, place in zip(words, re.finditer(r"\S+", text), strict=True):
        assert word.text == place[0], f"{word.text!r} is not {place[0]!r}"
        yield replace(word, offset=place.start())
