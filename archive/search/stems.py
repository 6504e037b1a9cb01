"""Stems: what an index keeps of a word, by the stemmer of SQLite."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from archive.search.tokenizer import tokens

STEMS_MOST = 20_000


@lru_cache(maxsize=STEMS_MOST)
def stem(word: str) -> str:
    """The stem of a word; the word itself if the stemmer sees none in it.

    >>> stem("consecutively"), stem("ties")
    ('consecut', 'ti')
    """
    return stems([word])[word]


def stems(words: Iterable[str]) -> dict[str, str]:
    """The stems of many words, asked for at once."""
    asked = list(words)
    found = tokens([("", word) for word in asked])
    return {
        word: pieces[0] if len(pieces) == 1 else word for word, (_, pieces) in zip(asked, found, strict=True)
    }
