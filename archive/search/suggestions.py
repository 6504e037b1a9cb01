"""Suggestions: *Did you mean*, the nearest words of the vocabulary to a query with unknown ones.

Both databases are asked the same plain questions, so both suggest the same word.
"""

from __future__ import annotations

from django.db import connection

from archive.search import vocabulary
from archive.search.spellings import MAX_TERMS, WORD, without_accents, words
from archive.search.stems import stem

SHORT_LETTERS = 4
"""In a word this short a changed letter makes another word (wild, will): only one lost, one too many, or two
in the wrong order count as errors."""
LETTERS_FOR_TWO = 6
"""A word of so many letters may have two errors, a shorter one only one."""
CANDIDATES_MOST = 60


def suggestion(query: str) -> str:
    """The query with its unknown words replaced by the nearest of the vocabulary; empty if none is near."""
    typed = list(dict.fromkeys(words(query)))[:MAX_TERMS]
    nearest = {word: near for word in typed if (near := _nearest(without_accents((word,))[0]))}
    if not nearest:
        return ""
    return WORD.sub(lambda found: nearest.get(found[0].casefold(), found[0]), query)


def _nearest(word: str) -> str:
    """The word of the vocabulary that this one was meant to be; empty if it is known, or nothing is near."""
    if not vocabulary.is_wanted(word):
        return ""
    pieces = vocabulary.trigrams(word)
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
        often = vocabulary.found(cursor, [other for _, other in near])
    best = min(near, key=lambda pair: (pair[0], -often.get(pair[1], 0), pair[1]), default=None)
    return best[1] if best else ""


def _is_slip(word: str, other: str) -> bool:
    return len(word) > SHORT_LETTERS or len(word) != len(other) or sorted(word) == sorted(other)


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
