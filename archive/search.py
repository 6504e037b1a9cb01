"""Finding: one small interface, and SQLite's full-text index behind it.

What is searched are documents: passages in their reading text, notes, variants, lines of the rules in brief.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Protocol

from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from archive.markdown import to_text
from archive.models import Book
from archive.spellings import Words, terms

KINDS = ("passage", "note", "variant", "brief")
# So many matches are looked at and ranked; a word that stands on every page costs no more than this.
LOOKED_AT = 100
OPEN, SHUT = "\x02", "\x03"

Stretches = tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Document:
    """One thing that can be found. `key` is an anchor, a note's slug, a variant's slug or a game;
    `anchor` is the passage it belongs to, where there is one."""

    kind: str
    key: str
    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Hit:
    """A document that was found; `text` is cut into stretches, each with whether it was looked for."""

    kind: str
    book: str
    key: str
    anchor: str
    title: str
    text: Stretches
    score: float

    @property
    def snippet(self) -> Stretches:
        return cut(self.text)


@dataclass(frozen=True)
class Found:
    """An answer. `loosely` says that no document has all the terms and these have some; `more`, that there
    are more than these."""

    hits: tuple[Hit, ...]
    loosely: bool = False
    more: bool = False


class SearchIndex(Protocol):
    def add(self, book: Book) -> None:
        """Index this book as it stands, instead of what was indexed of it before."""

    def rebuild(self) -> None:
        """Index every book anew."""

    def find(self, query: str, book: Book | None = None, kind: str = "", limit: int = 50) -> Found:
        """The best documents first. Any query is harmless; one without a word finds nothing."""


def index() -> SearchIndex:
    if connection.vendor == "sqlite":
        return FullTextIndex()
    raise ImproperlyConfigured(f"Tallyroom has no search for {connection.vendor} yet; use SQLite.")


def documents(book: Book) -> Iterator[Document]:
    passages = {passage.pk: passage for passage in book.passages.all()}
    for passage in passages.values():
        if passage.reading:
            yield Document("passage", passage.anchor, passage.anchor, passage.section, passage.reading)
    for note in book.notes.all():
        place = passages.get(note.passage_id) if note.passage_id else None
        readings = "".join(f" {reading['title']}: {reading['text']}" for reading in note.readings)
        body = to_text(note.body) + readings
        yield Document("note", note.slug, place.anchor if place else "", note.title, body)
    for variant in book.variants.all():
        yield Document("variant", variant.slug, "", variant.title, to_text(variant.reasons))
    for line in book.brief_lines.all():
        anchor = line.cites[0].partition("/")[2] if line.cites else ""
        yield Document("brief", line.game, anchor, line.title, line.text)


class FullTextIndex:
    """SQLite's FTS5. The table stands in a migration; `scope` holds one word per book, so that a search
    within a book meets no other."""

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

    def rebuild(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search")
        for book in Book.objects.all():
            self.add(book)

    def find(self, query: str, book: Book | None = None, kind: str = "", limit: int = 50) -> Found:
        wanted = terms(query)
        if not wanted:
            return Found(())
        found = self._match(" AND ".join(_either(term) for term in wanted), wanted, book, kind)
        if len(found.hits) < limit:
            # Longer words are looked for only where these are not enough: the index has to read all of them.
            found = self._match(" AND ".join(_either(term, True) for term in wanted), wanted, book, kind)
        loosely = not found.hits and len(wanted) > 1
        if loosely:
            found = self._match(" OR ".join(_either(term, True) for term in wanted), wanted, book, kind)
        best = sorted(found.hits, key=lambda hit: -hit.score)[:limit]
        return Found(tuple(best), loosely and bool(best), found.more or len(found.hits) > limit)

    def _match(self, expression: str, wanted: list[list[Words]], book: Book | None, kind: str) -> Found:
        scope = f'scope : "b{book.pk}" AND ' if book else ""
        match = f"{scope}{{title text}} : ({expression})"
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT kind, book, key, anchor,"
                " highlight(archive_search, 5, %s, %s), highlight(archive_search, 6, %s, %s)"
                " FROM archive_search WHERE archive_search MATCH %s AND (%s = '' OR kind = %s) LIMIT %s",
                [OPEN, SHUT, OPEN, SHUT, match, kind, kind, LOOKED_AT + 1],
            )
            rows = cursor.fetchall()
        hits = (
            Hit(kind, slug, key, anchor, _plain(title), stretches(text), _score(title, text, wanted))
            for kind, slug, key, anchor, title, text in rows[:LOOKED_AT]
        )
        return Found(tuple(hits), more=len(rows) > LOOKED_AT)


def _either(term: list[Words], longer: bool = False) -> str:
    """One term in the index's language. Every word is quoted, so that none of them can be a command; with
    `longer` a single word also finds those that begin with it."""
    phrases = (_phrase(words) + (" *" if longer and _may_go_on(words) else "") for words in term)
    return f"({' OR '.join(phrases)})"


def _may_go_on(words: Words) -> bool:
    return len(words) == 1 and len(words[0]) > 2


def _phrase(words: Words) -> str:
    return '"' + " ".join(words) + '"'


def _plain(marked: str) -> str:
    return marked.replace(OPEN, "").replace(SHUT, "")


def stretches(marked: str) -> Stretches:
    """A text with marks as stretches.

    >>> stretches("a \\x02bonus\\x03 of 50")
    (('a ', False), ('bonus', True), (' of 50', False))
    """
    pieces = marked.replace(SHUT, OPEN).split(OPEN)
    return tuple((piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece)


def _score(title: str, text: str, wanted: list[list[Words]]) -> float:
    """More of it, in whatever spelling, the words side by side, a short document: that is what was meant."""
    plain = " ".join(_plain(text).casefold().split())
    typed = wanted[0] if len(wanted) == 1 else [tuple(word for term in wanted for word in term[0])]
    score = min(text.count(OPEN), 6) + 3.0 * title.count(OPEN)
    score += 8.0 * any(" ".join(words) in plain for words in typed)
    score += 2.0 * sum(any(" ".join(words) in plain for words in term) for term in wanted)
    return score + 40.0 / (40 + len(plain))


def cut(text: Stretches, around: int = 90, most: int = 280) -> Stretches:
    """A snippet: from a few words before the first mark on, with dots where something is left out."""
    whole = "".join(piece for piece, _ in text)
    first = 0
    for piece, marked in text:
        if marked:
            break
        first += len(piece)
    if first == len(whole):
        first = 0
    start = 0 if first <= around or len(whole) <= most else whole.rfind(" ", 0, first - around) + 1
    end = len(whole) if len(whole) - start <= most else whole.rfind(" ", start, start + most)
    end = end if end > start else min(len(whole), start + most)
    pieces: list[tuple[str, bool]] = [("… ", False)] if start else []
    at = 0
    for piece, marked in text:
        inside = piece[max(0, start - at) : max(0, end - at)]
        if inside:
            pieces.append((inside, marked))
        at += len(piece)
    if end < len(whole):
        pieces.append((" …", False))
    return tuple(pieces)
