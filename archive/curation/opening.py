"""A book opened for editing: at its latest revision, at the one a form was drawn from, or as proposed."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from archive.models import Book
from archive.models.history import Proposal, Revision
from archive.publication import revisions
from people.permissions import person_of


@dataclass(frozen=True)
class Opened:
    """`files` is what the editor sees, `parent` the revision it rests on, `now` the latest one."""

    book: Book
    parent: int
    now: int
    files: dict[str, str]
    proposal: Proposal | None = None

    @property
    def slug(self) -> str:
        return self.book.slug


def open_book(request: HttpRequest, slug: str) -> Opened:
    """A form says in `parent` which revision it was drawn from; without it the latest is opened."""
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    now = revisions.head_of(book).number
    asked = request.POST.get("proposal") or request.GET.get("proposal") or ""
    if asked.isdecimal():
        proposal = get_object_or_404(Proposal, book=book, pk=int(asked))
        if proposal.author != request.user and not person_of(request).may("publish"):
            raise Http404("There is no such proposal.")
        return _open_proposal(book, now, proposal, request.POST.get("parent", ""))
    written = request.POST.get("parent", "")
    parent = int(written) if written.isdecimal() else now
    if not Revision.objects.filter(book=book, number=parent).exists():
        raise Http404("There is no such revision.")
    return Opened(book, parent, now, revisions.files_at(book, parent))


def _open_proposal(book: Book, now: int, proposal: Proposal, written: str) -> Opened:
    if written.isdecimal() and int(written) == now != proposal.parent:
        # The editor has seen what clashes and goes on from the latest revision.
        return Opened(book, now, now, revisions.files_at(book, now), proposal)
    files = revisions.files_at(book, proposal.parent) | revisions.texts_of(proposal.files)
    return Opened(book, proposal.parent, now, files, proposal)
