"""The rules in brief of one game as rows of a form, and back; each line rests on passages of the book."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from archive.curation.forms import fields
from archive.edition import Brief, BriefLine
from archive.edition.record_tables import brief_table, read_brief
from archive.edition.toml import read_table, write_table

BRIEF = "brief.toml"
LINES_MOST = 14
TEXT_MOST = 160
TITLE_MOST = 120
Row = tuple[str, str]
"""A line of the form: its words, and the names of its passages."""


class BriefError(Exception):
    """What cannot be so: by the number of the line from 0, or by the name of the field."""

    def __init__(self, faults: Mapping[int | str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = dict(faults)


def briefs_in(files: Mapping[str, str]) -> list[Brief]:
    return [read_brief(table) for table in read_table(BRIEF, files[BRIEF]).many("brief")]


def write_briefs(briefs: Iterable[Brief]) -> str:
    return write_table({"brief": [brief_table(brief) for brief in briefs]})


def rows_of(brief: Brief) -> list[Row]:
    return [(line.text, " ".join(cite.partition("/")[2] for cite in line.cites)) for line in brief.lines]


def rows_from(texts: Sequence[str], cites: Sequence[str]) -> list[Row]:
    """What a form sent, tidied but not yet judged; a row that was emptied goes."""
    rows = [(fields.line(text), fields.line(names)) for text, names in zip(texts, cites, strict=False)]
    return [row for row in rows if any(row)][: LINES_MOST + 1]


def moved(rows: Sequence[Row], index: int, by: int) -> list[Row]:
    there, to = list(rows), index + by
    if 0 <= index < len(there) and 0 <= to < len(there):
        there[index], there[to] = there[to], there[index]
    return there


def names_of(cites: str) -> list[str]:
    return [name for name in re.split(r"[\s,;]+", cites) if name]


def brief_from(game: str, title: str, rows: Sequence[Row], book: str, known: Collection[str]) -> Brief:
    """The rules a form describes, or BadBrief. `known` are the names of the book's passages."""
    faults: dict[int | str, str] = {}
    if not 0 < len(title) <= TITLE_MOST:
        faults["title"] = f"Give it a title of at most {TITLE_MOST} letters."
    if not 1 <= len(rows) <= LINES_MOST:
        faults["lines"] = f"It has 1 to {LINES_MOST} lines: no more than one screen of a phone."
    for number, (text, cites) in enumerate(rows):
        unknown = [name for name in names_of(cites) if name not in known]
        if not 0 < len(text) <= TEXT_MOST:
            faults[number] = f"Say it in 1 to {TEXT_MOST} letters."
        elif not names_of(cites):
            faults[number] = "Name the passage this line rests on."
        elif unknown:
            faults[number] = f"No passage is called “{unknown[0][:60]}”."
    if faults:
        raise BriefError(faults)
    lines = [BriefLine(text, tuple(f"{book}/{name}" for name in names_of(cites))) for text, cites in rows]
    return Brief(game, title, tuple(lines))


def with_brief(files: Mapping[str, str], brief: Brief) -> dict[str, str]:
    """In the place of the old rules of this game, or behind those of the other games."""
    briefs = briefs_in(files)
    if any(other.game == brief.game for other in briefs):
        return {BRIEF: write_briefs(brief if other.game == brief.game else other for other in briefs)}
    return {BRIEF: write_briefs([*briefs, brief])}
