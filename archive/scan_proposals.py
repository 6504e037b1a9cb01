"""Proposals of scans: a picture that a contributor proposes for a leaf waits, private, until a curator takes
it in among the scans of the book, or refuses it with words.

Scans and curation meet here, so this module stands above both.
"""

from __future__ import annotations

from typing import BinaryIO

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.urls import reverse
from PIL import Image

from archive.curation import proposals
from archive.images.derivatives import jpeg
from archive.images.storage import originals, store_file, store_large_file
from archive.models import Book, Leaf, ProposedScan
from archive.models.history import Proposal
from archive.models.scans import Original, Scan
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.errors import ScanError
from archive.scans.form_pictures import picture_of
from archive.scans.limits import limit, sent_by_person
from archive.scans.originals import copy_of_original
from archive.scans.uploads import (
    COPY_QUALITY,
    digest_of,
    file_name_from,
    proposed,
    store_scans,
    stored_row,
)
from people.models import Person
from ratelimit import limiter

SENT_ALREADY = "This picture has been sent for this rulebook already."


def propose_scan(
    person: Person, leaf: Leaf, file: UploadedFile[bytes] | None, reason: str, credits: dict[str, str]
) -> Proposal:
    """Propose a picture as the scan of a leaf; who sends it twice gets the proposal that waits already.
    EditError with a sentence if it cannot be, RateLimitError if too many come; then nothing of it is kept."""
    if file is None:
        raise EditError("Choose a picture of this page.", field="file")
    if not reason.strip():
        raise EditError("Say where it is from, for the curator who looks at it.", field="reason")
    with picture_of(file, "file") as content:
        digest = digest_of(content)
        sent = _sent_already(person, leaf, digest)
        if sent is not None:
            return sent
        _check_waiting(person)
        name = file_name_from(file.name or "")
        original = _keep(content, Original(digest=digest, name=name, size=file.size or 0, person=person))
    return _propose(person, leaf, original, reason, name, credits)


def _sent_already(person: Person, leaf: Leaf, digest: str) -> Proposal | None:
    """This person's own proposal of this picture for this leaf, if it still waits; EditError if the book has
    the picture in another way."""
    sent = ProposedScan.objects.filter(book=leaf.book, original__digest=digest).select_related("proposal")
    for one in sent.filter(leaf=leaf, proposal__author=person, proposal__state=Proposal.WAITING):
        return one.proposal
    if sent.exists() or Scan.objects.filter(book=leaf.book, original__digest=digest).exists():
        raise EditError(SENT_ALREADY, field="file")
    return None


def _check_waiting(person: Person) -> None:
    proposals.check_waiting(person)
    waiting = Proposal.objects.filter(author=person, kind=Proposal.SCAN, state=Proposal.WAITING)
    if waiting.count() >= limit("PROPOSED_SCANS_WAITING_MOST"):
        raise EditError("Many of your pictures are waiting. Let a curator look at them first.")


def _keep(content: BinaryIO, original: Original) -> Original:
    """Store a picture beside the originals of scans, private as they are; the files before the row."""
    limiter.take([(sent_by_person(), str(original.person_id))])
    examined = sandbox.examine(content)
    original.kind, original.width, original.height = examined.kind, examined.width, examined.height
    original.signed = original.person.name if original.person else ""
    store_large_file(originals(), original.file_name, content, original.size)
    store_file(originals(), original.copy_name(0), jpeg(examined.copy, COPY_QUALITY))
    return original


@transaction.atomic
def _propose(
    person: Person, leaf: Leaf, original: Original, reason: str, name: str, credits: dict[str, str]
) -> Proposal:
    book = leaf.book
    Book.objects.select_for_update().only("pk").get(pk=book.pk)
    # Somebody may have tapped twice: the other one was opened in the same seconds.
    sent = _sent_already(person, leaf, original.digest)
    if sent is not None:
        return sent
    proposal = Proposal.objects.create(
        kind=Proposal.SCAN,
        book=book,
        parent=revisions.head_of(book).number,
        author=person,
        signed=person.name,
        reason=reason,
        place=f"Scan of page {leaf.number}",
        address=reverse("propose-scan", args=[book.slug, leaf.number]),
        files={},
    )
    ProposedScan.objects.create(
        proposal=proposal, book=book, leaf=leaf, original=stored_row(original), name=name, credits=credits
    )
    return proposal


def picture_of_proposal(proposal: Proposal, side: int) -> Image.Image:
    """The picture, about as large as `side`; ScanError if it was deleted."""
    shown = ProposedScan.objects.select_related("original").filter(proposal=proposal).first()
    if shown is None or shown.original is None:
        raise ScanError("lost")
    return copy_of_original(shown.original, side=side)


def accept_scan(curator: Person, proposal: Proposal, words: str) -> Scan:
    """Take the picture in among the scans of the book, with a frame proposed and its leaf chosen, under the
    name of who proposed it. It is published like any other scan."""
    shown = ProposedScan.objects.select_related("original", "book", "leaf").get(proposal=proposal)
    if shown.original is None:
        raise EditError("The picture of this proposal is gone.")
    try:
        pages = proposed({0: copy_of_original(shown.original)})
    except ScanError as refused:
        raise EditError(sandbox.sentence_for(refused.reason)) from None
    told = {"name": shown.name, "signed": proposal.signed, "credits": shown.credits, "leaf": shown.leaf}
    with transaction.atomic():
        proposals.approve(curator, proposal, words)
        scans, _ = store_scans(shown.book, shown.original, pages, **told)
    return scans[0]
