"""Parallel texts: two rulebooks sentence by sentence, with what was kept, changed, added and dropped.

Sentences are aligned in their order, so that the words that agree are as many as can be.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from archive.cache import BoundedCache
from archive.models import Book

Kind = Literal["kept", "changed", "added", "dropped"]
Piece = tuple[Literal["same", "out", "in"], str]
SENTENCE = re.compile(r"(?<=[.!?:])[)”\"]*\s+(?=[(“\"]?[A-Z0-9])")
WORD = re.compile(r"\w+")
SIGNS = "“”\"'.,;:()—"
SIMILAR_MIN = 0.4
"""Two sentences that share less of their words than this are not the same sentence."""
MAX_SENTENCES = 400
MAX_SENTENCE_WORDS = 120
"""A longer sentence is cut, so that no two are dear to compare."""
MAX_COMPARISONS = 5_000_000
"""So many pairs of words are compared by their order; further sentences only by which words they have."""
MAX_PAIRS_KEPT = 16


@dataclass(frozen=True)
class Sentence:
    """A sentence of the reading text and the passage it stands in."""

    anchor: str
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(WORD.findall(self.text.casefold()))


@dataclass(frozen=True)
class ParallelRow:
    """A sentence of either book, or both. `first` and `second` are cut into what agrees and what does not."""

    kind: Kind
    old: Sentence | None
    new: Sentence | None
    first: tuple[Piece, ...] = ()
    second: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class ParallelTexts:
    """`same` words of the `total` in the second book stand in the first, in the same order."""

    rows: tuple[ParallelRow, ...]
    same: int
    total: int

    @property
    def share(self) -> float:
        return 100 * self.same / self.total if self.total else 0.0

    @property
    def counts(self) -> dict[str, int]:
        counted = Counter(row.kind for row in self.rows)
        return {kind: counted[kind] for kind in ("kept", "changed", "added", "dropped")}


_texts: BoundedCache[tuple[str, str], ParallelTexts] = BoundedCache(MAX_PAIRS_KEPT)


def parallel(first: Book, second: Book) -> ParallelTexts | None:
    """The two books side by side; None if one is too long for that, or has no text."""
    return _texts.get(_key(first, second)) or _made(first, second)


def _key(first: Book, second: Book) -> tuple[str, str]:
    return first.fingerprint, second.fingerprint


def _made(first: Book, second: Book) -> ParallelTexts | None:
    old, new = sentences(first), sentences(second)
    if not old or not new or max(len(old), len(new)) > MAX_SENTENCES:
        return None
    made = align(old, new)
    _texts.put(_key(first, second), made)
    return made


def sentences(book: Book) -> list[Sentence]:
    """The sentences of a book's reading text, without headings of one word."""
    return [
        Sentence(passage.anchor, piece.strip())
        for passage in book.passages.all()
        if passage.kind == "text" and "\t" not in passage.reading
        for whole in SENTENCE.split(" ".join(passage.reading.split()))
        for piece in _cut(whole)
        if WORD.search(piece)
    ]


def _cut(text: str) -> list[str]:
    words = text.split(" ")
    starts = range(0, len(words), MAX_SENTENCE_WORDS)
    return [" ".join(words[start : start + MAX_SENTENCE_WORDS]) for start in starts]


def align(old: list[Sentence], new: list[Sentence]) -> ParallelTexts:
    agreed = _agreement(old, new)
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + agreed.get((i, j), 0.0))
    rows: list[ParallelRow] = []
    i = j = 0
    while i < len(old) or j < len(new):
        pair = agreed.get((i, j), 0.0) if i < len(old) and j < len(new) else 0.0
        if pair and best[i][j] == best[i + 1][j + 1] + pair:
            rows.append(_row(old[i], new[j]))
            i, j = i + 1, j + 1
        elif j >= len(new) or (i < len(old) and best[i][j] == best[i + 1][j]):
            rows.append(ParallelRow("dropped", old[i], None, (("out", old[i].text),)))
            i += 1
        else:
            rows.append(ParallelRow("added", None, new[j], (), (("in", new[j].text),)))
            j += 1
    same = sum(_same_words(row.old, row.new) for row in rows if row.old and row.new)
    return ParallelTexts(tuple(rows), same, sum(len(sentence.words) for sentence in new))


def _agreement(old: list[Sentence], new: list[Sentence]) -> dict[tuple[int, int], float]:
    """How many words two sentences share, for those that are similar. Words are counted before their order is
    looked at, which is dear."""
    counted_old, counted_new = ([Counter(one.words) for one in side] for side in (old, new))
    sizes_old, sizes_new = ([count.total() for count in side] for side in (counted_old, counted_new))
    agreed, compared = {}, 0
    for i, one in enumerate(old):
        for j, other in enumerate(new):
            longest = max(sizes_old[i], sizes_new[j])
            same = (counted_old[i] & counted_new[j]).total()
            if same < SIMILAR_MIN * longest:
                continue
            compared += sizes_old[i] * sizes_new[j]
            if compared <= MAX_COMPARISONS:
                same = _same_words(one, other)
            if same >= SIMILAR_MIN * longest:
                agreed[i, j] = same * same / longest
    return agreed


def _same_words(one: Sentence, other: Sentence) -> int:
    matcher = SequenceMatcher(None, one.words, other.words, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def _row(old: Sentence, new: Sentence) -> ParallelRow:
    if old.words == new.words:
        return ParallelRow("kept", old, new, (("same", old.text),), (("same", new.text),))
    before, after = old.text.split(), new.text.split()
    bare_before, bare_after = ([word.casefold().strip(SIGNS) for word in side] for side in (before, after))
    first: list[Piece] = []
    second: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, bare_before, bare_after, autojunk=False).get_opcodes():
        same = tag == "equal"
        if b > a:
            first.append(("same" if same else "out", " ".join(before[a:b])))
        if d > c:
            second.append(("same" if same else "in", " ".join(after[c:d])))
    return ParallelRow("changed", old, new, tuple(first), tuple(second))
