"""Matches of two texts, by lines or by words, found with bounded work.

Python's matcher compares best, and may take time with the cube of the length; and anyone may compare two
revisions. What would cost more than the budget of its page has left is matched by what stands once in both,
in time with the length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import takewhile
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

MAX_STEPS = 10_000_000
"""Steps of Python's matcher for one page, at most; about a second."""
MAX_PIECES = 20_000
"""Pieces of lines that are marked on one page: each is an element of it."""
MAX_ROWS = 3_000
"""Lines of either text on one page of differences."""


@dataclass
class DiffBudget:
    """The work that is left for one page of differences, and the room that is left on it."""

    steps: int = MAX_STEPS
    pieces: int = MAX_PIECES
    rows: int = MAX_ROWS


class BoundedMatcher(SequenceMatcher[Item]):
    """The matching blocks of two sequences within a budget; `get_opcodes` and its kin rest on them."""

    def __init__(self, a: Sequence[Item], b: Sequence[Item], budget: DiffBudget) -> None:
        super().__init__(None, (), (), autojunk=False)
        self.blocks = _blocks(a, b, budget)

    def get_matching_blocks(self) -> list[Match]:
        return self.blocks


def _blocks(a: Sequence[Item], b: Sequence[Item], budget: DiffBudget) -> list[Match]:
    before = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    rest_a, rest_b = a[before:], b[before:]
    ends = zip(reversed(rest_a), reversed(rest_b), strict=False)
    after = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    inner = _inner(rest_a[: len(rest_a) - after], rest_b[: len(rest_b) - after], budget)
    found = [Match(0, 0, before), *(Match(i + before, j + before, size) for i, j, size in inner)]
    found.append(Match(len(a) - after, len(b) - after, after))
    return [*_joined([block for block in found if block.size]), Match(len(a), len(b), 0)]


def _joined(blocks: Sequence[Match]) -> list[Match]:
    """Blocks that touch in both texts are one."""
    joined: list[Match] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last and (last.a + last.size, last.b + last.size) == (block.a, block.b):
            joined[-1] = Match(last.a, last.b, last.size + block.size)
        else:
            joined.append(block)
    return joined


def _inner(a: Sequence[Item], b: Sequence[Item], budget: DiffBudget) -> list[Match]:
    counts = Counter(b)
    pairs = sum(counts[item] for item in a)
    steps = (pairs + len(a)) * min(len(a), len(b))
    if steps > budget.steps:
        return _anchored(a, b)
    budget.steps -= steps
    return SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()


def _anchored(a: Sequence[Item], b: Sequence[Item]) -> list[Match]:
    """Blocks around what stands once in both, as far as the two agree there."""
    blocks: list[Match] = []
    end_a = end_b = 0
    for i, j in _rising(_shared_once(a, b)):
        if i < end_a or j < end_b:
            continue
        back = 0
        while i - back > end_a and j - back > end_b and a[i - back - 1] == b[j - back - 1]:
            back += 1
        size = 1
        while i + size < len(a) and j + size < len(b) and a[i + size] == b[j + size]:
            size += 1
        blocks.append(Match(i - back, j - back, back + size))
        end_a, end_b = i + size, j + size
    return blocks


def _shared_once(a: Sequence[Item], b: Sequence[Item]) -> list[tuple[int, int]]:
    often_a, often_b = Counter(a), Counter(b)
    places = {item: at for at, item in enumerate(b) if often_b[item] == 1}
    return [(at, places[item]) for at, item in enumerate(a) if often_a[item] == 1 and item in places]


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest chain of pairs that rises in both texts; they rise in the first already."""
    ends: list[int] = []
    chain: list[int] = []
    before: list[int] = []
    for at, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(chain[length - 1] if length else -1)
        if length == len(ends):
            ends.append(j)
            chain.append(at)
        else:
            ends[length], chain[length] = j, at
    found: list[tuple[int, int]] = []
    at = chain[-1] if chain else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]
