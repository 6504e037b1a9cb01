"""Joining what two people did to one file: texts by lines, notes and variants by the record, the catalogue
by its entries.

Two new notes both stand at the end of their file. By lines they would clash; as records they do not touch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from archive.curation import merge, note_repair
from archive.curation.forms import catalogue, variant
from archive.curation.merge import Chunk
from archive.edition import EditionError

Records = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    read: Callable[[str], Records]
    write: Callable[[Iterable[Any]], str]


KINDS = {
    note_repair.NOTES: Kind(
        lambda text: {note.id: note for note in note_repair.notes_in({note_repair.NOTES: text})},
        note_repair.write_notes,
    ),
    variant.VARIANTS: Kind(
        lambda text: {one.slug: one for one in variant.variants_in({variant.VARIANTS: text})},
        variant.write_variants,
    ),
    catalogue.BOOK: Kind(catalogue.entries_in, catalogue.write_entries),
}


def join_file(name: str, base: str, mine: str, theirs: str) -> tuple[str, list[Chunk]]:
    """The joined file, and what clashes in it; where something clashes the file has my own words."""
    if name in KINDS:
        try:
            return _join_records(KINDS[name], base, mine, theirs)
        except EditionError:
            pass
    chunks = merge.join(base, mine, theirs)
    return merge.text_of(chunks), chunks if merge.clashes(chunks) else []


def _join_records(kind: Kind, base: str, mine: str, theirs: str) -> tuple[str, list[Chunk]]:
    was, ours, other = kind.read(base), kind.read(mine), kind.read(theirs)
    joined: Records = {}
    chunks: list[Chunk] = []
    for key in dict.fromkeys([*other, *ours]):
        before, here, there = was.get(key), ours.get(key), other.get(key)
        kept = there if here == before else here
        if here != before and there not in (before, here):
            lines = [tuple(kind.write([one]).split("\n")) if one else () for one in (before, here, there)]
            chunks.append(Chunk("clash", *lines))
        if kept is not None:
            joined[key] = kept
    return kind.write(joined.values()), chunks
