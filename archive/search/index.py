"""What every index takes and gives, and how a question is asked of it: narrowly first, then more loosely."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import connection

from archive.models import Book
from archive.reader.markdown import to_text
from archive.search.snippets import OPEN, Stretches, cut, plain, stretches
from archive.search.spellings import Words, terms

KINDS = ("passage", "note", "variant", "brief")
# So many matches are looked at and ranked; a word that stands on every page costs no more than this. Whoever
# asks for more gets the next so many, ranked by themselves, so that those before keep their order.
LOOKED_AT = 100


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


@dataclass(frozen=True)
class Wanted:
    """What a document must have: of each term one phrase, or with `loosely` of any term. With `longer` a
    single word is also found as the beginning of a longer one. At most so many are looked at."""

    terms: list[list[Words]]
    most: int = LOOKED_AT
    longer: bool = False
    loosely: bool = False

    def goes_on(self, words: Words) -> bool:
        return self.longer and len(words) == 1 and len(words[0]) > 2


Row = tuple[str, str, str, str, str, str]
"""Kind, book, key, anchor; title and text with marks."""

Match = Callable[[Wanted], list[Row]]


class SearchIndex(ABC):
    """What both databases have in common: a table `archive_search`, and how a question is asked of it."""

    @abstractmethod
    def add(self, book: Book) -> None:
        """Index this book as it stands, instead of what was indexed of it before."""

    @abstractmethod
    def match(self, wanted: Wanted, book: Book | None, kind: str) -> list[Row]:
        """Documents that have what is wanted, with marks, in a lasting order; at most one more than are
        looked at."""

    def rebuild(self) -> None:
        """Index every book anew."""
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM archive_search")
        for book in Book.objects.all():
            self.add(book)

    def find(self, query: str, book: Book | None = None, kind: str = "", limit: int = 50) -> Found:
        """The best documents first. Any query is harmless; one without a word finds nothing."""
        return find(lambda wanted: self.match(wanted, book, kind), query, limit)


def find(match: Match, query: str, limit: int) -> Found:
    """The answer of an index that gives at most one row more than are looked at."""
    wanted = terms(query)
    if not wanted:
        return Found(())
    most = LOOKED_AT * max(1, -(-limit // LOOKED_AT))
    found = _ranked(match(Wanted(wanted, most)), wanted, most)
    if len(found.hits) < LOOKED_AT:
        # Longer words are looked for only where these are not enough: the index has to read all of them.
        # However many are shown, this stays the same.
        found = _ranked(match(Wanted(wanted, most, longer=True)), wanted, most)
    loosely = not found.hits and len(wanted) > 1
    if loosely:
        found = _ranked(match(Wanted(wanted, most, longer=True, loosely=True)), wanted, most)
    best = found.hits[:limit]
    return Found(best, loosely and bool(best), found.more or len(found.hits) > limit)


def _ranked(rows: list[Row], wanted: list[list[Words]], most: int) -> Found:
    hits: list[Hit] = []
    for first in range(0, min(len(rows), most), LOOKED_AT):
        looked_at = (
            Hit(kind, slug, key, anchor, plain(title), stretches(text), _score(title, text, wanted))
            for kind, slug, key, anchor, title, text in rows[first : min(first + LOOKED_AT, most)]
        )
        hits += sorted(looked_at, key=lambda hit: -hit.score)
    return Found(tuple(hits), more=len(rows) > most)


def _score(title: str, text: str, wanted: list[list[Words]]) -> float:
    """More of it, in whatever spelling, the words side by side, a short document: that is what was meant."""
    whole = " ".join(plain(text).casefold().split())
    typed = wanted[0] if len(wanted) == 1 else [tuple(word for term in wanted for word in term[0])]
    score = min(text.count(OPEN), 6) + 3.0 * title.count(OPEN)
    score += 8.0 * any(" ".join(words) in whole for words in typed)
    score += 2.0 * sum(any(" ".join(words) in whole for words in term) for term in wanted)
    return score + 40.0 / (40 + len(whole))


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
