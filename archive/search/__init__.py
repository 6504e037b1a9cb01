"""Search: one small interface over the full-text index of the database that the site has.

Documents are searched: passages in their reading text, notes, variants, lines of the rules in brief. Both
indexes give the same answer to the same query, down to the marked letters; one contract test says so.

index      documents, ranking, strict and loose search
sqlite     the index of SQLite (FTS5)
postgres   the index of PostgreSQL
tokenizer  FTS5 in memory: tokens and marks for PostgreSQL
spellings  a query as terms, with other spellings of its words
snippets   marked text, and the piece of it that a list of hits shows
"""

from django.db import connection

from archive.search.index import KINDS, RANKED_TOGETHER, Hit, SearchIndex, SearchResult
from archive.search.postgres import PostgresIndex
from archive.search.snippets import Stretches, snippet, stretches
from archive.search.spellings import MAX_QUERY_LENGTH
from archive.search.sqlite import SqliteIndex

__all__ = [
    "KINDS",
    "MAX_QUERY_LENGTH",
    "RANKED_TOGETHER",
    "Hit",
    "SearchIndex",
    "SearchResult",
    "Stretches",
    "index",
    "snippet",
    "stretches",
]


def index() -> SearchIndex:
    return PostgresIndex() if connection.vendor == "postgresql" else SqliteIndex()
