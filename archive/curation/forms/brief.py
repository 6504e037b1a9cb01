"""Form for the rules in brief of one game: its rows, each with the passages of the book that it rests on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from archive.curation.book_files import BRIEFS, briefs_in, write_briefs
from archive.curation.errors import BriefError
from archive.edition import Brief, BriefLine
from archive.text_input import clean_line

MAX_LINES = 14
MAX_TEXT = 160
MAX_TITLE = 120
BriefRow = tuple[str, str]
"""A line of the form: its words, and the names of its passages."""


def rows_of(brief: Brief) -> list[BriefRow]:
    return [(line.text, " ".join(cite.partition("/")[2] for cite in line.cites)) for line in brief.lines]


def rows_from(texts: Sequence[str], cites: Sequence[str]) -> list[BriefRow]:
    """The rows that were sent, tidied but not yet checked; a row that was emptied goes."""
    rows = [(clean_line(text), clean_line(names)) for text, names in zip(texts, cites, strict=False)]
    return [row for row in rows if any(row)][: MAX_LINES + 1]


def passages_of(cites: str) -> list[str]:
    return [name for name in re.split(r"[\s,;]+", cites) if name]


def brief_from(game: str, title: str, rows: Sequence[BriefRow], book: str, known: Collection[str]) -> Brief:
    """The rules that the form describes, or BriefError. `known` are the names of the book's passages."""
    faults: dict[int | str, str] = {}
    if not 0 < len(title) <= MAX_TITLE:
        faults["title"] = f"Give it a title of at most {MAX_TITLE} letters."
    if not 1 <= len(rows) <= MAX_LINES:
        faults["lines"] = f"It has 1 to {MAX_LINES} lines: no more than one screen of a phone."
    for number, (text, cites) in enumerate(rows):
        unknown = [name for name in passages_of(cites) if name not in known]
        if not 0 < len(text) <= MAX_TEXT:
            faults[number] = f"Say it in 1 to {MAX_TEXT} letters."
        elif not passages_of(cites):
            faults[number] = "Name the passage this line is based on."
        elif unknown:
            faults[number] = f"No passage is called “{unknown[0][:60]}”."
    if faults:
        raise BriefError(faults)
    lines = [BriefLine(text, tuple(f"{book}/{name}" for name in passages_of(cites))) for text, cites in rows]
    return Brief(game, title, tuple(lines))


def with_brief(files: Mapping[str, str], brief: Brief) -> dict[str, str]:
    """In the place of the old rules of this game, or behind those of the other games."""
    briefs = briefs_in(files)
    if any(other.game == brief.game for other in briefs):
        return {BRIEFS: write_briefs(brief if other.game == brief.game else other for other in briefs)}
    return {BRIEFS: write_briefs([*briefs, brief])}
