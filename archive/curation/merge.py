"""Two people change one text: what each changed, put together; and where they changed the same place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal


@dataclass(frozen=True)
class Chunk:
    """A stretch of lines in the three states of a text. In a clash both changed it, and differently."""

    kind: Literal["same", "mine", "theirs", "clash"]
    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands in the joined text; in a clash my own words, until somebody has looked."""
        return self.theirs if self.kind == "theirs" else self.mine


def join(base: str, mine: str, theirs: str) -> list[Chunk]:
    """The three states cut into chunks, in order."""
    texts = [text.split("\n") for text in (base, mine, theirs)]
    chunks: list[Chunk] = []
    at = [0, 0, 0]
    for length, *starts in _shared(*texts):
        between = [tuple(text[a:b]) for text, a, b in zip(texts, at, starts, strict=True)]
        if any(between):
            chunks.append(_changed(*between))
        at = [start + length for start in starts]
        if length:
            lines = tuple(texts[0][starts[0] : at[0]])
            chunks.append(Chunk("same", lines, lines, lines))
    return chunks


def clashes(chunks: Sequence[Chunk]) -> bool:
    return any(chunk.kind == "clash" for chunk in chunks)


def text_of(chunks: Sequence[Chunk]) -> str:
    return "\n".join(line for chunk in chunks for line in chunk.lines)


def _changed(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> Chunk:
    if mine == theirs:
        return Chunk("same", base, mine, theirs)
    if mine == base:
        return Chunk("theirs", base, mine, theirs)
    return Chunk("mine" if theirs == base else "clash", base, mine, theirs)


def _shared(base: list[str], mine: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Stretches that stand in all three: their length, and where each begins. Ends with an empty one."""
    ours = SequenceMatcher(None, base, mine, autojunk=False).get_matching_blocks()
    other = SequenceMatcher(None, base, theirs, autojunk=False).get_matching_blocks()
    i = j = 0
    while i < len(ours) and j < len(other):
        a, b = ours[i], other[j]
        start, end = max(a.a, b.a), min(a.a + a.size, b.a + b.size)
        if start < end:
            yield end - start, start, a.b + start - a.a, b.b + start - b.a
        if a.a + a.size < b.a + b.size:
            i += 1
        else:
            j += 1
    yield 0, len(base), len(mine), len(theirs)
