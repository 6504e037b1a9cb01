"""The search index that both databases share: documents, ranking, and a search that is strict first and then
loose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import connection

from archive.models import Book
from archive.reader.markdown import to_text
from archive.search.snippets import OPEN, Stretches, snippet, stretches, without_marks
from archive.search.spellings import Words, terms

KINDS = ("passage", "note", "variant", "brief")
RANKED_TOGETHER = 100
"""So many matches are read and ranked; a word that stands on every page costs no more than this. A request
for more gets the next so many, ranked by themselves, so that those before keep their order."""


@dataclass(frozen=True)
class SearchDocument:
    """One thing that can be found. `key` is an anchor, a note's slug, a variant's slug or a game;
    `anchor` is the passage it belongs to, where there is one."""

    kind: str
    key: str
    anchor: str
    title: str
    text: str


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
class SearchTerms:
    """Terms a document must have: of each term one phrase, or with `loosely` of any term. With `longer` a
    single word is also found as the beginning of a longer one. At most `limit` documents are read."""

    terms: list[list[Words]]
    limit: int = RANKED_TOGETHER
    longer: bool = False
    loosely: bool = False

    def allows_longer(self, words: Words) -> bool:
        return self.longer and len(words) == 1 and len(words[0]) > 2


IndexedRow = tuple[str, str, str, str, str, str]
"""Kind, book, key, anchor; title and text with marks."""

Match = Callable[[SearchTerms], list[IndexedRow]]


class SearchIndex(ABC):
    """The table `archive_search` of either database, and a search of it."""

    @abstractmethod
    def add(self, book: Book) -> None:
        """Index this book as it stands, instead of what was indexed of it before."""

    @abstractmethod
    def remove(self, book: Book) -> None:
        """Find nothing of this book any more."""

    @abstractmethod
    def match(self, wanted: SearchTerms, book: Book | None, kind: str) -> list[IndexedRow]:
        """Documents that have these terms, with marks, in a lasting order; at most one more than `limit`."""

    def rebuild(self) -> None:
        """Index every book anew."""
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search")
        for book in Book.objects.public():
            self.add(book)

    def find(self, query: str, book: Book | None = None, kind: str = "", limit: int = 50) -> SearchResult:
        """The best documents first. Any query is harmless; one without a word finds nothing."""
        return find(lambda wanted: self.match(wanted, book, kind), query, limit)


def find(match: Match, query: str, limit: int) -> SearchResult:
    """The result of an index that gives at most one row more than it is asked for."""
    wanted = terms(query)
    if not wanted:
        return SearchResult(())
    read_max = RANKED_TOGETHER * max(1, -(-limit // RANKED_TOGETHER))
    found = _ranked(match(SearchTerms(wanted, read_max)), wanted, read_max)
    if len(found.hits) < RANKED_TOGETHER:
        # Longer words are searched only where these are not enough: the index has to read all of them.
        # However many are shown, this stays the same.
        found = _ranked(match(SearchTerms(wanted, read_max, longer=True)), wanted, read_max)
    loosely = not found.hits and len(wanted) > 1
    if loosely:
        found = _ranked(match(SearchTerms(wanted, read_max, longer=True, loosely=True)), wanted, read_max)
    best = found.hits[:limit]
    return SearchResult(best, loosely and bool(best), found.more or len(found.hits) > limit)


def _ranked(rows: list[IndexedRow], wanted: list[list[Words]], read_max: int) -> SearchResult:
    hits: list[Hit] = []
    for first in range(0, min(len(rows), read_max), RANKED_TOGETHER):
        batch = (
            Hit(kind, slug, key, anchor, without_marks(title), stretches(text), _score(title, text, wanted))
            for kind, slug, key, anchor, title, text in rows[first : min(first + RANKED_TOGETHER, read_max)]
        )
        hits += sorted(batch, key=lambda hit: -hit.score)
    return SearchResult(tuple(hits), more=len(rows) > read_max)


def _score(title: str, text: str, wanted: list[list[Words]]) -> float:
    """A score that rises with more matches in any spelling, words side by side, and a shorter document."""
    whole = " ".join(without_marks(text).casefold().split())
    typed = wanted[0] if len(wanted) == 1 else [tuple(word for term in wanted for word in term[0])]
    score = min(text.count(OPEN), 6) + 3.0 * title.count(OPEN)
    score += 8.0 * any(" ".join(words) in whole for words in typed)
    score += 2.0 * sum(any(" ".join(words) in whole for words in term) for term in wanted)
    return score + 40.0 / (40 + len(whole))


def documents(book: Book) -> Iterator[SearchDocument]:
    passages = {passage.pk: passage for passage in book.passages.all()}
    for passage in passages.values():
        if passage.reading:
            yield SearchDocument("passage", passage.anchor, passage.anchor, passage.section, passage.reading)
    for note in book.notes.all():
        place = passages.get(note.passage_id) if note.passage_id else None
        readings = "".join(f" {reading['title']}: {reading['text']}" for reading in note.readings)
        body = to_text(note.body) + readings
        yield SearchDocument("note", note.slug, place.anchor if place else "", note.title, body)
    for variant in book.variants.all():
        yield SearchDocument("variant", variant.slug, "", variant.title, to_text(variant.reasons))
    for line in book.brief_lines.all():
        anchor = line.cites[0].partition("/")[2] if line.cites else ""
        yield SearchDocument("brief", line.game, anchor, line.title, line.text)
