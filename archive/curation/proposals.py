"""Proposals: a change is published if its author may publish, and else waits for a curator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from archive.curation import edits
from archive.curation.edits import OpenBook, Saved
from archive.curation.errors import AlreadyDecidedError
from archive.images.unneeded_uploads import delete_unneeded
from archive.messages import inbox
from archive.models import Book, Leaf, ProposedScan, ReaderMessage
from archive.models.books import NO_LINES
from archive.models.history import Proposal, Remark, Revision
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.publication.revisions import Signature
from people.models import Person

AMENDED = "Amended and accepted by"
FROM_A_READER = "After a message from a reader."
MAX_REMARKS = 200
"""So many remarks may be made about one proposal."""
MAX_LISTED = 20
"""So many proposals are listed at their place, the newest first."""
MAX_WAITING = 50
"""So many proposals of one person may wait at once."""


def submit(
    person: Person, opened: OpenBook, changed: Mapping[str, str], reason: str, place: str, address: str
) -> Saved | Proposal:
    """Publish these files or, for a contributor, propose them."""
    base = revisions.files_at(opened.book, opened.parent)
    whole = {
        name: text for name, text in (opened.files | dict(changed)).items() if text != base.get(name, "")
    }
    if not person.may("publish"):
        return propose(person, opened, whole, reason, place, address)
    if opened.proposal is None:
        return edits.save(opened.slug, whole, opened.parent, Signature(reason, person))
    return accept(person, opened.proposal, whole, opened.parent, reason)


def propose(
    person: Person,
    opened: OpenBook,
    changed: Mapping[str, str],
    reason: str,
    place: str,
    address: str,
    is_reading: bool = False,
) -> Proposal:
    """Checked as if it were to be published now, so that a curator gets nothing that cannot stand. Readings
    of a stack may wait in any number: there is one for each page."""
    if not reason.strip():
        raise EditError("Say briefly why, for the curator who reads it.", field="reason")
    if not changed:
        raise EditError("Nothing has changed, so there is nothing to propose.")
    if not is_reading:
        check_waiting(person)
    edits.check_edit(opened.book, changed, opened.parent)
    return Proposal.objects.create(
        book=opened.book,
        parent=opened.parent,
        author=person,
        signed=person.name,
        reason=reason,
        place=place,
        address=address,
        files=revisions.store_texts(changed),
    )


def check_waiting(person: Person) -> None:
    if Proposal.objects.filter(author=person, state=Proposal.WAITING).count() >= MAX_WAITING:
        raise EditError("Many of your proposals are waiting. Let a curator read them first.")


def propose_book(person: Person, book: Book) -> Proposal:
    """Propose a new book, of which this is the draft."""
    return Proposal.objects.create(
        kind=Proposal.BOOK,
        book=book,
        parent=1,
        author=person,
        signed=person.name,
        reason="A new rulebook.",
        place="A new rulebook",
        address=reverse("arrange", args=[book.slug]),
        files={},
    )


@transaction.atomic
def begin_from_message(curator: Person, message: ReaderMessage, place: str, address: str) -> Proposal:
    """A proposal that changes nothing yet: the curator fills it in at this address. A message has one at a
    time, and a second tap leads to the same. Raises MessageGoneError."""
    held = ReaderMessage.objects.select_for_update().filter(pk=message.pk).first()
    if held is None:
        raise inbox.MessageGoneError
    begun = held.proposal
    if begun is not None and begun.state == Proposal.WAITING:
        begun.place, begun.address = place[:200], address
        begun.save(update_fields=["place", "address"])
        return begun
    made = Proposal.objects.create(
        kind=Proposal.MESSAGE,
        book=held.book,
        parent=revisions.head_of(held.book).number,
        author=curator,
        signed=curator.name,
        reason=FROM_A_READER,
        place=place[:200],
        address=address,
        files={},
    )
    ReaderMessage.objects.filter(pk=held.pk).update(proposal=made)
    return made


def approve(curator: Person, proposal: Proposal, words: str = "") -> None:
    """Accept what changes no text: a draft or a scan, which is the curators' from now on and is published
    like any other."""
    with transaction.atomic():
        _decide(proposal, Proposal.ACCEPTED, curator, words)


def say(person: Person, proposal: Proposal, words: str) -> None:
    """Add a remark to the talk about a proposal that waits."""
    if not words.strip():
        raise EditError("Write what you want to say.", field="remark")
    with transaction.atomic():
        held = Proposal.objects.select_for_update().get(pk=proposal.pk)
        if held.state != Proposal.WAITING:
            raise AlreadyDecidedError
        if held.remarks.count() >= MAX_REMARKS:
            raise EditError(f"There are {MAX_REMARKS} remarks already. Decide about it.", field="remark")
        Remark.objects.create(proposal=held, person=person, signed=person.name, words=words)


def accept(
    curator: Person, proposal: Proposal, changed: Mapping[str, str], parent: int, words: str = ""
) -> Saved:
    """Publish a proposal, as it is or amended, under its author's name. A conflict leaves it waiting."""
    with transaction.atomic():
        _decide(proposal, Proposal.ACCEPTED, curator, words)
        signed = _signature(proposal, changed, curator, words)
        saved = edits.save(proposal.book.slug, changed, parent, signed)
        Proposal.objects.filter(pk=proposal.pk).update(revision=saved.revision.number)
    return saved


