"""The change log that every feed reads: revisions of books, and scans put up or taken down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest
from django.urls import reverse

from archive.models import Book, PageImage
from archive.models.history import Revision, StateChange
from archive.models.scans import Placing

REVISION, PLACING, STATE = "revision", "scan", "state"
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""The date of a feed in which nothing is published yet; it must have one."""
COLUMNS = ("made", "pk", "kind")


@dataclass(frozen=True)
class Change:
    """One thing that happened to a book. `is_first` says that the book began with it for others, `is_last`
    that it was withdrawn."""

    book: Book
    made: datetime
    signed: str
    reason: str
    title: str
    path: str
    """Names the change for ever, as an address of this site."""
    page: str
    """The page on which people see it."""
    is_first: bool
    is_last: bool = False


def with_pages() -> QuerySet[Book]:
    """The books that have a manifest, or had one before they were withdrawn: of which a page is shown."""
    images = PageImage.objects.filter(leaf__book=OuterRef("pk"), withdrawn=False)
    return Book.objects.exclude(state=Book.DRAFT).filter(Exists(images))


def seen() -> Q:
    """Changes that others saw or could see: of no draft, and none from the time when a book was one."""
    since = Q(book__public_since=None) | Q(made__gte=F("book__public_since"))
    return ~Q(book__state=Book.DRAFT) & since


class ChangeLog:
    """The changes of all books or of these, the oldest first. Of a book that was withdrawn, `of_withdrawn`
    decides whether more is told than that it was."""

    def __init__(self, books: QuerySet[Book] | None = None, of_withdrawn: bool = True) -> None:
        self.revisions, self.placings = Revision.objects.filter(seen()), Placing.objects.filter(seen())
        self.states = StateChange.objects.filter(seen())
        if books is not None:
            self.revisions = self.revisions.filter(book__in=books)
            self.placings = self.placings.filter(book__in=books)
            self.states = self.states.filter(book__in=books)
        if not of_withdrawn:
            self.revisions = self.revisions.filter(book__state=Book.PUBLIC)
            self.placings = self.placings.filter(book__state=Book.PUBLIC)

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return self.revisions.count() + self.placings.count() + self.states.count()

    def read(self, start: int, limit: int, newest_first: bool = False) -> list[Change]:
        """So many changes from this place on, from either end; one query more than there are kinds."""
        sign = "-" if newest_first else ""
        others = (_columns(self.placings, PLACING), _columns(self.states, STATE))
        every = _columns(self.revisions, REVISION).union(*others, all=True)
        rows = list(every.order_by(f"{sign}made", f"{sign}kind", f"{sign}pk")[start : start + limit])
        found = _revisions(_keys(rows, REVISION)) | _placings(_keys(rows, PLACING))
        found |= _states(_keys(rows, STATE))
        return [found[kind, pk] for _, pk, kind in rows if (kind, pk) in found]


def _columns(rows: QuerySet[Any], kind: str) -> QuerySet[Any, tuple[datetime, int, str]]:
    named: QuerySet[Any] = rows.order_by().annotate(kind=Value(kind, CharField()))
    return named.values_list(*COLUMNS)


def _keys(rows: Sequence[tuple[datetime, int, str]], kind: str) -> list[int]:
    return [pk for _, pk, of in rows if of == kind]


def _revisions(keys: list[int]) -> dict[tuple[str, int], Change]:
    rows = Revision.objects.filter(pk__in=keys).select_related("book").defer("book__files", "book__loose")
    return {(REVISION, row.pk): _of_revision(row) for row in rows}


def _of_revision(row: Revision) -> Change:
    path = row.get_absolute_url()
    title = f"revision {row.number}"
    return Change(row.book, row.made, row.signed, row.reason, title, path, path, row.number == 1)


def _placings(keys: list[int]) -> dict[tuple[str, int], Change]:
    rows = Placing.objects.filter(pk__in=keys).select_related("book").defer("book__files", "book__loose")
    return {(PLACING, row.pk): _of_placing(row) for row in rows}


def _of_placing(row: Placing) -> Change:
    # Where the history of the book tells it: the leaf may have another number by now, or another scan.
    path = f"{reverse('revisions', args=[row.book.slug])}#image-{row.pk}"
    title = f"a scan of page {row.leaf} {row.get_act_display()}"
    return Change(row.book, row.made, row.signed, row.reason, title, path, path, False)


def _states(keys: list[int]) -> dict[tuple[str, int], Change]:
    rows = StateChange.objects.filter(pk__in=keys).select_related("book")
    return {(STATE, row.pk): _of_state(row) for row in rows.defer("book__files", "book__loose")}


def _of_state(row: StateChange) -> Change:
    page = row.book.get_absolute_url()
    withdrawn = row.state == Book.WITHDRAWN
    return Change(
        row.book, row.made, row.signed, row.reason, row.get_state_display(), f"{page}#state-{row.pk}", page,
        not withdrawn, withdrawn,
    )  # fmt: skip


def last_changed(
    since: datetime | None = None, before: datetime | None = None, after: tuple[datetime, str] | None = None
) -> QuerySet[Book]:
    """Every book with the time of its latest change as `changed`, in the order of these times: of those that
    changed in a span of time, and after one of them, named by its time and slug. Withdrawn books are among
    them: that they are is their latest change."""
    revision = Revision.objects.filter(book=OuterRef("pk")).order_by("-number").values("made")[:1]
    placing = Placing.objects.filter(book=OuterRef("pk")).order_by("-pk").values("made")[:1]
    state = StateChange.objects.filter(book=OuterRef("pk")).order_by("-pk").values("made")[:1]
    latest = [Coalesce(Subquery(rows), F("published")) for rows in (revision, placing)]
    # A book that was always public has no such change: then its revision counts.
    latest.append(Coalesce(Subquery(state), *latest[:1]))
    books = Book.objects.exclude(state=Book.DRAFT).catalogued().annotate(changed=Greatest(*latest))
    books = books.order_by("changed", "slug")
    if since:
        books = books.filter(changed__gte=since)
    if before:
        books = books.filter(changed__lt=before)
    if after:
        books = books.filter(Q(changed__gt=after[0]) | Q(changed=after[0], slug__gt=after[1]))
    return books


def timestamp(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
