"""PostgreSQL's full-text index, filled with the tokens that SQLite would index.

A row's `lexemes` holds the tokens of its title and then, after a gap no phrase can leap, those of its text.
PostgreSQL finds the rows; FTS5 marks them.
"""

from __future__ import annotations

from django.db import connection

from archive.models import Book
from archive.search.documents import documents, marks_of
from archive.search.index import IndexedRow, Level, Question, SearchIndex, is_beginning
from archive.search.spellings import Words
from archive.search.sqlite import fts5_match
from archive.search.tokenizer import highlight, tokens

GAP = 20
TITLE, FILTER = "=", "#"
"""Signs before a lexeme of a title and before the mark of a filter; no token begins with one."""
MAX_POSITION = 16_383
"""PostgreSQL counts no further; words beyond are found, but not in phrases."""


class PostgresIndex(SearchIndex):
    def write(self, book: Book) -> None:
        found = list(documents(book))
        vectors = [
            _vector(*pair, marks_of(book, one))
            for pair, one in zip(tokens([(one.title, one.text) for one in found]), found, strict=True)
        ]
        rows = [(book.pk, book.slug, *one.row, vector) for one, vector in zip(found, vectors, strict=True)]
        self.delete(book)
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO archive_search (scope, book, kind, key, anchor, title, text, lexemes)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s::tsvector)",
                rows,
            )

    def delete(self, book: Book) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search WHERE scope = %s", [book.pk])

    def indexed(self, book: Book) -> list[tuple[str, str, str]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT kind, title, text FROM archive_search WHERE scope = %s", [book.pk])
            rows: list[tuple[str, str, str]] = cursor.fetchall()
        return rows

    def match(self, question: Question) -> list[IndexedRow]:
        query = _tsquery(question)
        if not query:
            return []
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, kind, book, key, anchor, title, text FROM archive_search"
                " WHERE lexemes @@ %s::tsquery AND id > %s ORDER BY id LIMIT %s",
                [query, question.after, question.limit + 1],
            )
            rows: list[IndexedRow] = cursor.fetchall()
        marked = highlight([row[5:] for row in rows], fts5_match(question))
        return [(*row[:5], *marked[number]) for number, row in enumerate(rows) if number in marked]


def _tsquery(question: Question) -> str:
    """The question in PostgreSQL's language; empty if some term has no token. Tokens are letters and figures,
    so none of them can be a command."""
    phrases = {words for term in (*question.terms, question.phrase) for words in term}
    asked = list(phrases)
    lexemes = dict(
        zip(asked, (text for _, text in tokens([("", " ".join(words)) for words in asked])), strict=True)
    )
    terms = [[words for words in term if lexemes[words]] for term in question.terms]
    if not all(terms):
        return ""

    def every(joined: str, longer: bool = False, mark: str = "") -> str:
        either = (
            " | ".join(_phrase(words, lexemes[words], longer, mark) for words in term) for term in terms
        )
        return "(" + joined.join(f"({term})" for term in either) + ")"

    strict, titled = every(" & "), every(" & ", mark=TITLE)
    beside = " | ".join(_phrase(words, lexemes[words]) for words in question.phrase if lexemes[words])
    wanted = {
        Level.TITLE: titled,
        Level.PHRASE: f"({beside}) & !{titled}" if beside else "",
        Level.WORDS: f"{strict} & !{titled}" + (f" & !({beside})" if beside else ""),
        Level.LONGER: f"{every(' & ', longer=True)} & !{strict}",
        Level.LOOSELY: every(" | ", longer=True),
    }[question.level]
    narrowed = (f"({' | '.join(_mark(mark) for mark in group)})" for group in question.marks)
    return " & ".join([*narrowed, wanted]) if wanted else ""


def _mark(mark: str) -> str:
    return f"'{FILTER}{mark}'"


def _phrase(words: Words, lexemes: list[str], longer: bool = False, mark: str = "") -> str:
    phrase = " <-> ".join(f"'{mark}{lexeme}'" for lexeme in lexemes)
    return f"({phrase}{':*' if longer and is_beginning(words) else ''})"


def _vector(title: list[str], text: list[str], marks: list[str]) -> str:
    """The tokens of a document with their places, as PostgreSQL writes them. Those of the title stand there
    once more, under a sign of their own: the index then finds titles without reading every text."""
    places: dict[str, list[int]] = {}
    for place, lexeme in enumerate(title, start=1):
        places.setdefault(lexeme, []).append(place)
        places.setdefault(f"{TITLE}{lexeme}", []).append(place)
    for place, lexeme in enumerate(text, start=len(title) + GAP):
        places.setdefault(lexeme, []).append(min(place, MAX_POSITION))
    shown = [f"'{lexeme}':{','.join(map(str, at))}" for lexeme, at in places.items()]
    return " ".join([*shown, *(_mark(mark) for mark in marks)])
