"""How much of the margin the notes of a leaf may take: what does not fit beside its text is folded.

The figures are estimates of our own style sheet at its usual width. A note that is folded wrongly costs one
tap; a margin far longer than its text would tear the text apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

TEXT_LETTERS, TEXT_LINE, TEXT_GAP = 62, 27, 18
NOTE_LETTERS, NOTE_LINE, NOTE_GAP = 37, 20, 36
IMAGE_HEIGHT = 620
DRIFT_MAX = 520
"""So far below its sign may a note begin."""

TAG = re.compile(r"<[^>]*>")


class Margin(Protocol):
    """A note as the margin sees it."""

    @property
    def slug(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def letters(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def is_open(self) -> bool: ...


@dataclass
class _Size:
    slug: str
    block: int
    folded: int
    full: int
    asks: bool


def fold(blocks: Sequence[tuple[str, Sequence[Margin]]]) -> frozenset[str]:
    """The slugs of the notes to fold; `blocks` are HTML with the notes beside it, from top to bottom."""
    tops = [0]
    for html, _ in blocks:
        tops.append(tops[-1] + _text_height(html))
    sizes = [_size(note, block) for block, (_, notes) in enumerate(blocks) for note in notes]
    folded = {size.slug for size in sizes}
    # Open questions come first, then whatever is shortest: as many as there is room for.
    for size in sorted(sizes, key=lambda size: (not size.asks, size.full)):
        if _fits(tops, sizes, folded - {size.slug}):
            folded.remove(size.slug)
    return frozenset(folded)


def _fits(tops: Sequence[int], sizes: Sequence[_Size], folded: set[str]) -> bool:
    foot = 0
    for size in sizes:
        top = max(tops[size.block], foot)
        if top - tops[size.block] > DRIFT_MAX:
            return False
        foot = top + (size.folded if size.slug in folded else size.full)
    return foot <= max(tops[-1], IMAGE_HEIGHT) + NOTE_GAP


def _text_height(html: str) -> int:
    if "<tr" in html:
        return html.count("<tr") * TEXT_LINE + TEXT_GAP
    return (len(TAG.sub("", html)) // TEXT_LETTERS + 1) * TEXT_LINE + TEXT_GAP


def _size(note: Margin, block: int) -> _Size:
    head = NOTE_GAP + NOTE_LINE * (2 + len(note.title) // 32)
    body = NOTE_LINE * (1 + note.letters // NOTE_LETTERS) + 48 * note.rows
    return _Size(note.slug, block, head, head + body, note.is_open)
