"""Proofreading: how far the text of a leaf has been checked against its page, in five states."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery

from archive.curation.errors import SecondPersonError
from archive.models import Book, Leaf
from archive.models.books import NO_LINES
from archive.models.history import LeafCheck, Revision
from people.models import Person

WITHOUT_TEXT, NOT_PROOFREAD, PROBLEMATIC = "without-text", "not-proofread", "problematic"
PROOFREAD, VALIDATED = "proofread", "validated"
STATES = {
    WITHOUT_TEXT: "Without text",
    NOT_PROOFREAD: "Not proofread",
    PROBLEMATIC: "Problematic",
    PROOFREAD: "Proofread",
    VALIDATED: "Validated by a second person",
}
RECORDED = (NOT_PROOFREAD, PROBLEMATIC, PROOFREAD, VALIDATED)
"""The states that a person can record; that a leaf is without text is seen from the text."""


@dataclass(frozen=True)
class LeafProofreading:
    """The state of one leaf, and who recorded it."""

    leaf: Leaf
    state: str
    signed: str = ""
    person: int | None = None

    @property
    def words(self) -> str:
        return STATES[self.state]


def states_of(book: Book) -> list[LeafProofreading]:
    """The state of every leaf. A check of another text than the present one no longer counts."""
    return [_state(leaf) for leaf in leaves_of(book)]


def leaves_of(book: Book) -> QuerySet[Leaf]:
    """The leaves, each with its last check and the `latest` revision: one query, since every reader of a book
    asks it."""
    checks = LeafCheck.objects.filter(book=OuterRef("book"), leaf=OuterRef("number")).order_by("-pk")
    numbers = Revision.objects.filter(book=OuterRef("book")).order_by("-number").values("number")
    return (
        Leaf.objects.filter(book=book)
        .defer("lines")
        .annotate(
            said=Subquery(checks.values("state")[:1]),
            said_of=Subquery(checks.values("fingerprint")[:1]),
            said_by=Subquery(checks.values("signed")[:1]),
            said_by_person=Subquery(checks.values("person")[:1]),
            latest=Subquery(numbers[:1]),
        )
    )


def _state(leaf: Leaf) -> LeafProofreading:
    if leaf.fingerprint == NO_LINES:
        return LeafProofreading(leaf, WITHOUT_TEXT)
    if leaf.said_of != leaf.fingerprint:  # type: ignore[attr-defined]
        return LeafProofreading(leaf, NOT_PROOFREAD)
    return LeafProofreading(leaf, leaf.said, leaf.said_by, leaf.said_by_person)  # type: ignore[attr-defined]


def state_of(book: Book, number: int) -> LeafProofreading:
    return next(state for state in states_of(book) if state.leaf.number == number)


def may_validate(current: LeafProofreading, person: Person) -> bool:
    return current.state == PROOFREAD and current.person != person.pk


def record(book: Book, number: int, state: str, person: Person) -> None:
    """Record the state that a person found; nothing if it is that already."""
    current = state_of(book, number)
    if state not in RECORDED or state == current.state:
        return
    if state == VALIDATED and not may_validate(current, person):
        raise SecondPersonError
    LeafCheck.objects.create(
        book=book,
        leaf=number,
        state=state,
        person=person,
        signed=person.name,
        fingerprint=current.leaf.fingerprint,
    )
