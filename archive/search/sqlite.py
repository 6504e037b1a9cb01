"""SQLite's own full-text index, FTS5. The table stands in a migration."""

from __future__ import annotations

from dataclasses import astuple

from django.db import connection

from archive.models import Book
from archive.search.index import IndexedRow, SearchIndex, SearchTerms, documents
from archive.search.snippets import CLOSE, OPEN
from archive.search.spellings import Words


class SqliteIndex(SearchIndex):
    """`scope` holds one word per book, so that a search within a book meets no other."""

    def add(self, book: Book) -> None:
        scope = f"b{book.pk}"
        rows = [(scope, book.slug, *astuple(document)) for document in documents(book)]
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search WHERE archive_search MATCH %s", [f'scope : "{scope}"'])
            cursor.executemany(
                "INSERT INTO archive_search (scope, book, kind, key, anchor, title, text)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s)",
                rows,
            )

    def remove(self, book: Book) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM archive_search WHERE archive_search MATCH %s", [f'scope : "b{book.pk}"']
            )

    def match(self, wanted: SearchTerms, book: Book | None, kind: str) -> list[IndexedRow]:
        scope = f'scope : "b{book.pk}" AND ' if book else ""
        match = f"{scope}{fts5_match(wanted)}"
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT kind, book, key, anchor,"
                " highlight(archive_search, 5, %s, %s), highlight(archive_search, 6, %s, %s)"
                " FROM archive_search WHERE archive_search MATCH %s AND (%s = '' OR kind = %s)"
                " ORDER BY rowid LIMIT %s",
                [OPEN, CLOSE, OPEN, CLOSE, match, kind, kind, wanted.limit + 1],
            )
            rows: list[IndexedRow] = cursor.fetchall()
        return rows


def fts5_match(wanted: SearchTerms) -> str:
    """The question in the language of FTS5. Every word is quoted, so that none of them can be a command."""

    def phrase(words: Words) -> str:
        return '"' + " ".join(words) + '"' + (" *" if wanted.allows_longer(words) else "")

    either = (f"({' OR '.join(phrase(words) for words in term)})" for term in wanted.terms)
    terms = (" OR " if wanted.loosely else " AND ").join(either)
    return f"{{title text}} : ({terms})"
