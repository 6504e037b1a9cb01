"""Margin of a leaf: notes that do not fit beside its text are folded.

The figures are estimates of our own style sheet at its usual width. A note that is folded wrongly costs one
tap; a margin far longer than its text would tear the text apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

TEXT_LETTERS, TEXT_LINE, TEXT_GAP = 62, 27, 18
NOTE_LETTERS, NOTE_LINE, NOTE_GAP = 37, 20, 28
IMAGE_HEIGHT = 620
DRIFT_MAX = 520
"""So far below its sign may a note begin."""

TAG = re.compile(r"<[^>]*>")


class MarginNote(Protocol):
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
class _NoteSize:
    slug: str
    block: int
    folded: int
    full: int
    asks: bool


def fold(blocks: Sequence[tuple[str, Sequence[MarginNote]]]) -> frozenset[str]:
    """The slugs of the notes to fold; `blocks` are HTML with the notes beside it, from top to bottom."""
    tops = [0]
    for html, _ in blocks:
        tops.append(tops[-1] + _text_height(html))
    sizes = [_size(note, block) for block, (_, notes) in enumerate(blocks) for note in notes]
    folded = {size.slug for size in sizes}
    drift, foot = _crowding(tops, sizes, folded)
    drift_max, foot_max = max(DRIFT_MAX, drift), max(tops[-1], IMAGE_HEIGHT, foot) + NOTE_GAP
    # Open questions come first, then whatever is shortest: as many as there is room for.
    for size in sorted(sizes, key=lambda size: (not size.asks, size.full)):
        drift, foot = _crowding(tops, sizes, folded - {size.slug})
        if drift <= drift_max and foot <= foot_max:
            folded.remove(size.slug)
    return frozenset(folded)


def _crowding(tops: Sequence[int], sizes: Sequence[_NoteSize], folded: set[str]) -> tuple[int, int]:
    """The farthest distance of a note below its block, and the end of the margin."""
    drift = foot = 0
    for size in sizes:
        top = max(tops[size.block], foot)
        drift = max(drift, top - tops[size.block])
        foot = top + (size.folded if size.slug in folded else size.full)
    return drift, foot


def _text_height(html: str) -> int:
    if "<tr" in html:
        return html.count("<tr") * TEXT_LINE + TEXT_GAP
    return (len(TAG.sub("", html)) // TEXT_LETTERS + 1) * TEXT_LINE + TEXT_GAP


def _size(note: MarginNote, block: int) -> _NoteSize:
    head = NOTE_GAP + NOTE_LINE * (2 + len(note.title) // 32)
    body = NOTE_LINE * (1 + note.letters // NOTE_LETTERS) + 85 * note.rows
    return _NoteSize(note.slug, block, head, head + body, note.is_open)
