"""Facsimiles of the leaves we hold: which are wanting, and putting those that were made in their place."""

from __future__ import annotations

from collections.abc import Iterator

from archive import edition
from archive.images.making import Made, Task, fingerprint
from archive.images.sizes import folder_of, size_name
from archive.images.storage import keep_files, pages, record
from archive.models import Book, Leaf, PageImage


def identifier_of(slug: str, number: int) -> str:
    """Stable: a facsimile that is set anew keeps its name."""
    return f"{slug}-{number}-f"


def _text(leaf: Leaf) -> edition.Leaf:
    return edition.Leaf(
        number=leaf.number,
        label=leaf.label,
        title=leaf.title,
        break_certainty=leaf.break_certainty,
        source_lines=leaf.source_lines,
        lines=leaf.text_lines,
    )


def tasks_of(book: Book, again: bool = False) -> Iterator[Task]:
    """The pages of a book that are not there or were made from something else; with `again`, all of them.
    A leaf without text has none: there is nothing to set."""
    rows = sorted(book.leaves.all(), key=lambda leaf: leaf.number)
    texts = [_text(row) for row in rows]
    for row, text, following in zip(rows, texts, [*texts[1:], None], strict=False):
        made_from = fingerprint(book.slug, text, following)
        if text.lines and (again or not _is_there(row, made_from)):
            yield Task(identifier_of(book.slug, row.number), book.slug, text, following, made_from)


def _is_there(leaf: Leaf, made_from: str) -> bool:
    image = next((image for image in leaf.images.all() if image.is_facsimile), None)
    if image is None or image.made_from != made_from:
        return False
    return pages().exists(f"{folder_of(image.identifier, image.checksum)}/{size_name(image.width)}")


def store(made: Made) -> PageImage:
    task = made.task
    checksum = keep_files(task.identifier, made.original, ".png", made.files)
    leaf = Leaf.objects.get(book__slug=task.slug, number=task.leaf.number)
    return record(leaf, PageImage.FACSIMILE, task.identifier, made.size, checksum, made.words, task.made_from)
