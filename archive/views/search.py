"""The search page: a query, its filters, and a page of hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine
from archive.models import Book, Passage
from archive.search import MAX_QUERY_LENGTH, Hit, SearchFilters, index, read_cursor

SHOWN = 30
KINDS = {
    "passage": "Reading text",
    "printed": "Source text",
    "note": "Note",
    "variant": "Variant",
    "brief": "Rules in brief",
    "book": "Rulebook",
    "source": "Source",
    "stamp": "Stamp or slip",
}
CHOICES = {
    "passage": "Reading text",
    "printed": "Source text",
    "note": "Notes",
    "variant": "Variants",
    "brief": "Rules in brief",
    "book": "Rulebooks",
    "source": "Sources",
    "stamp": "Stamps and slips",
}
BOOKS_OFFERED_MOST = 100
"""So many rulebooks stand in the list of the form; others are searched alone from their own page."""
YEAR_LETTERS = 4
SUGGESTIONS = ("consecutive order", "colour", "last to notice", "cooncan", "tie")


@dataclass(frozen=True)
class ShownHit:
    hit: Hit
    address: str
    book: str
    title: str
    kind: str


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    query = " ".join(request.GET.get("q", "")[:MAX_QUERY_LENGTH].split())
    filters = _filters(request.GET)
    found = index().page(query, filters, read_cursor(request.GET.get("after", "")), SHOWN)
    hits = _shown(found.hits, query)
    asked = _asked(query, filters)
    context = {
        "query": query,
        "filters": filters,
        "is_narrowed": len(asked) > 1,
        "books": _offered(filters.book),
        "kinds": CHOICES.items(),
        "found": found,
        "hits": hits,
        "first": found.begin.shown + 1,
        "last": found.begin.shown + len(hits),
        "suggestions": SUGGESTIONS,
        "meant": f"?{urlencode(asked | {'q': found.suggestion})}" if found.suggestion else "",
        "everything": f"?{urlencode({'q': query})}",
        "start": f"?{urlencode(asked)}",
        "next": f"?{urlencode(asked | {'after': str(found.next)})}" if found.next else "",
    }
    return render(request, "archive/search.html", context)


def _filters(typed: QueryDict) -> SearchFilters:
    kind = typed.get("kind", "")
    return SearchFilters(
        book=Book.objects.public().catalogued().filter(slug=typed.get("book", "")[:80]).first(),
        kind=kind if kind in KINDS else "",
        first=_year(typed.get("from", "")),
        last=_year(typed.get("to", "")),
    )


def _year(typed: str) -> int | None:
    is_year = typed.isascii() and typed.isdigit() and len(typed) <= YEAR_LETTERS
    return int(typed) if is_year else None


def _asked(query: str, filters: SearchFilters) -> dict[str, str]:
    """What an address of these results says."""
    asked = {"q": query, "book": filters.book.slug if filters.book else "", "kind": filters.kind}
    years = {"from": filters.first, "to": filters.last}
    asked |= {name: str(year) for name, year in years.items() if year is not None}
    return {name: value for name, value in asked.items() if value or name == "q"}


def _offered(chosen: Book | None) -> list[Book]:
    books = list(Book.objects.public().catalogued().on_time_line()[:BOOKS_OFFERED_MOST])
    return books if chosen is None or chosen in books else [chosen, *books]


def _shown(hits: Sequence[Hit], query: str) -> list[ShownHit]:
    books = Book.objects.catalogued().in_bulk({hit.book for hit in hits}, field_name="slug")
    anchors = {hit.anchor for hit in hits if hit.kind in ("passage", "printed")}
    passages = Passage.objects.filter(book__in=books.values(), anchor__in=anchors)
    sections = {
        (book, anchor): section
        for book, anchor, section in passages.values_list("book__slug", "anchor", "section")
    }
    return [
        ShownHit(
            hit,
            _address(hit, query),
            _dated(books[hit.book]),
            _title(hit, books[hit.book], sections),
            KINDS[hit.kind],
        )
        for hit in hits
    ]


def _dated(book: Book) -> str:
    return f"{book.short_title}, {book.year}" if book.year else f"{book.short_title}, undated"


def _title(hit: Hit, book: Book, sections: dict[tuple[str, str], str]) -> str:
    if hit.kind == "brief" and hit.key in engine.GAMES:
        return engine.GAMES[hit.key].title
    if hit.kind == "book":
        return book.title
    return hit.title or sections.get((hit.book, hit.anchor), "") or book.short_title


def _address(hit: Hit, query: str) -> str:
    """The address of a hit: its passage in the book, marked; or the page that is about it."""
    if hit.kind == "variant":
        return reverse("variant", args=[hit.key])
    if hit.kind == "brief":
        return reverse("brief", args=[hit.key])
    if hit.kind == "source":
        return f"{reverse('sources')}#{hit.book}.{hit.key}"
    if hit.kind == "stamp":
        return reverse("passage", args=[hit.book, hit.anchor])
    book = reverse("book", args=[hit.book])
    if hit.kind == "book":
        return book
    if hit.kind == "note":
        return f"{book}#note-{hit.key}"
    asked = {"q": query} | ({"view": "printed"} if hit.kind == "printed" else {})
    return f"{book}?{urlencode(asked)}#{hit.anchor}"
