"""Words as an index keeps them: ours must be SQLite's, or the two databases would find different things."""

import re
import sqlite3

import pytest
from django.conf import settings

from archive.search.lexemes import tokens

ODD = "café naïve Ünion Köln Œuvre ﬁve 1½ 25¢ x² ie ied ies eed feed bled sing sky oed yes µm λόγος"


@pytest.fixture(scope="module")
def sqlite_terms():
    """The terms SQLite makes of a text, in their order."""
    rows = sqlite3.connect(":memory:")
    rows.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")
    rows.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(t, 'instance')")

    def terms(text):
        rows.execute("DELETE FROM t")
        rows.execute("INSERT INTO t (text) VALUES (?)", [text])
        return [term for (term,) in rows.execute("SELECT term FROM terms ORDER BY offset")]

    return terms


@pytest.mark.parametrize(
    "path", sorted((settings.FIXTURES / "books").rglob("*.*")), ids=lambda path: path.name
)
def test_every_word_of_the_books_is_indexed_as_sqlite_would(path, sqlite_terms):
    text = path.read_text()
    assert [token.lexeme for token in tokens(text)] == sqlite_terms(text)


def test_every_word_of_our_own_papers_is_indexed_as_sqlite_would(sqlite_terms):
    text = "\n".join(
        path.read_text() for path in settings.BASE_DIR.glob("**/*.md") if "node" not in str(path)
    )
    assert len(set(re.findall(r"\w+", text))) > 1_000
    assert [token.lexeme for token in tokens(text)] == sqlite_terms(text)


def test_odd_words_are_indexed_as_sqlite_would(sqlite_terms):
    assert [token.lexeme for token in tokens(ODD)] == sqlite_terms(ODD)


def test_a_token_says_where_it_stands():
    text = "The “players’ ” cards"
    assert [text[token.start : token.end] for token in tokens(text)] == ["The", "players", "cards"]
