"""Facsimiles of the leaves of a book: which are missing or outdated, storing them, updates after edits."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from archive import edition
from archive.background import BackgroundQueue
from archive.images.facsimile_tasks import FacsimileTask, TypesetFacsimile, fingerprint, typeset
from archive.images.storage import pages, record_image, store_image_files
from archive.images.tiles import folder_of, size_name
from archive.models import Book, Leaf, PageImage
from archive.scans import word_search


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


def tasks_of(book: Book, again: bool = False) -> Iterator[FacsimileTask]:
    """The pages of a book that are not there or were made from something else; with `again`, all of them.
    A leaf without text has none: there is nothing to set."""
    rows = sorted(book.leaves.all(), key=lambda leaf: leaf.number)
    texts = [_text(row) for row in rows]
    for row, text, following in zip(rows, texts, [*texts[1:], None], strict=False):
        made_from = fingerprint(book.slug, text, following)
        if text.lines and (again or not _is_there(row, made_from)):
            yield FacsimileTask(identifier_of(book.slug, row.number), book.slug, text, following, made_from)


def _is_there(leaf: Leaf, made_from: str) -> bool:
    image = next((image for image in leaf.images.all() if image.is_facsimile), None)
    if image is None or image.made_from != made_from:
        return False
    return pages().exists(f"{folder_of(image.identifier, image.checksum)}/{size_name(image.width)}")


def store(made: TypesetFacsimile) -> PageImage:
    task = made.task
    checksum = store_image_files(task.identifier, made.original, ".png", made.files)
    leaf = Leaf.objects.get(book__slug=task.slug, number=task.leaf.number)
    return record_image(
        leaf,
        PageImage.FACSIMILE,
        task.identifier,
        made.size,
        checksum,
        made.words,
        task.made_from,
        made.printed,
    )


def update_facsimiles(slug: str) -> None:
    """Typeset the facsimiles anew whose text has changed, so that page and text say the same."""
    fonts = settings.NODE_MODULES / "@fontsource"
    # A leaf whose text went away keeps no page set from it.
    PageImage.objects.filter(leaf__book__slug=slug, leaf__lines=[], kind=PageImage.FACSIMILE).delete()
    book = Book.objects.prefetch_related("leaves__images").get(slug=slug)
    for task in tasks_of(book):
        store(typeset(task, fonts))


def enqueue_update(slug: str) -> None:
    """Update the facsimiles of a book in the background: typesetting takes longer than publishing. An update
    that a stop interrupts is made by `manage.py make_pages` at the next start."""
    _queue.enqueue(slug)


def _update(slug: str) -> None:
    update_facsimiles(slug)
    # Scans of these pages have the old words; each finds its place again.
    word_search.search_again(slug)


_queue = BackgroundQueue("pages", _update)
