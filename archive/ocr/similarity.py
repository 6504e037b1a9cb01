"""Similarity of two words, and matching of the words of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_SIMILARITY = 0.5
"""Words less alike than this are not taken for the same."""


def normalized(text: str) -> str:
    """Small letters and figures alone; a word that has none is left as it is."""
    return "".join(sign for sign in text.casefold() if sign.isalnum()) or text


@lru_cache(maxsize=50_000)
def similarity(one: str, other: str) -> float:
    """1 for the same word, 0 for words that share nothing: one less the share of letters to be changed."""
    if one == other:
        return 1.0
    longest = max(len(one), len(other))
    if not longest or min(len(one), len(other)) < MIN_SIMILARITY * longest:
        return 0.0
    before = list(range(len(other) + 1))
    for number, sign in enumerate(one, 1):
        row = [number]
        for place, there in enumerate(other, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (sign != there)))
        before = row
    return 1.0 - before[-1] / longest


def match_words(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int, float]]:
    """Pairs of places in both texts, in order, with how alike the words are: the best common reading of two
    texts, of which either may lack words or have some of its own."""
    if not ours or not theirs:
        return []
    # Texts are compared when words are looked for, so numpy is loaded then and not with the site.
    import numpy as np

    one, other = [normalized(word) for word in ours], [normalized(word) for word in theirs]
    alike = _table(one, other)
    lengths = np.minimum([[len(word)] for word in one], 8) / 8 + 0.4
    gain = np.where(alike >= MIN_SIMILARITY, (alike - MIN_SIMILARITY + 0.05) * lengths, 0.0)
    best = np.zeros((len(one) + 1, len(other) + 1))
    for number in range(len(one)):
        joined = np.maximum(best[number, 1:], best[number, :-1] + gain[number])
        best[number + 1, 1:] = np.maximum.accumulate(joined)
    pairs, i, j = [], len(one), len(other)
    while i and j:
        if best[i, j] == best[i, j - 1]:
            j -= 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j, float(alike[i, j])))
    return pairs[::-1]


def _table(one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
    """Each pair of different words is compared once, however often they occur."""
    import numpy as np

    rows, row_of = np.unique(np.array(one, dtype=object), return_inverse=True)
    columns, column_of = np.unique(np.array(other, dtype=object), return_inverse=True)
    table = np.array([[_quick_similarity(a, b) for b in columns] for a in rows], dtype=np.float64)
    found: NDArray[np.float64] = table[row_of][:, column_of]
    return found


def _quick_similarity(one: str, other: str) -> float:
    # Words with too few letters in common cannot be alike; most pairs end here.
    if one != other and len(set(one) & set(other)) < MIN_SIMILARITY * 0.8 * max(
        len(set(one)), len(set(other))
    ):
        return 0.0
    return similarity(one, other)
