"""For machines that look around: what there is, and where they have no business."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import escape
from django.views.decorators.http import require_safe

import engine
from archive.models import Book, BriefLine, Leaf, Passage, Variant
from archive.views.books import origin

ROBOTS = """User-agent: *
Disallow: /pads/
Disallow: /evenings/
Disallow: /join/
Disallow: /search/
Disallow: /iiif/search/

Sitemap: {origin}/sitemap.xml
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS.format(origin=origin(request)), content_type="text/plain; charset=utf-8")


def _addresses() -> Iterator[tuple[str, str]]:
    """Every lasting page with the day it last changed, where that is known."""
    yield "/", ""
    changed = {pk: f"{when:%Y-%m-%d}" for pk, when in Book.objects.values_list("pk", "published")}
    slugs = dict(Book.objects.values_list("pk", "slug"))
    for pk, slug in slugs.items():
        yield reverse("book", args=[slug]), changed[pk]
    for pk, number in Leaf.objects.values_list("book", "number"):
        yield reverse("leaf", args=[slugs[pk], number]), changed[pk]
    for pk, anchor in Passage.objects.values_list("book", "anchor"):
        yield reverse("passage", args=[slugs[pk], anchor]), changed[pk]
    for pk, slug in Variant.objects.values_list("book", "slug"):
        yield reverse("variant", args=[slug]), changed[pk]
    yield reverse("variants"), ""
    yield reverse("briefs"), ""
    known = set(BriefLine.objects.values_list("game", flat=True).distinct())
    for key in (key for key in engine.GAMES if key in known):
        for name in ("brief", "questions", "compare"):
            yield reverse(name, args=[key]), ""


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    site = origin(request)
    rows = "".join(
        f"<url><loc>{escape(site + address)}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>\n"
        for address, day in _addresses()
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return HttpResponse(f"{head}{rows}</urlset>\n", content_type="application/xml")
