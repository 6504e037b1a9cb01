"""SQLite's own full-text index, FTS5. The table stands in a migration."""

from __future__ import annotations

from django.db import connection

from archive.models import Book
from archive.search.documents import documents, marks_of
from archive.search.index import IndexedRow, Level, Question, SearchIndex, is_beginning
from archive.search.snippets import CLOSE, OPEN
from archive.search.spellings import Words


class SqliteIndex(SearchIndex):
    """`scope` holds the marks of a document, so that a search that is narrowed down meets no other."""

    def write(self, book: Book) -> None:
        rows = [(" ".join(marks_of(book, one)), book.slug, *one.row) for one in documents(book)]
        self.delete(book)
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO archive_search (scope, book, kind, key, anchor, title, text)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s)",
                rows,
            )

    def delete(self, book: Book) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search WHERE archive_search MATCH %s", [_scope(book)])

    def indexed(self, book: Book) -> list[tuple[str, str, str]]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT kind, title, text FROM archive_search WHERE archive_search MATCH %s", [_scope(book)]
            )
            rows: list[tuple[str, str, str]] = cursor.fetchall()
        return rows

    def match(self, question: Question) -> list[IndexedRow]:
        match = f"({fts5_match(question)})"
        for group in question.marks:
            either = " OR ".join(f'"{mark}"' for mark in group)
            match = f"(scope : ({either}) AND {match})"
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT rowid, kind, book, key, anchor,"
                " highlight(archive_search, 5, %s, %s), highlight(archive_search, 6, %s, %s)"
                " FROM archive_search WHERE archive_search MATCH %s AND rowid > %s"
                " ORDER BY rowid LIMIT %s",
                [OPEN, CLOSE, OPEN, CLOSE, match, question.after, question.limit + 1],
            )
            rows: list[IndexedRow] = cursor.fetchall()
        return rows


def _scope(book: Book) -> str:
    return f'scope : "b{book.pk}"'


def fts5_match(question: Question) -> str:
    """The question in the language of FTS5. Every word is quoted, so that none of them can be a command."""
    level = question.level
    strict = f"{{title text}} : ({_all(question, ' AND ')})"
    titled = f"({{title}} : ({_all(question, ' AND ')}))"
    beside = " OR ".join(_phrase(words) for words in question.phrase)
    if level == Level.TITLE:
        return f"{titled} AND ({strict})"
    if level == Level.PHRASE:
        return f"(({{title text}} : ({beside})) AND ({strict})) NOT {titled}"
    if level == Level.WORDS:
        closer = f"{titled} OR ({{title text}} : ({beside}))" if beside else titled
        return f"({strict}) NOT ({closer})"
    if level == Level.LONGER:
        return f"({{title text}} : ({_all(question, ' AND ', True)})) NOT ({strict})"
    return f"{{title text}} : ({_all(question, ' OR ', True)})"


def _all(question: Question, joined: str, longer: bool = False) -> str:
    return joined.join(
        f"({' OR '.join(_phrase(words, longer) for words in term)})" for term in question.terms
    )


def _phrase(words: Words, longer: bool = False) -> str:
    return '"' + " ".join(words) + '"' + (" *" if longer and is_beginning(words) else "")
