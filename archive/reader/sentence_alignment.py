"""Parallel texts: two rulebooks sentence by sentence, with what was kept, changed, added and dropped.

Sentences are aligned in their order, so that the words that agree are as many as can be; what a person has
decided about a pair stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from archive.cache import BoundedCache
from archive.edition import SentencePair
from archive.edition.folder import pairs_in
from archive.models import Book
from archive.reader.corrected_pairs import FoundPair, Sentence, find_pairs, has_pairs_of, sentences

Kind = Literal["kept", "changed", "added", "dropped"]
Piece = tuple[Literal["same", "out", "in"], str]
SIGNS = "“”\"'.,;:()—"
SIMILAR_MIN = 0.4
"""Two sentences that share less of their words than this are not the same sentence."""
MAX_SENTENCES = 400
MAX_COMPARISONS = 5_000_000
"""So many pairs of words are compared by their order; further sentences only by which words they have."""
MAX_PAIRS_KEPT = 16


@dataclass(frozen=True)
class Unit:
    """A sentence, or several that a person joined, and what that person decided about them."""

    sentences: tuple[Sentence, ...]
    found: FoundPair | None = None

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for sentence in self.sentences for word in sentence.words)


@dataclass(frozen=True)
class ParallelRow:
    """Sentences of either book, or of both. `first` and `second` are cut into what agrees and what does not;
    `pair` is what a person decided about them."""

    kind: Kind
    old: tuple[Sentence, ...]
    new: tuple[Sentence, ...]
    first: tuple[Piece, ...] = ()
    second: tuple[Piece, ...] = ()
    pair: SentencePair | None = None

    @property
    def name(self) -> str:
        """The name of the row in addresses."""
        side, one = ("", self.new[0]) if self.new else ("dropped-", self.old[0])
        return f"{side}{one.anchor}-{one.number}"


@dataclass(frozen=True)
class ParallelTexts:
    """`same` words of the `total` in the second book stand in the first, in the same order. `lost` are
    decisions about sentences that no longer stand in these texts."""

    rows: tuple[ParallelRow, ...]
    same: int
    total: int
    lost: tuple[SentencePair, ...] = ()

    @property
    def share(self) -> float:
        return 100 * self.same / self.total if self.total else 0.0

    @property
    def counts(self) -> dict[str, int]:
        counted = Counter(row.kind for row in self.rows)
        return {kind: counted[kind] for kind in ("kept", "changed", "added", "dropped")}

    @property
    def decided(self) -> int:
        return sum(row.pair is not None for row in self.rows)

    @property
    def editors(self) -> list[str]:
        """Who decided about a pair, each once."""
        return list(dict.fromkeys(row.pair.signed for row in self.rows if row.pair))


_texts: BoundedCache[tuple[str, str], ParallelTexts] = BoundedCache(MAX_PAIRS_KEPT)


def parallel(first: Book, second: Book) -> ParallelTexts | None:
    """The two books side by side; None if one is too long for that, or has no text."""
    key = (first.fingerprint, second.fingerprint)
    made = _texts.get(key) or compare(first, second, pairs_of(first, second))
    if made:
        _texts.put(key, made)
    return made


def pairs_of(first: Book, second: Book) -> list[SentencePair]:
    """What people decided about the sentences of these two books."""
    book, other = (first, second) if has_pairs_of(first, second) else (second, first)
    return [pair for pair in pairs_in(book.files) if pair.other == other.slug]


def compare(first: Book, second: Book, pairs: Sequence[SentencePair]) -> ParallelTexts | None:
    """The two books side by side, with these decisions."""
    old, new = sentences(first), sentences(second)
    if not old or not new or max(len(old), len(new)) > MAX_SENTENCES:
        return None
    found, lost = find_pairs(pairs, old, new, mirrored=not has_pairs_of(first, second))
    return replace(align(old, new, found), lost=tuple(lost))


def align(old: Sequence[Sentence], new: Sequence[Sentence], found: Sequence[FoundPair] = ()) -> ParallelTexts:
    left = _units(old, [(pair.first, pair) for pair in found])
    right = _units(new, [(pair.second, pair) for pair in found])
    agreed = _agreement(left, right)
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + agreed.get((i, j), 0.0))
    rows: list[tuple[Unit | None, Unit | None]] = []
    i = j = 0
    while i < len(left) or j < len(right):
        pair = agreed.get((i, j), 0.0) if i < len(left) and j < len(right) else 0.0
        if pair and best[i][j] == best[i + 1][j + 1] + pair:
            rows.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif j >= len(right) or (i < len(left) and best[i][j] == best[i + 1][j]):
            rows.append((left[i], None))
            i += 1
        else:
            rows.append((None, right[j]))
            j += 1
    rows = _reunited(rows)
    same = sum(_same_words(one, other) for one, other in rows if one and other)
    shown = tuple(_row(one, other) for one, other in rows)
    return ParallelTexts(shown, same, sum(len(sentence.words) for sentence in new))


def _units(side: Sequence[Sentence], decided: Sequence[tuple[tuple[int, ...], FoundPair]]) -> list[Unit]:
    """The sentences of one book, those that a person joined as one."""
    begins = {places[0]: (places, pair) for places, pair in decided if places}
    units, at = [], 0
    while at < len(side):
        places, pair = begins.get(at, ((at,), None))
        units.append(Unit(tuple(side[place] for place in places), pair))
        at += len(places)
    return units


def _agreement(old: Sequence[Unit], new: Sequence[Unit]) -> Mapping[tuple[int, int], float]:
    """How many words two sentences share, for those that are similar. Words are counted before their order is
    looked at, which is dear. What a person decided about agrees with its counterpart alone."""
    counted_old, counted_new = ([Counter(one.words) for one in side] for side in (old, new))
    sizes_old, sizes_new = ([count.total() for count in side] for side in (counted_old, counted_new))
    agreed, compared = {}, 0
    for i, one in enumerate(old):
        for j, other in enumerate(new):
            longest = max(sizes_old[i], sizes_new[j])
            if one.found or other.found:
                if one.found is other.found:
                    agreed[i, j] = float(longest)
                continue
            same = (counted_old[i] & counted_new[j]).total()
            if same < SIMILAR_MIN * longest:
                continue
            compared += sizes_old[i] * sizes_new[j]
            if compared <= MAX_COMPARISONS:
                same = _same_words(one, other)
            if same >= SIMILAR_MIN * longest:
                agreed[i, j] = same * same / longest
    return agreed


def _reunited(
    rows: Sequence[tuple[Unit | None, Unit | None]],
) -> list[tuple[Unit | None, Unit | None]]:
    """The rows; what a person paired across the order of the texts stands in one row, at its place in the
    second book."""
    halves = {id(one.found): one for one, other in rows if one and not other and one.found}
    moved = {
        id(other.found)
        for one, other in rows
        if other and not one and other.found and id(other.found) in halves
    }
    return [
        (halves[id(other.found)], other) if other and id(other.found) in moved else (one, other)
        for one, other in rows
        if other or not one or id(one.found) not in moved
    ]


def _same_words(one: Unit, other: Unit) -> int:
    matcher = SequenceMatcher(None, one.words, other.words, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def _row(one: Unit | None, other: Unit | None) -> ParallelRow:
    pair = next((unit.found.pair for unit in (one, other) if unit and unit.found), None)
    if one is None or other is None:
        old, new = (unit.sentences if unit else () for unit in (one, other))
        first: tuple[Piece, ...] = (("out", one.text),) if one else ()
        second: tuple[Piece, ...] = (("in", other.text),) if other else ()
        return ParallelRow("dropped" if one else "added", old, new, first, second, pair)
    first, second = _differences(one, other)
    kind: Kind = "kept" if one.words == other.words else "changed"
    if pair and pair.change:
        kind = "kept" if pair.change == "kept" else "changed"
    return ParallelRow(kind, one.sentences, other.sentences, first, second, pair)


def _differences(one: Unit, other: Unit) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    if one.words == other.words:
        return (("same", one.text),), (("same", other.text),)
    before, after = one.text.split(), other.text.split()
    bare_before, bare_after = ([word.casefold().strip(SIGNS) for word in side] for side in (before, after))
    first: list[Piece] = []
    second: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, bare_before, bare_after, autojunk=False).get_opcodes():
        same = tag == "equal"
        if b > a:
            first.append(("same" if same else "out", " ".join(before[a:b])))
        if d > c:
            second.append(("same" if same else "in", " ".join(after[c:d])))
    return tuple(first), tuple(second)
