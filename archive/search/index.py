"""The search index that both databases share: levels of a search, ranking, pages of hits.

A search goes level by level: titles, the words side by side, all the words, longer words. Each level is read
a hundred documents at a time, in the order in which they were indexed, and each hundred is ranked by itself:
so a page costs the same however many there are, and however far one has read.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from django.db import connection

from archive.models import Book
from archive.search import suggestions, vocabulary
from archive.search.documents import SearchFilters
from archive.search.snippets import OPEN, Stretches, snippet, stretches, without_marks
from archive.search.spellings import MAX_WORDS, Words, spellings, terms
from archive.search.stems import stem

RANKED_TOGETHER = 100
"""So many matches are read and ranked; a word that stands on every page costs no more than this."""
FORM = 2
"""The form of what is indexed. An index of another form is made anew when the site starts."""
CURSOR = re.compile(r"([0-4])\.(\d{1,18})\.(\d{1,3})\.(\d{1,9})", re.ASCII)
MATCHES_COUNTED = 6
SHORT = 40


class Level(IntEnum):
    """How closely documents match, the closest first. Loosely is tried where nothing else was found."""

    TITLE, PHRASE, WORDS, LONGER, LOOSELY = range(5)


@dataclass(frozen=True)
class Hit:
    """A document that was found; `text` is cut into stretches, each with a flag that says if it matched."""

    kind: str
    book: str
    key: str
    anchor: str
    title: str
    text: Stretches
    score: float

    @property
    def snippet(self) -> Stretches:
        return snippet(self.text)


@dataclass(frozen=True)
class SearchResult:
    """The hits of a search. `loosely` says that no document has all the terms and these have some; `more`,
    that there are more than these."""

    hits: tuple[Hit, ...]
    loosely: bool = False
    more: bool = False


@dataclass(frozen=True)
class Cursor:
    """A place in the hits of a search: in the documents of a level behind row `after`, the hit at `offset`.
    `shown` hits are before it."""

    level: Level = Level.TITLE
    after: int = 0
    offset: int = 0
    shown: int = 0

    def __str__(self) -> str:
        return f"{self.level:d}.{self.after}.{self.offset}.{self.shown}"


def read_cursor(typed: str) -> Cursor:
    """A cursor as it is written in an address; the first page for anything else."""
    match = CURSOR.fullmatch(typed)
    if match is None:
        return Cursor()
    level, after, offset, shown = map(int, match.groups())
    return Cursor(Level(level), after, offset, shown)


@dataclass(frozen=True)
class SearchPage:
    """Some hits of a search, and where the next page begins. `suggestion` is the query with its unknown words
    replaced."""

    hits: tuple[Hit, ...]
    begin: Cursor
    next: Cursor | None = None
    suggestion: str = ""

    @property
    def loosely(self) -> bool:
        return self.begin.level == Level.LOOSELY and bool(self.hits)


@dataclass(frozen=True)
class Question:
    """Documents to be read: those that have these terms at this level, and none that has them at a closer
    one, behind row `after`, at most `limit` and one. Of each term one phrase must be there; `marks` are the
    filters'."""

    terms: list[list[Words]]
    level: Level = Level.WORDS
    marks: tuple[tuple[str, ...], ...] = ()
    after: int = 0
    limit: int = RANKED_TOGETHER

    @property
    def phrase(self) -> list[Words]:
        """All words side by side, as they were typed or spelt otherwise; none if that is the only term."""
        if len(self.terms) < 2:
            return []
        return spellings(tuple(word for term in self.terms for word in term[0])[:MAX_WORDS])

    @property
    def exists(self) -> bool:
        """False of a level that can find nothing more than the ones before."""
        if self.level == Level.PHRASE:
            return bool(self.phrase)
        if self.level == Level.LONGER:
            return any(is_beginning(words) for term in self.terms for words in term)
        return True


def is_beginning(words: Words) -> bool:
    """True of a single word that may begin a longer one. An index keeps stems: of a word that has another one
    (ties, title), the stem would begin words that the word does not."""
    return len(words) == 1 and len(words[0]) > 2 and stem(words[0]) == words[0]


IndexedRow = tuple[int, str, str, str, str, str, str]
"""Row, kind, book, key, anchor; title and text with marks."""


