"""Exceptions of curation; their sentences tell what to write or do instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from archive.models.history import Revision
from archive.publication.errors import EditError

if TYPE_CHECKING:
    from archive.curation.merge import Chunk


class MergeConflictError(Exception):
    """Another edit changed the same lines meanwhile. `chunks` has the three states of each file,
    `merged` each file with what others changed elsewhere, and my own words where both changed the same."""

    def __init__(
        self, head: Revision, chunks: Mapping[str, list[Chunk]], merged: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(f"conflicts with revision {head.number}")
        self.head = head
        self.chunks = chunks
        self.merged = merged or {}


class AlreadyDecidedError(Exception):
    """This proposal was decided before."""


class SecondPersonError(Exception):
    """A second person validates, never the one who proofread."""


class BriefError(Exception):
    """Faults by the number of the line from 0, or by the name of the field."""

    def __init__(self, faults: Mapping[int | str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = dict(faults)


class CatalogueError(Exception):
    """Faults by the name of the field."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = dict(faults)


class LeafOrderError(Exception):
    """The sentence says which leaf, and what to do."""


class NoteError(Exception):
    """The sentence says what to write."""


class PairError(Exception):
    """The sentence says which sentences to choose."""


class VariantError(EditError):
    """The sentence says what to write, at the field it speaks of."""
