"""How far the text of a leaf has been checked against its page: five states, as transcribers know them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery

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
SAID = (NOT_PROOFREAD, PROBLEMATIC, PROOFREAD, VALIDATED)
"""What a person can say of a leaf; that it is without text is seen from the text."""


class NotYours(Exception):
    """A second person validates, never the one who proofread."""


@dataclass(frozen=True)
class LeafState:
    leaf: Leaf
    state: str
    signed: str = ""
    person: int | None = None

    @property
    def words(self) -> str:
        return STATES[self.state]


def states_of(book: Book) -> list[LeafState]:
    """The state of every leaf. What was said of another text than the present one no longer counts."""
    return [_state(leaf) for leaf in leaves_of(book)]


def leaves_of(book: Book) -> QuerySet[Leaf]:
    """The leaves, each with what was last said of it and the `latest` revision: one query, since every reader
    of a book asks it."""
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


def _state(leaf: Leaf) -> LeafState:
    if leaf.fingerprint == NO_LINES:
        return LeafState(leaf, WITHOUT_TEXT)
    if leaf.said_of != leaf.fingerprint:  # type: ignore[attr-defined]
        return LeafState(leaf, NOT_PROOFREAD)
    return LeafState(leaf, leaf.said, leaf.said_by, leaf.said_by_person)  # type: ignore[attr-defined]


def state_of(book: Book, number: int) -> LeafState:
    return next(state for state in states_of(book) if state.leaf.number == number)


def may_validate(current: LeafState, person: Person) -> bool:
    return current.state == PROOFREAD and current.person != person.pk


def say(book: Book, number: int, state: str, person: Person) -> None:
    """Record what a person found; nothing if it was said already."""
    current = state_of(book, number)
    if state not in SAID or state == current.state:
        return
    if state == VALIDATED and not may_validate(current, person):
        raise NotYours
    LeafCheck.objects.create(
        book=book,
        leaf=number,
        state=state,
        person=person,
        signed=person.name,
        fingerprint=current.leaf.fingerprint,
    )
