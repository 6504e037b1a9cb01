"""Lines of text as JSON and back, short enough to keep in a row beside every leaf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from archive.edition import Line, Run

Packed = list[list[Any]]


def pack_lines(lines: Iterable[Line]) -> Packed:
    return [
        [
            line.leaf,
            line.number,
            line.style,
            line.paragraph,
            [[run.kind, run.printed, run.reading, run.emphasis, run.note, run.passage] for run in line.runs],
            line.gap,
            line.continues,
            line.layer,
            line.note,
        ]
        for line in lines
    ]


def unpack_lines(packed: Sequence[Sequence[Any]]) -> tuple[Line, ...]:
    return tuple(
        Line(leaf, number, style, paragraph, tuple(Run(*run) for run in runs), *rest)
        for leaf, number, style, paragraph, runs, *rest in packed
    )
