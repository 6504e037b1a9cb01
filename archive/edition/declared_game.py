"""Declared game of a book: `game.toml` cites passages that there are; golden sheets score as they must."""

from __future__ import annotations

import engine
from archive.edition.errors import EditionError
from archive.edition.records import Edition
from engine.declared import Declaration, DeclarationError, read_declaration
from engine.declared.golden import SHEETS_LEAST, GoldenError, golden_cases

GAME = "game.toml"
SHEETS = "sheets.json"


def check_game(edition: Edition) -> None:
    """Refuse a declaration that declares no game, or whose golden sheets are too few or score otherwise."""
    if not edition.game:
        if edition.golden_sheets:
            raise EditionError(SHEETS, 1, f"example sheets stand only beside {GAME}")
        return
    declaration = declaration_in(edition)
    try:
        cases = [*golden_cases(declaration, edition.golden_sheets)]
    except GoldenError as fault:
        raise EditionError(SHEETS, 1, str(fault)) from None
    for case in cases:
        if case.fault:
            line = _line_of(edition.golden_sheets, case.name)
            raise EditionError(SHEETS, line, f"“{case.name}”: {case.fault}")
    if len(cases) < SHEETS_LEAST:
        says = f"a declared game needs at least {SHEETS_LEAST} example sheets, and here are {len(cases)}"
        raise EditionError(SHEETS, 1, says)


def declaration_in(edition: Edition) -> Declaration:
    """The declaration of a book's game; raises EditionError with the line of its fault."""
    anchors = {name for passage in edition.passages for name in (*passage.anchors, *passage.aliases)}
    try:
        declaration = read_declaration(edition.game, anchors)
    except DeclarationError as fault:
        raise EditionError(GAME, fault.line or 1, fault.sentence) from None
    if declaration.book != edition.slug:
        raise EditionError(GAME, 1, f"it is declared for the book {declaration.book}, not {edition.slug}")
    if declaration.key in engine.GAMES:
        raise EditionError(GAME, 1, f"the engine has a game {declaration.key} already; choose another key")
    return declaration


def declared_key(edition: Edition) -> str:
    """The key of a book's game; empty where it declares none, or none that this version can read."""
    try:
        return read_declaration(edition.game).key if edition.game else ""
    except DeclarationError:
        return ""


def _line_of(text: str, name: str) -> int:
    before, found, _ = text.partition(name)
    return before.count("\n") + 1 if found else 1
