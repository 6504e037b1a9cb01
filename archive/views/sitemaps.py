"""sitemap.xml and robots.txt, for search engines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_safe

import engine
from archive.models import Book, BriefLine, Leaf, Passage, Variant
from archive.responses import origin

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
ROBOTS = """User-agent: *
Disallow: /pads/
Disallow: /evenings/
Disallow: /clubs/
Disallow: /join/
Disallow: /people/
Disallow: /curation/
Disallow: /messages/
Disallow: /search/
Disallow: /iiif/search/

Sitemap: {origin}/sitemap.xml
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS.format(origin=origin(request)), content_type="text/plain; charset=utf-8")


BOOKS_PER_PART = 200
"""A sitemap may list 50,000 addresses; a book has about a hundred."""


def _pages() -> Iterator[str]:
    yield from ("/", reverse("variants"), reverse("briefs"), reverse("sources"), reverse("parallel-pairs"))
    lines = BriefLine.objects.filter(book__state=Book.PUBLIC)
    known = set(lines.values_list("game", flat=True).distinct())
    for key in (key for key in engine.GAMES if key in known):
        yield from (reverse(name, args=[key]) for name in ("brief", "questions", "compare"))


def _of_books(books: QuerySet[Book]) -> Iterator[tuple[str, str]]:
    """Every lasting page of these books with the day it last changed."""
    rows = {pk: (slug, f"{when:%Y-%m-%d}") for pk, slug, when in books.values_list("pk", "slug", "published")}
    for slug, day in rows.values():
        yield reverse("book", args=[slug]), day
    for model, field, name in ((Leaf, "number", "leaf"), (Passage, "anchor", "passage")):
        for pk, value in model._default_manager.filter(book__in=rows).values_list("book", field):
            yield reverse(name, args=[rows[pk][0], value]), rows[pk][1]
    for pk, slug in Variant.objects.filter(book__in=rows).values_list("book", "slug"):
        yield reverse("variant", args=[slug]), rows[pk][1]


def _part(number: int) -> QuerySet[Book]:
    first = (number - 1) * BOOKS_PER_PART
    chosen = Book.objects.public().order_by("pk").values_list("pk", flat=True)[first : first + BOOKS_PER_PART]
    return Book.objects.filter(pk__in=list(chosen))


def _xml(body: str) -> HttpResponse:
    return HttpResponse(f'<?xml version="1.0" encoding="UTF-8"?>\n{body}', content_type="application/xml")


def _listed(site: str, rows: Iterable[tuple[str, str]]) -> HttpResponse:
    urls = "".join(
        f"<url><loc>{escape(site + address)}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>\n"
        for address, day in rows
    )
    return _xml(f'<urlset xmlns="{SITEMAP}">\n{urls}</urlset>\n')


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """All addresses; of a large archive, the list of its parts."""
    site = origin(request)
    parts = -(-Book.objects.public().count() // BOOKS_PER_PART)
    if parts <= 1:
        return _listed(site, [*((address, "") for address in _pages()), *_of_books(_part(1))])
    rows = "".join(
        f"<sitemap><loc>{escape(site + reverse('sitemap-part', args=[number]))}</loc></sitemap>\n"
        for number in range(1, parts + 1)
    )
    return _xml(f'<sitemapindex xmlns="{SITEMAP}">\n{rows}</sitemapindex>\n')


@require_safe
def sitemap_part(request: HttpRequest, number: str) -> HttpResponse:
    part = int(number)
    rows = list(_of_books(_part(part))) if part else []
    if not rows:
        raise Http404
    first = [(address, "") for address in _pages()] if part == 1 else []
    return _listed(origin(request), first + rows)
