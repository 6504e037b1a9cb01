"""PostgreSQL's full-text index, given words as SQLite would index them.

A row's `lexemes` holds the words of its title and then, after a gap no phrase can leap, those of its text.
PostgreSQL finds the rows; where to mark is counted here, from the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

from django.db import connection

from archive.models import Book
from archive.search.index import Document, Row, SearchIndex, Wanted, documents
from archive.search.lexemes import Token, tokens
from archive.search.snippets import OPEN, SHUT

GAP = 20
POSITION_MOST = 16_383
"""PostgreSQL counts no further; words beyond are found, but not in phrases."""


@dataclass(frozen=True)
class Phrase:
    """Words that must stand side by side, as they are indexed; a single one may be the beginning of more."""

    lexemes: tuple[str, ...]
    goes_on: bool = False

    def stands_at(self, place: int, words: Sequence[Token]) -> bool:
        if self.goes_on:
            return words[place].lexeme.startswith(self.lexemes[0])
        there = words[place : place + len(self.lexemes)]
        return tuple(token.lexeme for token in there) == self.lexemes

    def asked(self) -> str:
        return " <-> ".join(f"'{lexeme}'" for lexeme in self.lexemes) + (":*" if self.goes_on else "")


class PostgresIndex(SearchIndex):
    def add(self, book: Book) -> None:
        rows = [(book.pk, book.slug, *astuple(found), _vector(found)) for found in documents(book)]
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search WHERE scope = %s", [book.pk])
            cursor.executemany(
                "INSERT INTO archive_search (scope, book, kind, key, anchor, title, text, lexemes)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s::tsvector)",
                rows,
            )

    def match(self, wanted: Wanted, book: Book | None, kind: str) -> list[Row]:
        phrases = [[*_phrases(wanted, term)] for term in wanted.terms]
        if not all(phrases):
            return []
        either = (" | ".join(f"({phrase.asked()})" for phrase in term) for term in phrases)
        asked = (" | " if wanted.loosely else " & ").join(f"({term})" for term in either)
        narrowed: list[tuple[str, int | str]] = [("scope = %s", book.pk)] if book else []
        narrowed += [("kind = %s", kind)] if kind else []
        where = " AND ".join(["lexemes @@ %s::tsquery", *(words for words, _ in narrowed)])
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT kind, book, key, anchor, title, text FROM archive_search WHERE {where}"  # noqa: S608 - words of our own
                " ORDER BY id LIMIT %s",
                [asked, *(value for _, value in narrowed), wanted.most + 1],
            )
            rows: list[Row] = cursor.fetchall()
        every = [phrase for term in phrases for phrase in term]
        return [(*row[:4], marked(row[4], every), marked(row[5], every)) for row in rows]


def _phrases(wanted: Wanted, term: Sequence[tuple[str, ...]]) -> Iterator[Phrase]:
    for words in term:
        lexemes = tuple(token.lexeme for token in tokens(" ".join(words)))
        if lexemes:
            yield Phrase(lexemes, wanted.goes_on(words) and len(lexemes) == 1)


def _vector(document: Document) -> str:
    """The words of a document with their places, as PostgreSQL writes them."""
    title, text = tokens(document.title), tokens(document.text)
    places: dict[str, list[int]] = {}
    for place, token in enumerate(title, start=1):
        places.setdefault(token.lexeme, []).append(place)
    for place, token in enumerate(text, start=len(title) + GAP):
        places.setdefault(token.lexeme, []).append(min(place, POSITION_MOST))
    return " ".join(f"'{lexeme}':{','.join(map(str, at))}" for lexeme, at in places.items())


def marked(text: str, phrases: Sequence[Phrase]) -> str:
    """The text with marks around what was looked for; phrases that share a word are marked as one.

    >>> marked("a red, red card", [Phrase(("red",))]).replace(OPEN, "[").replace(SHUT, "]")
    'a [red], [red] card'
    """
    words = tokens(text)
    found = sorted(
        (place, place + len(phrase.lexemes) - 1)
        for phrase in phrases
        for place in range(len(words))
        if phrase.stands_at(place, words)
    )
    spans: list[tuple[int, int]] = []
    for first, last in found:
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], last))
        else:
            spans.append((first, last))
    pieces, at = [], 0
    for first, last in spans:
        pieces += [text[at : words[first].start], OPEN, text[words[first].start : words[last].end], SHUT]
        at = words[last].end
    return "".join([*pieces, text[at:]])
