"""Sentences of a reading text, and those of them that a person paired, found again in it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from archive.edition import QuotedSentence, SentencePair
from archive.edition.records import JOINED_MAX
from archive.models import Book, Passage

SENTENCE = re.compile(r"(?<=[.!?:])[)”\"]*\s+(?=[(“\"]?[A-Z0-9])")
WORD = re.compile(r"\w+")
MAX_SENTENCE_WORDS = 120
"""A longer sentence is cut, so that no two are dear to compare."""


@dataclass(frozen=True)
class Sentence:
    """A sentence; the passage it stands in, with all the names of that; and its number there, from 1."""

    anchor: str
    text: str
    number: int = 1
    names: tuple[str, ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        return words_of(self.text)

    @property
    def key(self) -> str:
        """Names the sentence as long as it stands where it does, in these words."""
        return f"{self.anchor}.{self.number}.{digest_of(self.words)}"


@dataclass(frozen=True)
class FoundPair:
    """A decision of a person whose sentences still stand in both texts: their places there, those of the book
    on the left first, whichever book has the record."""

    pair: SentencePair
    first: tuple[int, ...]
    second: tuple[int, ...]


def words_of(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.casefold()))


def digest_of(words: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:8]


def sentences(book: Book) -> list[Sentence]:
    """The sentences of a book's reading text, without its tables."""
    return [
        sentence
        for passage in book.passages.all()
        if passage.kind == "text" and "\t" not in passage.reading
        for sentence in _of_passage(passage)
    ]


def _of_passage(passage: Passage) -> Iterator[Sentence]:
    pieces = (
        piece.strip()
        for whole in SENTENCE.split(" ".join(passage.reading.split()))
        for piece in _cut(whole)
        if WORD.search(piece)
    )
    names = (*passage.anchors, *passage.aliases)
    for number, piece in enumerate(pieces, 1):
        yield Sentence(passage.anchor, piece, number, names)


def _cut(text: str) -> list[str]:
    words = text.split(" ")
    starts = range(0, len(words), MAX_SENTENCE_WORDS)
    return [" ".join(words[start : start + MAX_SENTENCE_WORDS]) for start in starts]


def has_pairs_of(book: Book, other: Book) -> bool:
    """True if the pairs of these two stand in the folder of this book: of the two it is the last in the
    alphabet, because a book's name in addresses never changes."""
    return book.slug > other.slug


def unseen_books(pairs: Iterable[SentencePair]) -> set[str]:
    """The rulebooks quoted in these pairs that readers may not see: drafts, and what was withdrawn."""
    others = {pair.other for pair in pairs}
    books = Book.objects.filter(slug__in=others).exclude(state=Book.PUBLIC)
    return set(books.values_list("slug", flat=True)) if others else set()


def find_pairs(
    pairs: Iterable[SentencePair],
    first: Sequence[Sentence],
    second: Sequence[Sentence],
    mirrored: bool = False,
) -> tuple[list[FoundPair], list[SentencePair]]:
    """The pairs whose sentences still stand in both texts, side by side where there are several; and those
    that no longer do. Mirrored pairs are kept by the book on the right."""
    found, lost = [], []
    left, right = dict(enumerate(first)), dict(enumerate(second))
    for pair in pairs:
        sides = (pair.there, pair.here) if mirrored else (pair.here, pair.there)
        one, other = _places(sides[0], left), _places(sides[1], right)
        if one is None or other is None:
            lost.append(pair)
            continue
        found.append(FoundPair(pair, one, other))
        for places, free in ((one, left), (other, right)):
            for place in places:
                del free[place]
    return found, lost


def _places(quoted: Sequence[QuotedSentence], among: dict[int, Sentence]) -> tuple[int, ...] | None:
    places: list[int] = []
    for one in quoted[: JOINED_MAX + 1]:
        place = _place(one, among, places)
        if place is None or (places and place != places[-1] + 1):
            return None
        places.append(place)
    return tuple(places) if len(places) <= JOINED_MAX else None


def _place(one: QuotedSentence, among: dict[int, Sentence], taken: Sequence[int]) -> int | None:
    """Where these words stand: in their passage, with their number if it has them twice, or else at the one
    place that has them."""
    words = words_of(one.text)
    same = [place for place, other in among.items() if other.words == words and place not in taken]
    own = [place for place in same if one.anchor in among[place].names]
    if own:
        return next((place for place in own if among[place].number == one.number), own[0])
    return same[0] if len(same) == 1 else None
