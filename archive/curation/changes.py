"""The words of two lines side by side: those that stay, those that go, those that come."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

PAIRS_MOST = 1_000_000
"""Beyond so many pairs of words comparing takes seconds; the whole is then shown as gone and come."""
WORDS = re.compile(r"\s+|\w+|[^\w\s]")
Piece = tuple[Literal["same", "out", "in"], str]


def words(old: str, new: str) -> tuple[Piece, ...]:
    """The words of both lines in one row: those that stay, those that go, those that come."""
    a, b = WORDS.findall(old), WORDS.findall(new)
    if len(a) * len(b) > PAIRS_MOST:
        return (("out", old), ("in", new))
    pieces: list[Piece] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(("same", "".join(a[a1:a2])))
            continue
        if a1 < a2:
            pieces.append(("out", "".join(a[a1:a2])))
        if b1 < b2:
            pieces.append(("in", "".join(b[b1:b2])))
    return tuple(pieces)
