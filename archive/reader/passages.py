"""One passage alone: its text with its own notes, the variants that cite it, the passages beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from archive.edition import Line, Run
from archive.models import Leaf, Note, Passage, Variant
from archive.reader.book_page import BookReader, ShownBlock


def read_passage(
    passage: Passage, leaves: Sequence[Leaf], notes: Iterable[Note]
) -> tuple[tuple[ShownBlock, ...], BookReader]:
    """One passage alone, with its own notes."""
    lines = [line for leaf in leaves for line in leaf.text_lines] or list(passage.book.loose_lines)
    own = [part for line in lines if (part := _only(line, passage.anchor)) is not None]
    reader = BookReader([passage], notes, passage.book.slug, leaves=leaves)
    reader.expect(own)
    reader.renderer.ends.clear()
    return reader.blocks(own), reader


def _only(line: Line, anchor: str) -> Line | None:
    """The line without what belongs to other passages; empty runs keep the places of notes where they are."""
    if anchor not in line.passages:
        return None
    blank = Run("text", "", "")
    runs = tuple(run if run.passage == anchor or run.kind == "cell" else blank for run in line.runs)
    return replace(line, runs=runs)


def variants_citing(passage: Passage) -> list[Variant]:
    """The variants of its book that rest on this passage, under any of its names."""
    cites = {f"{passage.book.slug}/{anchor}" for anchor in passage.anchors}
    return [variant for variant in Variant.objects.filter(book=passage.book) if cites & set(variant.cites)]


def neighbours(passage: Passage) -> dict[str, Passage]:
    """The passages before and after this one, as far as there are any."""
    near = Passage.objects.filter(book=passage.book, order__in=[passage.order - 1, passage.order + 1])
    return {"before" if other.order < passage.order else "after": other for other in near}