class SearchIndex(ABC):
    """The table `archive_search` of either database, and a search of it."""

    def add(self, book: Book) -> None:
        """Index this book as it stands, instead of what was indexed of it before."""
        before = vocabulary.count(self.indexed(book))
        self.write(book)
        vocabulary.change(before, vocabulary.count(self.indexed(book)))

    def remove(self, book: Book) -> None:
        """Find nothing of this book any more."""
        before = vocabulary.count(self.indexed(book))
        self.delete(book)
        vocabulary.change(before, {})

    @abstractmethod
    def write(self, book: Book) -> None:
        """Write the documents of this book in place of what is there."""

    @abstractmethod
    def delete(self, book: Book) -> None:
        """Delete the documents of this book."""

    @abstractmethod
    def indexed(self, book: Book) -> list[tuple[str, str, str]]:
        """Kind, title and text of the documents of this book that are in the index."""

    @abstractmethod
    def match(self, question: Question) -> list[IndexedRow]:
        """Documents that answer a question, in a lasting order; at most one more than its limit."""

    def rebuild(self) -> None:
        """Index every book anew."""
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search")
        vocabulary.clear()
        for book in Book.objects.public():
            self.add(book)
        vocabulary.remember_form(FORM)

    def refresh(self) -> bool:
        """Index every book anew if the index has another form than this version makes; True if it had."""
        if vocabulary.form() == FORM:
            return False
        self.rebuild()
        return True

    def find(self, query: str, book: Book | None = None, kind: str = "", limit: int = 50) -> SearchResult:
        """The best documents first. Any query is harmless; one without a word finds nothing."""
        found = self.page(query, SearchFilters(book, kind), size=limit)
        return SearchResult(found.hits, found.loosely, found.next is not None)

    def page(
        self, query: str, filters: SearchFilters | None = None, begin: Cursor | None = None, size: int = 30
    ) -> SearchPage:
        """So many hits from a cursor on."""
        begin, wanted = begin or Cursor(), terms(query)
        if not wanted:
            return SearchPage((), begin)
        question = Question(wanted, marks=(filters or SearchFilters()).marks)
        found = self._take(question, begin, size)
        if not found and not begin.shown and len(wanted) > 1:
            begin = Cursor(Level.LOOSELY)
            found = self._take(question, begin, size)
        further = found[size][0] if len(found) > size else None
        if further:
            further = replace(further, shown=begin.shown + size)
        hits = tuple(hit for _, hit in found[:size])
        is_known = any(hit.kind != "printed" for hit in hits) and begin.level != Level.LOOSELY
        suggestion = "" if is_known or begin.shown else suggestions.suggestion(query)
        return SearchPage(hits, begin, further, suggestion)

    def _take(self, question: Question, begin: Cursor, size: int) -> list[tuple[Cursor, Hit]]:
        """So many hits and one more, each with its place."""
        found: list[tuple[Cursor, Hit]] = []
        for start, hits in self._batches(question, begin):
            found += [(replace(start, offset=place), hit) for place, hit in enumerate(hits)][start.offset :]
            if len(found) > size:
                break
        return found[: size + 1]

    def _batches(self, question: Question, begin: Cursor) -> Iterator[tuple[Cursor, list[Hit]]]:
        """The hits of each hundred documents, ranked, from a cursor on to the end of the last level."""
        last = Level.LOOSELY if begin.level == Level.LOOSELY else Level.LONGER
        at: Cursor | None = begin
        while at is not None:
            asked = replace(question, level=at.level, after=at.after)
            rows = self.match(asked) if asked.exists else []
            read, further = _cut(rows, asked.limit)
            yield at, _ranked(read, question.terms)
            if further:
                at = Cursor(at.level, read[-1][0])
            else:
                at = Cursor(Level(at.level + 1)) if at.level < last else None


def _cut(rows: list[IndexedRow], limit: int) -> tuple[list[IndexedRow], bool]:
    """The rows of a hundred, and if there are more. The source text of a passage stays with its passage."""
    if len(rows) <= limit:
        return rows, False
    together = rows[limit][1] == "printed" and rows[limit][2:4] == rows[limit - 1][2:4]
    return (rows, True) if together else (rows[:limit], True)


def _ranked(rows: list[IndexedRow], wanted: list[list[Words]]) -> list[Hit]:
    """The rows as hits, the best first. A passage that was found in its reading text is not listed again for
    its source text."""
    passages = {(slug, key) for _, kind, slug, key, *_ in rows if kind == "passage"}
    hits = [
        Hit(kind, slug, key, anchor, without_marks(title), stretches(text), _score(kind, title, text, wanted))
        for _, kind, slug, key, anchor, title, text in rows
        if kind != "printed" or (slug, key) not in passages
    ]
    return sorted(hits, key=lambda hit: -hit.score)


KIND_SCORES = {"book": 2.0, "passage": 2.0, "variant": 1.0, "brief": 1.0, "stamp": -1.0, "source": -1.0}


def _score(kind: str, title: str, text: str, wanted: list[list[Words]]) -> float:
    """A score that rises with more matches in any spelling, words side by side, and a shorter document."""
    whole = " ".join(without_marks(text).casefold().split())
    typed = wanted[0] if len(wanted) == 1 else [tuple(word for term in wanted for word in term[0])]
    score = min(text.count(OPEN), MATCHES_COUNTED) + KIND_SCORES.get(kind, 0.0)
    if OPEN in title:
        # A title that has little beside what was looked for comes first.
        score += (
            4.0 * (kind == "book")
            + 3.0 * title.count(OPEN)
            + 12.0 * title.count(OPEN) / max(len(title.split()), 1)
        )
    score += 8.0 * any(" ".join(words) in whole for words in typed)
    score += 2.0 * sum(any(" ".join(words) in whole for words in term) for term in wanted)
    return score + SHORT / (SHORT + len(whole))
