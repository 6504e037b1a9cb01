"""The vocabulary of the archive: its words with their trigrams, from which a misspelt word is answered.

It holds the words of public books alone, without the source texts, whose errors are nobody's suggestion.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection
from django.db.backends.utils import CursorWrapper

from archive.search.spellings import without_accents, words
from archive.search.stems import stems

LEAST_LETTERS = 3
"""Shorter words are not kept. A change of it counts up `index.FORM`: the index is made anew."""
MOST_LETTERS = 40
AT_ONCE = 200
"""So many rows are written by one statement."""
NOT_SUGGESTED = ("printed", "stamp")
LETTERS = re.compile(r"[^\W\d_]+")


def count(indexed: Iterable[tuple[str, str, str]]) -> Counter[str]:
    """How often each word stands in these documents: kind, title and text."""
    found: Counter[str] = Counter()
    for kind, title, text in indexed:
        if kind not in NOT_SUGGESTED:
            found.update(word for word in without_accents(words(f"{title} {text}")) if is_wanted(word))
    return found


def is_wanted(word: str) -> bool:
    return LEAST_LETTERS <= len(word) <= MOST_LETTERS and LETTERS.fullmatch(word) is not None


def trigrams(word: str) -> list[str]:
    """The trigrams of a word, its edges included.

    >>> trigrams("tie")
    ['  t', ' ti', 'tie', 'ie ']
    """
    padded = f"  {word} "
    return list(dict.fromkeys(padded[at : at + 3] for at in range(len(padded) - 2)))


def change(before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Count what was added to the archive and what was taken away."""
    # In one order everywhere, so that two that publish at once never wait for each other in a ring.
    differ = sorted(word for word in {*before, *after} if before.get(word, 0) != after.get(word, 0))
    if not differ:
        return
    known = _known(differ)
    new = [word for word in differ if word not in known]
    _insert("archive_search_word", ("word", "stem", "found"), [(w, s, 0) for w, s in stems(new).items()])
    pieces = [(piece, len(word), word) for word in new for piece in trigrams(word)]
    _insert("archive_search_trigram", ("trigram", "letters", "word"), pieces)
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE archive_search_word SET found = found + %s WHERE word = %s",
            [(after.get(word, 0) - before.get(word, 0), word) for word in differ],
        )
        cursor.execute(
            "DELETE FROM archive_search_trigram"
            " WHERE word IN (SELECT word FROM archive_search_word WHERE found <= 0)"
        )
        cursor.execute("DELETE FROM archive_search_word WHERE found <= 0")


def clear() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM archive_search_trigram")
        cursor.execute("DELETE FROM archive_search_word")


def form() -> int:
    """The form of the index that is stored; 0 if none was noted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(form) FROM archive_search_form")
        return int(cursor.fetchone()[0] or 0)


def remember_form(form: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM archive_search_form")
        cursor.execute("INSERT INTO archive_search_form (form) VALUES (%s)", [form])


def found(cursor: CursorWrapper, asked: Sequence[str]) -> dict[str, int]:
    if not asked:
        return {}
    marks = ", ".join(["%s"] * len(asked))
    cursor.execute(f"SELECT word, found FROM archive_search_word WHERE word IN ({marks})", asked)  # noqa: S608 - marks of our own
    return dict(cursor.fetchall())


def _known(asked: Sequence[str]) -> set[str]:
    known: set[str] = set()
    with connection.cursor() as cursor:
        for at in range(0, len(asked), AT_ONCE):
            some = asked[at : at + AT_ONCE]
            known.update(found(cursor, some))
    return known


def _insert(table: str, columns: Sequence[str], rows: Sequence[tuple[str | int, ...]]) -> None:
    """Insert rows; one that another process has put there first stays."""
    with connection.cursor() as cursor:
        for at in range(0, len(rows), AT_ONCE):
            some = rows[at : at + AT_ONCE]
            marks = ", ".join([f"({', '.join(['%s'] * len(columns))})"] * len(some))
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES {marks} ON CONFLICT DO NOTHING",  # noqa: S608 - names of our own
                [value for row in some for value in row],
            )
