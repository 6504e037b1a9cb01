"""The edition of a book, read from and written to a folder of plain files. No Django here.

folder          a book's folder, read whole or not at all
text            leaves, lines, runs and passages; line_styles has the kinds of line
transcript      text.txt; marks has the marks inside its lines
records         catalogue, notes, variants, rules in brief, sources, pairs; record_tables has them as TOML
toml            TOML with line numbers, in one canonical form
region          a rectangle on a page, as notes.toml writes it
note_positions  where notes stand in the text
declared_game   game.toml and its golden sheets
validation      what must hold between the files
line_json       lines as JSON, for the database

>>> from pathlib import Path
>>> book = read_book(Path("fixtures/books/victory-rummy-1942"))
>>> book.passage("score-capture").reading
'A CAPTURE counts 50 points.'
"""

from archive.edition.errors import EditionError
from archive.edition.folder import read_book, write_book
from archive.edition.line_styles import STYLES, Style
from archive.edition.records import (
    AUTHORITIES,
    CERTAINTIES,
    NOTE_KINDS,
    Brief,
    BriefLine,
    Catalogue,
    CitedSource,
    CoverLine,
    Edition,
    Note,
    NoteReading,
    QuotedSentence,
    Rights,
    Section,
    SentencePair,
    Subject,
    Variant,
)
from archive.edition.text import Leaf, Line, Passage, Run

__all__ = [
    "AUTHORITIES",
    "CERTAINTIES",
    "NOTE_KINDS",
    "STYLES",
    "Brief",
    "BriefLine",
    "Catalogue",
    "CitedSource",
    "CoverLine",
    "Edition",
    "EditionError",
    "Leaf",
    "Line",
    "Note",
    "NoteReading",
    "Passage",
    "QuotedSentence",
    "Rights",
    "Run",
    "Section",
    "SentencePair",
    "Style",
    "Subject",
    "Variant",
    "read_book",
    "write_book",
]
