"""Words as an index keeps them: small letters, no accents, endings taken off by Porter's rules.

SQLite does this by itself; PostgreSQL is given the words ready made, so that both find and mark the same.
The rules are those of M. F. Porter, An algorithm for suffix stripping, Program 14 (1980), pages 130 to 137.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

STEMMED_BYTES_MOST = 64
LETTERS_MOST = 256
"""What is longer than any word is not stemmed, and kept by its beginning."""

_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
_SAME_LETTER = str.maketrans("ςµ", "σμ")
_ACCENTED = re.compile(r"([a-z])[\u0300-\u036f]+")


@dataclass(frozen=True)
class Token:
    """A word of a text: how it is indexed, and from which letter to which it stands."""

    lexeme: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The words of a text in their order.

    >>> [token.lexeme for token in tokens("The players’ colours, consecutively")]
    ['the', 'player', 'colour', 'consecut']
    """
    return [Token(lexeme(found[0]), found.start(), found.end()) for found in _WORD.finditer(text)]


@lru_cache(maxsize=20_000)
def lexeme(word: str) -> str:
    folded = word.lower().translate(_SAME_LETTER)
    if not folded.isascii():
        folded = _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", folded))
        folded = unicodedata.normalize("NFC", folded)
    if len(folded.encode("utf-8", "replace")) > STEMMED_BYTES_MOST:
        return folded[:LETTERS_MOST]
    return stem(folded) if len(folded) > 2 else folded


def stem(word: str) -> str:
    for step in (_plural, _past, _y, _double_suffix, _single_suffix, _bare_suffix, _last_e, _double_l):
        word = step(word)
    return word


def _consonants(word: str) -> str:
    """Each letter as c or v: y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """How many times vowels are followed by consonants."""
    return len(re.findall("v+c+", _consonants(stem)))


def _has_vowel(stem: str) -> bool:
    return "v" in _consonants(stem)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _consonants(word)[-1] == "c"


def _ends_cvc(word: str) -> bool:
    return _consonants(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")) and len(word) > 3:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return _mended(rest) if _has_vowel(rest) else word
    return word


def _mended(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _ends_double(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _measure(word) == 1 and _ends_cvc(word) else word


def _y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


DOUBLE = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "logi": "log",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous",
    "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
SINGLE = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
BARE = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def _replaced(endings: dict[str, str]) -> Callable[[str], str]:
    by_length = sorted(endings, key=len, reverse=True)

    def step(word: str) -> str:
        ending = next((ending for ending in by_length if word.endswith(ending)), None)
        if ending is None or _measure(word.removesuffix(ending)) == 0:
            return word
        return word.removesuffix(ending) + endings[ending]

    return step


_double_suffix = _replaced(DOUBLE)
_single_suffix = _replaced(SINGLE)
_BARE_BY_LENGTH = sorted(BARE, key=len, reverse=True)


def _bare_suffix(word: str) -> str:
    ending = next((ending for ending in _BARE_BY_LENGTH if word.endswith(ending)), None)
    if ending is None:
        return word
    rest = word.removesuffix(ending)
    if _measure(rest) < 2 or (ending == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _last_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    rest = word[:-1]
    measure = _measure(rest)
    return rest if measure > 1 or (measure == 1 and not _ends_cvc(rest)) else word


def _double_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
