"""Finding: one small interface, with the full-text index of whichever database the site has behind it.

What is searched are documents: passages in their reading text, notes, variants, lines of the rules in brief.
Both indexes give the same answer to the same question, down to the marked letters; one contract test says so.
"""

from django.db import connection

from archive.search.index import KINDS, LOOKED_AT, Found, Hit, SearchIndex
from archive.search.postgres import PostgresIndex
from archive.search.snippets import Stretches, cut, stretches
from archive.search.sqlite import SqliteIndex

__all__ = ["KINDS", "LOOKED_AT", "Found", "Hit", "SearchIndex", "Stretches", "cut", "index", "stretches"]


def index() -> SearchIndex:
    return PostgresIndex() if connection.vendor == "postgresql" else SqliteIndex()
