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
from archive.models.history import Revision
from archive.models.scans import Placing

REVISION, PLACING = "revision", "scan"
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""The date of a feed in which nothing is published yet; it must have one."""
COLUMNS = ("made", "pk", "kind")


@dataclass(frozen=True)
class Change:
    """One thing that happened to a book. `is_first` says that the book began with it."""

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


def with_pages() -> QuerySet[Book]:
    """The books that have a manifest: those of which a page is shown."""
    images = PageImage.objects.filter(leaf__book=OuterRef("pk"), withdrawn=False)
    return Book.objects.filter(Exists(images))


class ChangeLog:
    """The changes of all books or of these, the oldest first."""

    def __init__(self, books: QuerySet[Book] | None = None) -> None:
        self.revisions, self.placings = Revision.objects.all(), Placing.objects.all()
        if books is not None:
            self.revisions = self.revisions.filter(book__in=books)
            self.placings = self.placings.filter(book__in=books)

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return self.revisions.count() + self.placings.count()

    def read(self, start: int, limit: int, newest_first: bool = False) -> list[Change]:
        """So many changes from this place on, from either end; two queries more than there are kinds."""
        sign = "-" if newest_first else ""
        revisions = _columns(self.revisions, REVISION).union(_columns(self.placings, PLACING), all=True)
        rows = list(revisions.order_by(f"{sign}made", f"{sign}kind", f"{sign}pk")[start : start + limit])
        found = _revisions(_keys(rows, REVISION)) | _placings(_keys(rows, PLACING))
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
    title = f"a scan of leaf {row.leaf} {row.get_act_display()}"
    return Change(row.book, row.made, row.signed, row.reason, title, path, path, False)


def last_changed(
    since: datetime | None = None, before: datetime | None = None, after: tuple[datetime, str] | None = None
) -> QuerySet[Book]:
    """Every book with the time of its latest change as `changed`, in the order of these times: of those that
    changed in a span of time, and after one of them, named by its time and slug."""
    revision = Revision.objects.filter(book=OuterRef("pk")).order_by("-number").values("made")[:1]
    placing = Placing.objects.filter(book=OuterRef("pk")).order_by("-pk").values("made")[:1]
    latest = [Coalesce(Subquery(rows), F("published")) for rows in (revision, placing)]
    books = Book.objects.catalogued().annotate(changed=Greatest(*latest)).order_by("changed", "slug")
    if since:
        books = books.filter(changed__gte=since)
    if before:
        books = books.filter(changed__lt=before)
    if after:
        books = books.filter(Q(changed__gt=after[0]) | Q(changed=after[0], slug__gt=after[1]))
    return books


def timestamp(when: datetime) -> str:
    return when.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
