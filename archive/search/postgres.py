"""PostgreSQL's full-text index, filled with the tokens that SQLite would index.

A row's `lexemes` holds the tokens of its title and then, after a gap no phrase can leap, those of its text.
PostgreSQL finds the rows; FTS5 marks them.
"""

from __future__ import annotations

from dataclasses import astuple

from django.db import connection

from archive.models import Book
from archive.search.index import IndexedRow, SearchIndex, SearchTerms, documents
from archive.search.spellings import Words
from archive.search.sqlite import fts5_match
from archive.search.tokenizer import highlight, tokens

GAP = 20
MAX_POSITION = 16_383
"""PostgreSQL counts no further; words beyond are found, but not in phrases."""


class PostgresIndex(SearchIndex):
    def add(self, book: Book) -> None:
        found = list(documents(book))
        vectors = [_vector(*pair) for pair in tokens([(one.title, one.text) for one in found])]
        rows = [
            (book.pk, book.slug, *astuple(document), vector)
            for document, vector in zip(found, vectors, strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search WHERE scope = %s", [book.pk])
            cursor.executemany(
                "INSERT INTO archive_search (scope, book, kind, key, anchor, title, text, lexemes)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s::tsvector)",
                rows,
            )

    def remove(self, book: Book) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search WHERE scope = %s", [book.pk])

    def match(self, wanted: SearchTerms, book: Book | None, kind: str) -> list[IndexedRow]:
        query = _tsquery(wanted)
        if not query:
            return []
        narrowed: list[tuple[str, int | str]] = [("scope = %s", book.pk)] if book else []
        narrowed += [("kind = %s", kind)] if kind else []
        where = " AND ".join(["lexemes @@ %s::tsquery", *(words for words, _ in narrowed)])
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT kind, book, key, anchor, title, text FROM archive_search WHERE {where}"  # noqa: S608 - words of our own
                " ORDER BY id LIMIT %s",
                [query, *(value for _, value in narrowed), wanted.limit + 1],
            )
            rows: list[IndexedRow] = cursor.fetchall()
        marked = highlight([row[4:] for row in rows], fts5_match(wanted))
        return [(*row[:4], *marked[number]) for number, row in enumerate(rows) if number in marked]


def _tsquery(wanted: SearchTerms) -> str:
    """The question in PostgreSQL's language; empty if some term has no token. Tokens are letters and figures,
    so none of them can be a command."""
    phrases = [words for term in wanted.terms for words in term]
    found = iter(tokens([("", " ".join(words)) for words in phrases]))
    terms = [[_phrase(words, next(found)[1], wanted) for words in term] for term in wanted.terms]
    terms = [[phrase for phrase in term if phrase] for term in terms]
    if not all(terms):
        return ""
    either = (" | ".join(f"({phrase})" for phrase in term) for term in terms)
    return (" | " if wanted.loosely else " & ").join(f"({term})" for term in either)


def _phrase(words: Words, lexemes: list[str], wanted: SearchTerms) -> str:
    phrase = " <-> ".join(f"'{lexeme}'" for lexeme in lexemes)
    return f"{phrase}:*" if phrase and wanted.allows_longer(words) else phrase


def _vector(title: list[str], text: list[str]) -> str:
    """The tokens of a document with their places, as PostgreSQL writes them."""
    places: dict[str, list[int]] = {}
    for place, lexeme in enumerate(title, start=1):
        places.setdefault(lexeme, []).append(place)
    for place, lexeme in enumerate(text, start=len(title) + GAP):
        places.setdefault(lexeme, []).append(min(place, MAX_POSITION))
    return " ".join(f"'{lexeme}':{','.join(map(str, at))}" for lexeme, at in places.items())
