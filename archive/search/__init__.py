"""Search: one small interface over the full-text index of the database that the site has.

Documents are searched: passages in both layers, notes, variants, lines of the rules in brief, the catalogue,
sources, stamps. Both indexes give the same answer to the same query, down to the marked letters; one contract
test says so.

index      levels of a search, ranking, pages of hits
documents  what can be found of a book, and the filters
suggestions *Did you mean*: the nearest word to a misspelt one
vocabulary the words of the archive, with their trigrams
stems      what an index keeps of a word
sqlite     the index of SQLite (FTS5)
postgres   the index of PostgreSQL
tokenizer  FTS5 in memory: tokens and marks for PostgreSQL
spellings  a query as terms, with other spellings of its words
snippets   marked text, and the piece of it that a list of hits shows
"""

from django.db import connection

from archive.search.documents import KINDS, SearchFilters
from archive.search.index import Cursor, Hit, SearchIndex, SearchPage, SearchResult, read_cursor
from archive.search.postgres import PostgresIndex
from archive.search.snippets import Stretches, snippet, stretches
from archive.search.spellings import MAX_QUERY_LENGTH
from archive.search.sqlite import SqliteIndex

__all__ = [
    "KINDS",
    "MAX_QUERY_LENGTH",
    "Cursor",
    "Hit",
    "SearchFilters",
    "SearchIndex",
    "SearchPage",
    "SearchResult",
    "Stretches",
    "index",
    "read_cursor",
    "snippet",
    "stretches",
]


def index() -> SearchIndex:
    return PostgresIndex() if connection.vendor == "postgresql" else SqliteIndex()
