"""The edition of a book, read from and written to a folder of plain files. No Django here.

>>> from pathlib import Path
>>> book = read_book(Path("fixtures/books/victory-rummy-1942"))
>>> book.passage("score-capture").reading
'A CAPTURE counts 50 points.'
"""

from archive.edition.errors import EditionError
from archive.edition.folder import read_book, write_book
from archive.edition.records import (
    AUTHORITIES,
    CERTAINTIES,
    NOTE_KINDS,
    Brief,
    BriefLine,
    Catalogue,
    CoverLine,
    Edition,
    Note,
    NoteReading,
    Rights,
    Section,
    Variant,
)
from archive.edition.text import STYLES, Leaf, Line, Passage, Run, Style

__all__ = [
    "AUTHORITIES",
    "CERTAINTIES",
    "NOTE_KINDS",
    "STYLES",
    "Brief",
    "BriefLine",
    "Catalogue",
    "CoverLine",
    "Edition",
    "EditionError",
    "Leaf",
    "Line",
    "Note",
    "NoteReading",
    "Passage",
    "Rights",
    "Run",
    "Section",
    "Style",
    "Variant",
    "read_book",
    "write_book",
]
