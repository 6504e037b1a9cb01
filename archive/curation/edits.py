"""The one way to change a published book: check everything, join with what others did, publish a revision."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import transaction

from archive.curation import note_repair
from archive.curation.forms import catalogue, leaf_order
from archive.curation.joining import join_file
from archive.curation.merge import Chunk
from archive.images import facsimiles
from archive.models import Book
from archive.models.history import Revision
from archive.publication import revisions
from archive.publication.errors import EditError, PublishError, check_reason
from archive.publication.publish import Source, publish, read_sources
from archive.publication.revisions import Signed

TEXT_MOST = 400_000
"""No file of a leaflet is longer; a pasted mistake may be."""


class MergeConflictError(Exception):
    """Somebody else changed the same lines meanwhile. `chunks` has the three states of each clashing file."""

    def __init__(self, head: Revision, chunks: Mapping[str, list[Chunk]]) -> None:
        super().__init__(f"clashes with revision {head.number}")
        self.head = head
        self.chunks = chunks


@dataclass(frozen=True)
class Saved:
    revision: Revision
    joined_with: int | None
    """The revision of somebody else that this one was joined with, if there was one."""
    slipped: tuple[str, ...]
    """Notes whose words went away with this change."""


def check(slug: str, files: Mapping[str, str]) -> Source:
    """These files as a book that may be published, or EditRefused."""
    for name, text in files.items():
        if len(text) > TEXT_MOST:
            raise EditError(f"{name} is too long: more than {TEXT_MOST} characters.")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / slug
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_bytes(text.encode(errors="replace"))
        try:
            return read_sources([folder])[0]
        except PublishError as refused:
            raise EditError(*(fault.replace(f"{folder}/", "") for fault in refused.faults)) from None


def save(slug: str, changed: Mapping[str, str], parent: int, signed: Signed) -> Saved:
    """Publish these files over revision `parent`. What others published since is joined in; Clash if both
    changed the same lines, EditRefused if something is wrong. Either way nothing is lost or overwritten."""
    check_reason(signed.reason)
    with transaction.atomic():
        book = Book.objects.select_for_update().get(slug=slug)
        head = revisions.head_of(book)
        files, joined_with = _joined(book, head, changed, parent)
        before = revisions.texts_of(head.files)
        files, slipped = note_repair.loosen(files, before)
        if signed.moved is not None:
            leaf_order.renumber(book, signed.moved)
        source = check(slug, files)
        if source.fingerprint == head.fingerprint:
            raise EditError("Nothing has changed, so there is nothing to publish.")
        publish(source.edition, source.files, signed=signed)
        revision = revisions.head_of(book)
        note_repair.remember(book, slipped, head.number, revision.number)
        note_repair.mark_repaired(book, source.edition, revision.number)
        transaction.on_commit(lambda: facsimiles.enqueue_update(slug))
    return Saved(revision, joined_with, tuple(note.id for note in slipped))


def check_over(book: Book, changed: Mapping[str, str], parent: int) -> Source:
    """What save() would publish, checked, but not published. Raises what it would raise."""
    head = revisions.head_of(book)
    files, _ = _joined(book, head, changed, parent)
    return check(book.slug, note_repair.loosen(files, revisions.texts_of(head.files))[0])


@transaction.atomic
def restore(slug: str, number: int, signed: Signed) -> Saved:
    """Publish an old revision again. Names that were published since stay, as further names of passages, and
    images follow their leaves. The book is held from the start: it goes over the state it has looked at."""
    book = Book.objects.select_for_update().get(slug=slug)
    head = revisions.head_of(book)
    changed = brought_back(book, number)
    moved = leaf_order.order_since(book, number, len(catalogue.leaves_in(changed)))
    return save(slug, changed, head.number, replace(signed, moved=tuple(moved) if moved else None))


def brought_back(book: Book, number: int) -> dict[str, str]:
    """The files as restore() would publish them."""
    return revisions.keep_names(
        revisions.files_at(book, number), revisions.texts_of(revisions.head_of(book).files)
    )


def _joined(
    book: Book, head: Revision, changed: Mapping[str, str], parent: int
) -> tuple[dict[str, str], int | None]:
    theirs = revisions.texts_of(head.files)
    if parent == head.number:
        return theirs | dict(changed), None
    base = revisions.files_at(book, parent)
    joined = {name: join_file(name, base[name], text, theirs[name]) for name, text in changed.items()}
    clashing = {name: chunks for name, (_, chunks) in joined.items() if chunks}
    if clashing:
        raise MergeConflictError(head, clashing)
    return theirs | {name: text for name, (text, _) in joined.items()}, head.number
