"""Lookalikes: names that are written otherwise and look the same, by Unicode's UTS 39.

The skeleton of a name is what is left when letters that look alike are one: Cyrillic а and Latin a, Greek Ο
and Latin O. The tables are Unicode's (confusables.txt, Scripts.txt), as the package confusable_homoglyphs has
them. It lists pairs in both directions, so that here the letters of one shape are a group, named after its
first. They take 10 MB and most of a second to load, so the first name that is checked loads them.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable
from functools import cache

MARK = "\u200e"
"""Unicode's file has it around letters that are written from right to left."""
UNSEEN = "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5"
"""Fillers of Hangul, the grapheme joiner, two vowels of Khmer: letters or marks that are not drawn."""
COLUMN_LENGTH = 255
NEUTRAL = {"COMMON", "INHERITED"}
WRITTEN_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Scripts that one name may have side by side: Japanese, Chinese, Korean ("highly restrictive" in UTS 39)."""


def is_unseen(letter: str) -> bool:
    """True if a letter is drawn as nothing: names that differ by it look the same."""
    return letter in UNSEEN or unicodedata.category(letter) == "Cf" or "VARIATION SELECTOR" in _name(letter)


def _name(letter: str) -> str:
    return unicodedata.name(letter, "")


def scripts(name: str) -> set[str]:
    """The scripts of a name's letters."""
    from confusable_homoglyphs.categories import alias

    return {alias(letter) for letter in name} - NEUTRAL


def is_mixed(name: str) -> bool:
    """True if scripts stand side by side that no language writes so."""
    found = scripts(name)
    return len(found) > 1 and not any(found <= together for together in WRITTEN_TOGETHER)


def skeleton(name: str) -> str:
    """The shape of a name as it stands: equal for names that look alike."""
    letters = unicodedata.normalize("NFD", name)
    shapes = _shapes()
    drawn = "".join(shapes.get(letter, letter) for letter in letters if not is_unseen(letter))
    return unicodedata.normalize("NFD", drawn)


def column(name: str) -> str:
    """The skeleton as the table of people has it."""
    return skeleton(name)[:COLUMN_LENGTH]


def forms(name: str) -> tuple[str, str, str]:
    """The shapes of a name as it stands, in small letters and in capitals: two names look alike if they have
    one in common at the same place. Compared across, Ian would be Lan."""
    return skeleton(name), skeleton(name.lower()), skeleton(name.upper())


def look_alike(one: str, other: str) -> bool:
    return _share(forms(one), forms(other))


def has_lookalike(name: str, others: Iterable[str]) -> bool:
    """True if one of the other names looks like this one."""
    own = forms(name)
    return any(_share(own, forms(other)) for other in others)


def pairs(names: list[str]) -> list[tuple[str, str]]:
    """All pairs of names that look alike."""
    known = [(name, forms(name)) for name in names]
    return [(a, b) for (a, one), (b, other) in itertools.combinations(known, 2) if _share(one, other)]


def _share(one: tuple[str, str, str], other: tuple[str, str, str]) -> bool:
    return any(first == second for first, second in zip(one, other, strict=True))


@cache
def _shapes() -> dict[str, str]:
    """The shape of each letter that has lookalikes: one letter for a whole group, or several, as rn for m."""
    alone, several = _neighbours()
    shapes: dict[str, str] = {}
    for letter in sorted(alone):
        if letter not in shapes:
            shapes |= dict.fromkeys(_group(letter, alone), letter)
    for letter, drawn in several.items():
        shapes |= dict.fromkeys(_group(letter, alone), drawn)
    # The letters that a shape is made of may have shapes themselves.
    for _ in range(3):
        shapes = {
            letter: "".join(shapes.get(part, part) for part in shape) for letter, shape in shapes.items()
        }
    return shapes


def _neighbours() -> tuple[dict[str, set[str]], dict[str, str]]:
    """The letters that look like each letter; and letters that look like several."""
    from confusable_homoglyphs.confusables import confusables_data

    alone: dict[str, set[str]] = {}
    several: dict[str, str] = {}
    for written, found in confusables_data.items():
        letter = _plain(written)
        for drawn in (_plain(entry["c"]) for entry in found if len(letter) == 1):
            if len(drawn) == 1:
                alone.setdefault(letter, set()).add(drawn)
                alone.setdefault(drawn, set()).add(letter)
            elif len(written.replace(MARK, "")) == 1:
                several[letter] = drawn
    return alone, several


def _plain(written: str) -> str:
    return unicodedata.normalize("NFD", written.replace(MARK, ""))


def _group(letter: str, neighbours: dict[str, set[str]]) -> set[str]:
    group, new = {letter}, {letter}
    while new:
        new = {other for one in new for other in neighbours.get(one, ())} - group
        group |= new
    return group
