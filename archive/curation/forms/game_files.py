"""Form for the declared game of a book: its two files as text, and what the engine reads in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from archive.curation.game_sheets import mark_of
from archive.edition import Edition, EditionError
from archive.edition.declared_game import GAME, SHEETS, declaration_in
from archive.edition.folder import read_files
from archive.text_input import clean_text
from engine import Refused, replay
from engine.declared import Declaration, Statement, silent_passages, statements
from engine.declared.golden import SHEETS_LEAST, GoldenCase, GoldenError, golden_cases, pinned_sheet


@dataclass(frozen=True)
class SheetRead:
    """A golden sheet: its name, the totals that it comes to, what is wrong with it, if anything, and the mark
    that buttons name it by."""

    name: str
    totals: tuple[tuple[str, int], ...]
    fault: str
    mark: str


@dataclass(frozen=True)
class SilentPassage:
    """A sentence of the rulebook that no rule names yet."""

    anchor: str
    words: str


@dataclass(frozen=True)
class Reading:
    """What the engine reads in the two files. Where the declaration is refused, `fault` says why; `line` is
    the number of the line, `quoted` the line itself."""

    declaration: Declaration | None = None
    fault: str = ""
    line: int = 0
    quoted: str = ""
    rules: tuple[Statement, ...] = ()
    silent: tuple[SilentPassage, ...] = ()
    sheets: tuple[SheetRead, ...] = ()
    sheets_fault: str = ""

    @property
    def may_be_published(self) -> bool:
        return not (self.fault or self.sheets_fault or any(sheet.fault for sheet in self.sheets))


def files_from(fields: Mapping[str, str], files: Mapping[str, str]) -> dict[str, str]:
    """The two files as they were sent. Pads are pinned to every byte of the declaration, so a text that was
    not changed stays as it is in the book, whatever a browser does to its line ends."""
    return {
        GAME: _sent(fields.get("declaration", ""), files.get(GAME, "")),
        SHEETS: _sent(fields.get("sheets", ""), files.get(SHEETS, "")),
    }


def _sent(text: str, old: str) -> str:
    words = clean_text(text).strip()
    if words == clean_text(old).strip():
        return old
    return f"{words}\n" if words else ""


def read_game(slug: str, files: Mapping[str, str]) -> Reading:
    """What these files of a book declare. A book without a declaration declares nothing, and that is well."""
    edition = read_files(slug, files)
    if not edition.game:
        return Reading(
            sheets_fault="Example sheets stand beside a declaration." if edition.golden_sheets else ""
        )
    try:
        declaration = declaration_in(edition)
    except EditionError as fault:
        lines = edition.game.split("\n")
        quoted = lines[fault.line - 1].strip() if fault.line <= len(lines) else ""
        return Reading(fault=_sentence(fault.message), line=fault.line, quoted=quoted[:120])
    rules = tuple(statements(declaration))
    silent = _silent(edition, declaration)
    try:
        cases = golden_cases(declaration, edition.golden_sheets.strip() or "[]")
        sheets = tuple(_sheet(declaration, case) for case in cases)
    except GoldenError as fault:
        return Reading(declaration, rules=rules, silent=silent, sheets_fault=str(fault))
    few = f"It needs at least {SHEETS_LEAST} example sheets, and here are {len(sheets)}."
    return Reading(
        declaration,
        rules=rules,
        silent=silent,
        sheets=sheets,
        sheets_fault=few if len(sheets) < SHEETS_LEAST else "",
    )


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:].removesuffix('.')}."


def _silent(edition: Edition, declaration: Declaration) -> tuple[SilentPassage, ...]:
    """Sentences of the text that no rule names by any of their names; headings score nothing anyway."""
    headings = {section.anchor for section in edition.catalogue.sections}
    told = [one for one in edition.passages if one.reading and one.anchor not in headings]
    names = [name for passage in told for name in (*passage.anchors, *passage.aliases)]
    unnamed = {*silent_passages(declaration, names)}
    return tuple(
        SilentPassage(passage.anchor, passage.reading)
        for passage in told
        if unnamed.issuperset((*passage.anchors, *passage.aliases))
    )


def _sheet(declaration: Declaration, case: GoldenCase) -> SheetRead:
    """The totals of a sheet that is scored: they are what its author may have to write down."""
    try:
        totals = replay(pinned_sheet(declaration, case.sheet)).result().totals
    except Refused:
        totals = {}
    return SheetRead(case.name, tuple(totals.items()), case.fault, mark_of(case.row))
