"""FTS5 in memory: SQLite's tokenizer, stemmer and highlighter, for the index of another database.

PostgreSQL stores and finds the words that come from here, so both databases find and mark the same. Every
call opens a database of its own in memory: nothing is shared between threads, and nothing is left behind.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from archive.search.snippets import CLOSE, OPEN

MAX_LETTERS = 256
"""A token that is longer than any word is stored by its beginning."""

Texts = tuple[str, str]
"""Title and text of a document."""


@contextmanager
def _table(rows: Sequence[Texts]) -> Iterator[sqlite3.Connection]:
    """A database whose table `document` holds these rows, numbered from 0, with the tokenizer of the index
    that SQLite has (archive/migrations/0002_search.py)."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE VIRTUAL TABLE document USING fts5("
            "title, text, tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        numbered = ((number, *row) for number, row in enumerate(rows))
        database.executemany("INSERT INTO document (rowid, title, text) VALUES (?, ?, ?)", numbered)
        yield database


def tokens(rows: Sequence[Texts]) -> list[tuple[list[str], list[str]]]:
    """The tokens of each title and each text, in their order.

    >>> tokens([("", "The players’ colours, consecutively")])
    [([], ['the', 'player', 'colour', 'consecut'])]
    """
    found: list[tuple[list[str], list[str]]] = [([], []) for _ in rows]
    with _table(rows) as database:
        database.execute("CREATE VIRTUAL TABLE token USING fts5vocab(document, instance)")
        asked = "SELECT doc, col, substr(term, 1, ?) FROM token ORDER BY doc, col, offset"
        for row, column, term in database.execute(asked, [MAX_LETTERS]):
            found[row][column == "text"].append(term)
    return found


def highlight(rows: Sequence[Texts], match: str) -> dict[int, Texts]:
    """Titles and texts with marks around what matches, by the place of their row; a row that does not match
    is left out. `match` is written in the language of FTS5.

    >>> highlight([("", "a red, red card")], "red")[0][1].replace(OPEN, "[").replace(CLOSE, "]")
    'a [red], [red] card'
    """
    marked = ", ".join(f"highlight(document, {column}, ?, ?)" for column in (0, 1))
    with _table(rows) as database:
        asked = f"SELECT rowid, {marked} FROM document WHERE document MATCH ?"  # noqa: S608 - words of our own
        found = database.execute(asked, [OPEN, CLOSE, OPEN, CLOSE, match])
        return {number: (title, text) for number, title, text in found}
