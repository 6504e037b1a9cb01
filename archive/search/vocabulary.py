"""The vocabulary of the archive: its words with their trigrams, to answer a word that was misspelt.

It holds the words of public books alone, without the source texts, whose errors are nobody's suggestion.
Both databases are asked the same plain questions, so both suggest the same word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection
from django.db.backends.utils import CursorWrapper

from archive.search.spellings import MAX_TERMS, WORD, without_accents, words
from archive.search.stems import stem, stems

LEAST_LETTERS = 3
MOST_LETTERS = 40
SHORT_LETTERS = 4
"""In a word this short a changed letter makes another word (wild, will): only one lost, one too many, or two
in the wrong order count as errors."""
LETTERS_FOR_TWO = 6
"""A word of so many letters may have two errors, a shorter one only one."""
CANDIDATES_MOST = 60
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


def suggestion(query: str) -> str:
    """The query with its unknown words replaced by the nearest of the vocabulary; empty if none is near."""
    typed = list(dict.fromkeys(words(query)))[:MAX_TERMS]
    nearest = {word: near for word in typed if (near := _nearest(without_accents((word,))[0]))}
    if not nearest:
        return ""
    return WORD.sub(lambda found: nearest.get(found[0].casefold(), found[0]), query)


def _nearest(word: str) -> str:
    """The word of the vocabulary that this one was meant to be; empty if it is known, or nothing is near."""
    if not is_wanted(word):
        return ""
    pieces = trigrams(word)
    wrong_most = 2 if len(word) >= LETTERS_FOR_TWO else 1
    marks = ", ".join(["%s"] * len(pieces))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM archive_search_word WHERE word = %s OR stem = %s LIMIT 1", [word, stem(word)]
        )
        if cursor.fetchone():
            return ""
        bytewise = 'word COLLATE "C"' if connection.vendor == "postgresql" else "word COLLATE BINARY"
        cursor.execute(
            f"SELECT word FROM archive_search_trigram WHERE trigram IN ({marks})"  # noqa: S608 - marks of our own
            f" AND letters BETWEEN %s AND %s GROUP BY word ORDER BY count(*) DESC, {bytewise} LIMIT %s",
            [*pieces, len(word) - wrong_most, len(word) + wrong_most, CANDIDATES_MOST],
        )
        near = [(distance(word, row[0]), row[0]) for row in cursor.fetchall()]
        near = [(wrong, other) for wrong, other in near if wrong <= wrong_most and _is_slip(word, other)]
        often = _found(cursor, [other for _, other in near])
    best = min(near, key=lambda pair: (pair[0], -often.get(pair[1], 0), pair[1]), default=None)
    return best[1] if best else ""


def _is_slip(word: str, other: str) -> bool:
    return len(word) > SHORT_LETTERS or len(word) != len(other) or sorted(word) == sorted(other)


def _found(cursor: CursorWrapper, asked: Sequence[str]) -> dict[str, int]:
    if not asked:
        return {}
    marks = ", ".join(["%s"] * len(asked))
    cursor.execute(f"SELECT word, found FROM archive_search_word WHERE word IN ({marks})", asked)  # noqa: S608 - marks of our own
    return dict(cursor.fetchall())


def distance(one: str, other: str) -> int:
    """How many letters were added, left out, changed, or typed in the wrong order.

    >>> distance("discrad", "discard"), distance("recieve", "receive"), distance("jokr", "joker")
    (1, 1, 1)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        older, before, row = before, row, [at]
        for place, wanted in enumerate(other, 1):
            best = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != wanted))
            swapped = at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == wanted
            row.append(min(best, older[place - 2] + 1) if swapped else best)
    return row[-1]


def _known(asked: Sequence[str]) -> set[str]:
    known: set[str] = set()
    with connection.cursor() as cursor:
        for at in range(0, len(asked), AT_ONCE):
            some = asked[at : at + AT_ONCE]
            known.update(_found(cursor, some))
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
