"""PostgreSQL's search against SQLite's over the same documents: the same hits, the same marked letters."""

import itertools
import re
import sqlite3

import pytest
from django.db import connection

import archive.search.sqlite
from archive import search
from archive.models import Book
from archive.search import SearchFilters
from archive.search.sqlite import SqliteIndex

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="compares PostgreSQL with SQLite"),
]

QUESTIONS = [
    "red", "color", "colour", "colours", "rum", "rummy", "conquian", "coon can", "fifty", "25", "twenty five",
    "consec", "consecutively", "victor", '"consecutive order"', '"order consecutive"', '"grand victory" red',
    "grand-victory", "cooncan liberty", "joker dragon", "the", "of the", '"of the"', "playing cards", "ca",
    '"red white', "card*", "NEAR(red blue)", "text : red", "'; DROP TABLE archive_search; --", "red & !b:*",
    "\\", "red\\", "'red'", "ﬁve", "café", "1st", "first player", "axis", "no such word anywhere", "x" * 300,
    "tie", "ties", "discrad", "grand victry", "victory rummy", "WHITEW", "1916", "lowest hand wins",
]  # fmt: skip


class Rows:
    """A SQLite database that answers as Django's connection would."""

    def __init__(self):
        self.rows = sqlite3.connect(":memory:")
        self.rows.execute(
            "CREATE VIRTUAL TABLE archive_search USING fts5("
            "scope, book UNINDEXED, kind UNINDEXED, key UNINDEXED, anchor UNINDEXED, title, text, "
            "tokenize = 'porter unicode61 remove_diacritics 2')"
        )

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.rows.commit()

    def execute(self, words, values=()):
        self.found = self.rows.execute(words.replace("%s", "?"), list(values))

    def executemany(self, words, values):
        self.rows.executemany(words.replace("%s", "?"), values)

    def fetchall(self):
        return self.found.fetchall()


@pytest.fixture
def both(loaded, monkeypatch):
    monkeypatch.setattr(archive.search.sqlite, "connection", Rows())
    ours, theirs = search.index(), SqliteIndex()
    # Tests with commits of their own may have left something behind; this begins with nothing.
    ours.rebuild()
    for book in Book.objects.order_by("pk"):
        theirs.write(book)
    return ours, theirs


def test_the_same_questions_get_the_same_answers(both):
    ours, theirs = both
    thumbs_up = Book.objects.get(slug="thumbs-up-1941")
    for question, book, kind in itertools.product(QUESTIONS, (None, thumbs_up), ("", "passage", "note")):
        asked = ours.find(question, book=book, kind=kind, limit=60)
        assert asked == theirs.find(question, book=book, kind=kind, limit=60), (question, book, kind)


def test_every_word_and_every_two_words_of_a_book_get_the_same_answers(both):
    ours, theirs = both
    book = Book.objects.get(slug="victory-rummy-1942")
    text = " ".join(passage.reading for passage in book.passages.all())
    words = list(dict.fromkeys(re.findall(r"[^\W_]+", text)))
    pairs = [f'"{first} {second}"' for first, second in itertools.pairwise(text.split()[:160])]
    beginnings = list(dict.fromkeys(word[:4] for word in words))
    for question in [*words[:250], *pairs, *beginnings[:120]]:
        assert ours.find(question, book=book) == theirs.find(question, book=book), question
    assert len(words) > 200


def test_pages_filters_and_suggestions_are_the_same(both):
    ours, theirs = both
    filters = (
        SearchFilters(),
        SearchFilters(first=1910, last=1926),
        SearchFilters(kind="printed", last=1941),
    )
    for question, narrowed in itertools.product(("the", "victory", "discrad", "conseq order"), filters):
        pages = [index.page(question, narrowed, size=15) for index in both]
        for _ in range(8):
            first, second = pages
            assert [first.hits, first.suggestion, first.next is None] == [
                *(second.hits, second.suggestion, second.next is None)
            ], question
            if first.next is None or second.next is None:
                break
            pages = [
                ours.page(question, narrowed, first.next, 15),
                theirs.page(question, narrowed, second.next, 15),
            ]
