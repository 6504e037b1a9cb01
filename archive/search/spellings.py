"""Queries as terms, with the words that books and readers spell differently taken as one."""

from __future__ import annotations

import re
import unicodedata

# Each row is one word: as it was printed somewhere in these years, and as a reader may type it today.
GROUPS = (
    ("rummy", "rum", "rhummy", "rummey"),
    ("cooncan", "coon can", "conquian", "conquien", "kon khin"),
    ("color", "colour"),
    ("colors", "colours"),
    ("colored", "coloured"),
    ("honor", "honour"),
    ("honors", "honours"),
    ("favor", "favour"),
    ("neighbor", "neighbour"),
    ("center", "centre"),
    ("gray", "grey"),
    ("today", "to day"),
    ("dominoes", "dominos"),
    ("mah jongg", "mah jong", "mahjong", "mahjongg", "ma jong"),
    # Words whose stems differ though they are one.
    ("tie", "ties", "tied"),
    ("die", "dies"),
    ("1st", "first"),
    ("2nd", "second"),
    ("5", "five"),
    ("10", "ten"),
    ("25", "twenty five"),
    ("50", "fifty"),
    ("500", "five hundred"),
)
WORD = re.compile(r"[^\W_]+")
TYPED = re.compile(r'["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\s"“”„«»]+)')
MAX_QUERY_LENGTH = 200
MAX_TERMS = 12
MAX_WORDS = 12

Words = tuple[str, ...]


def words(text: str) -> Words:
    return tuple(WORD.findall(unicodedata.normalize("NFC", text.casefold())))


def without_accents(phrase: Words) -> Words:
    """A phrase without accents, as the groups are written and as an index keeps words.

    >>> without_accents(("conquián",))
    ('conquian',)
    """
    apart = (unicodedata.normalize("NFD", word) for word in phrase)
    return tuple("".join(sign for sign in word if not unicodedata.combining(sign)) for word in apart)


GROUP_OF: dict[Words, tuple[Words, ...]] = {
    words(spelling): tuple(words(other) for other in group) for group in GROUPS for spelling in group
}
LONGEST = max(len(spelling) for spelling in GROUP_OF)


def terms(query: str) -> list[list[Words]]:
    """A query as terms; each term is the list of phrases that would satisfy it, as typed first.

    A word alone is a term; words in quotation marks, or joined by a hyphen, are one. Nothing else is special.

    >>> terms('colour "consecutive order"')
    [[('colour',), ('color',)], [('consecutive', 'order')]]
    """
    typed = [(words(quoted or bare), bool(quoted)) for quoted, bare in TYPED.findall(query)]
    found: list[list[Words]] = []
    single: list[str] = []
    for piece, quoted in typed:
        if not quoted and len(piece) == 1:
            single.append(piece[0])
            continue
        found += [spellings(term) for term in _joined(single)]
        single = []
        if piece:
            found.append(spellings(piece[:MAX_WORDS]))
    found += [spellings(term) for term in _joined(single)]
    return found[:MAX_TERMS]


def _joined(single: list[str]) -> list[Words]:
    """Single words, except where two or more of them are one spelling: coon can."""
    pieces: list[Words] = []
    at = 0
    while at < len(single):
        sizes = range(min(LONGEST, len(single) - at), 1, -1)
        size = next((size for size in sizes if without_accents(tuple(single[at : at + size])) in GROUP_OF), 1)
        pieces.append(tuple(single[at : at + size]))
        at += size
    return pieces


def spellings(phrase: Words) -> list[Words]:
    """The phrase as typed, then with one or another of its words spelt otherwise."""
    ways: list[Words] = [()]
    at = 0
    while at < len(phrase):
        sizes = range(min(LONGEST, len(phrase) - at), 0, -1)
        size = next((size for size in sizes if without_accents(phrase[at : at + size]) in GROUP_OF), 1)
        piece = phrase[at : at + size]
        folded = without_accents(piece)
        others = [piece, *(other for other in GROUP_OF.get(folded, ()) if other != folded)]
        ways = [way + other for way in ways for other in others][:16]
        at += size
    return list(dict.fromkeys(ways))