def _signature(proposal: Proposal, changed: Mapping[str, str], curator: Person, words: str) -> Signature:
    """Signed by its author; what a reader has only told is signed by the curator who wrote it."""
    if proposal.kind == Proposal.MESSAGE:
        return Signature(
            f"{_sentence(words)} {proposal.reason}" if words.strip() else proposal.reason, curator
        )
    amended = revisions.store_texts(changed) != proposal.files
    reason = _amended_reason(proposal, curator, words) if amended else _accepted_reason(proposal, curator)
    return Signature(reason, curator, name=proposal.signed)


def _accepted_reason(proposal: Proposal, curator: Person) -> str:
    return f"{_sentence(proposal.reason)} Accepted by {curator.name}."


def _amended_reason(proposal: Proposal, curator: Person, words: str) -> str:
    """Both reasons: why it was proposed, and why it was published otherwise than proposed."""
    told = f"{AMENDED} {curator.name}"
    return f"{_sentence(proposal.reason)} {_sentence(f'{told}: {words.strip()}' if words.strip() else told)}"


def _sentence(words: str) -> str:
    """These words with a full stop, unless they end a sentence already, be it within quotation marks."""
    words = words.strip()
    return words if words.rstrip("”’\"')").endswith((".", "?", "!", "…")) else f"{words}."


def was_amended(proposal: Proposal) -> bool:
    """True if it was published otherwise than proposed, as the reason of its revision says under seal."""
    if proposal.revision is None or proposal.kind == Proposal.MESSAGE:
        return False
    published = Revision.objects.get(book=proposal.book_id, number=proposal.revision)
    return published.reason[len(proposal.reason.strip()) :].lstrip(". ").startswith(AMENDED)


def proposals_at(book: Book, person: Person, **place: Any) -> list[Proposal]:
    """Proposals for this place of a book, waiting and decided, as far as this person may see them."""
    found = Proposal.objects.filter(book=book, **place)
    if not person.may("publish"):
        found = found.filter(author=person)
    return list(found.order_by("-pk")[:MAX_LISTED])


def first_texts(book: Book, person: Person) -> dict[int, Proposal]:
    """The newest proposal that waits for each leaf without text, of those that this person may open."""
    empty = Leaf.objects.filter(book=book, fingerprint=NO_LINES).values_list("number", flat=True)
    numbers = {reverse("mend", args=[book.slug, number]): number for number in empty}
    waiting = Proposal.objects.filter(book=book, state=Proposal.WAITING, address__in=list(numbers))
    if not person.may("publish"):
        waiting = waiting.filter(author=person)
    return {numbers[one.address]: one for one in waiting.order_by("made", "pk")}


def refuse(curator: Person, proposal: Proposal, words: str) -> None:
    if not words.strip():
        raise EditError("Say why, so that the author can learn from it.")
    with transaction.atomic():
        _decide(proposal, Proposal.REFUSED, curator, words)
    _delete_picture(proposal)


def withdraw(author: Person, proposal: Proposal) -> None:
    with transaction.atomic():
        _decide(proposal, Proposal.WITHDRAWN, author, "")
    _delete_picture(proposal)


def _delete_picture(proposal: Proposal) -> None:
    """Delete the picture of a proposed scan, unless another proposal or a scan has it too."""
    held = ProposedScan.objects.filter(proposal=proposal)
    originals = list(held.exclude(original=None).values_list("original", flat=True))
    held.update(original=None)
    for original in originals:
        delete_unneeded(original)


def _decide(proposal: Proposal, state: str, person: Person, words: str) -> None:
    """Close a waiting proposal, or AlreadyDecidedError: of two who decide at once, one does."""
    waiting = Proposal.objects.filter(pk=proposal.pk, state=Proposal.WAITING)
    if not waiting.update(state=state, decided_by=person, decided=timezone.now(), words=words):
        raise AlreadyDecidedError
    proposal.state = state
    inbox.settle(proposal, person)
