"""Edits: open a book, check a change, merge it with what others did, and publish it as a revision.

This is the one way to change a published book.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import transaction
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from archive.curation import leaf_order, note_repair
from archive.curation.book_files import leaves_in
from archive.curation.errors import MergeConflictError
from archive.curation.forms.fields import number_from
from archive.curation.merge import merge_file
from archive.images import facsimiles
from archive.models import Book
from archive.models.history import Proposal, Revision
from archive.publication import revisions
from archive.publication.errors import EditError, PublishError, check_reason
from archive.publication.publish import Source, publish, read_sources
from archive.publication.revisions import Signature
from people.permissions import person_of

TABLE_LINE = re.compile(r"^(?!game\.toml)[a-z]+\.toml, line \d+: ")
MAX_FILE_LENGTH = 400_000
"""No file of a leaflet is longer; a pasted mistake may be."""


@dataclass(frozen=True)
class OpenBook:
    """A book opened for editing: `files` is what the editor sees, `parent` the revision it rests on, `now`
    the latest one."""

    book: Book
    parent: int
    now: int
    files: dict[str, str]
    proposal: Proposal | None = None

    @property
    def slug(self) -> str:
        return self.book.slug


@dataclass(frozen=True)
class Saved:
    """A published change: `merged_with` is the revision of another that it was merged with, if there was one,
    `detached` are notes whose words went away with it."""

    revision: Revision
    merged_with: int | None
    detached: tuple[str, ...]


def open_book(request: HttpRequest, slug: str, parent: int | None = None) -> OpenBook:
    """The book as proposed (`proposal`), at the revision of a form or draft (`parent`), or at the latest."""
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    now = revisions.head_of(book).number
    asked = number_from(request.POST.get("proposal") or request.GET.get("proposal") or "")
    parent = number_from(request.POST.get("parent", "")) if parent is None else parent
    if asked is not None:
        proposal = get_object_or_404(Proposal, book=book, pk=asked)
        if proposal.author != request.user and not person_of(request).may("publish"):
            raise Http404("There is no such proposal.")
        return _open_proposal(book, now, proposal, parent)
    parent = now if parent is None else parent
    if not Revision.objects.filter(book=book, number=parent).exists():
        raise Http404("There is no such revision.")
    return OpenBook(book, parent, now, revisions.files_at(book, parent))


def _open_proposal(book: Book, now: int, proposal: Proposal, parent: int | None) -> OpenBook:
    if parent == now != proposal.parent:
        # The editor has seen the conflict and goes on from the latest revision.
        return OpenBook(book, now, now, revisions.files_at(book, now), proposal)
    files = revisions.files_at(book, proposal.parent) | revisions.texts_of(proposal.files)
    return OpenBook(book, proposal.parent, now, files, proposal)


def check(slug: str, files: Mapping[str, str]) -> Source:
    """These files as a book that may be published, or EditError."""
    for name, text in files.items():
        if len(text) > MAX_FILE_LENGTH:
            raise EditError(f"{name} is too long: more than {MAX_FILE_LENGTH} characters.")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / slug
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_bytes(text.encode(errors="replace"))
        try:
            return read_sources([folder])[0]
        except PublishError as refused:
            raise EditError(*(_plain(fault.replace(f"{folder}/", "")) for fault in refused.faults)) from None


def _plain(fault: str) -> str:
    """A fault as whoever fills in a form reads it: the tables are ours, and their lines say nothing. Only a
    declared game is written by people line by line."""
    sentence = TABLE_LINE.sub("", fault)
    return fault if sentence == fault else f"{sentence[:1].upper()}{sentence[1:]}."


def save(slug: str, changed: Mapping[str, str], parent: int, signed: Signature) -> Saved:
    """Publish these files over revision `parent`, merged with what others published since. MergeConflictError
    if both changed the same lines, EditError if something is wrong. Either way nothing is lost."""
    check_reason(signed.reason)
    with transaction.atomic():
        book = Book.objects.select_for_update().get(slug=slug)
        head = revisions.head_of(book)
        files, merged_with = _merged(book, head, changed, parent)
        before = revisions.texts_of(head.files)
        files, detached = note_repair.detach(files, before)
        if signed.moved is not None:
            leaf_order.renumber(book, signed.moved)
        source = check(slug, files)
        if source.fingerprint == head.fingerprint:
            raise EditError("Nothing has changed, so there is nothing to publish.")
        publish(source.edition, source.files, signed=signed)
        revision = revisions.head_of(book)
        note_repair.record_detached(book, detached, head.number, revision.number)
        note_repair.mark_repaired(book, source.edition, revision.number)
        transaction.on_commit(lambda: facsimiles.enqueue_update(slug))
    return Saved(revision, merged_with, tuple(note.id for note in detached))


def check_edit(book: Book, changed: Mapping[str, str], parent: int) -> Source:
    """Check what save() would publish, without publishing. Raises what it would raise."""
    head = revisions.head_of(book)
    files, _ = _merged(book, head, changed, parent)
    return check(book.slug, note_repair.detach(files, revisions.texts_of(head.files))[0])


@transaction.atomic
def restore(slug: str, number: int, signed: Signature) -> Saved:
    """Publish an old revision again. Names that were published since stay, as further names of passages, and
    images follow their leaves. The book is held from the start: it goes over the state it has looked at."""
    book = Book.objects.select_for_update().get(slug=slug)
    head = revisions.head_of(book)
    changed = restored_files(book, number)
    moved = leaf_order.order_since(book, number, len(leaves_in(changed)))
    return save(slug, changed, head.number, replace(signed, moved=tuple(moved) if moved else None))


def restored_files(book: Book, number: int) -> dict[str, str]:
    """The files as restore() would publish them; what a book had not yet then is empty."""
    now = revisions.texts_of(revisions.head_of(book).files)
    return dict.fromkeys(now, "") | revisions.keep_names(revisions.files_at(book, number), now)


def _merged(
    book: Book, head: Revision, changed: Mapping[str, str], parent: int
) -> tuple[dict[str, str], int | None]:
    theirs = revisions.texts_of(head.files)
    if parent == head.number:
        return theirs | dict(changed), None
    base = revisions.files_at(book, parent)
    merged = {
        name: merge_file(name, base.get(name, ""), text, theirs.get(name, ""))
        for name, text in changed.items()
    }
    conflicts = {name: chunks for name, (_, chunks) in merged.items() if chunks}
    if conflicts:
        raise MergeConflictError(head, conflicts, {name: text for name, (text, _) in merged.items()})
    return theirs | {name: text for name, (text, _) in merged.items()}, head.number
