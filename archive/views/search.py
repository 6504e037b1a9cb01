"""The search page."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

import engine
from archive.models import Book
from archive.search import MAX_QUERY_LENGTH, Hit, index

SHOWN_FIRST = 30
MAX_SHOWN = 300
GROUPS = {
    "passage": "In the rulebooks",
    "note": "In our notes",
    "variant": "Variants",
    "brief": "Rules in brief",
}
SUGGESTIONS = ("consecutive order", "colour", "last to notice", "cooncan", "tie")


@dataclass(frozen=True)
class ShownHit:
    hit: Hit
    address: str
    book: str
    title: str


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    query = " ".join(request.GET.get("q", "")[:MAX_QUERY_LENGTH].split())
    within = Book.objects.public().filter(slug=request.GET.get("book", "")[:80]).first()
    most = _limit(request.GET.get("most", ""))
    found = index().find(query, book=within, limit=most)
    titles = dict(
        Book.objects.filter(slug__in={hit.book for hit in found.hits}).values_list("slug", "short_title")
    )
    hits = [ShownHit(hit, _address(hit, query), titles[hit.book], _title(hit)) for hit in found.hits]
    groups = [(name, [shown for shown in hits if shown.hit.kind == kind]) for kind, name in GROUPS.items()]
    context = {
        "query": query,
        "within": within,
        "found": found,
        "count": len(hits),
        "groups": [group for group in groups if group[1]],
        "suggestions": SUGGESTIONS,
        "more": _more_address(query, within, most) if found.more and most < MAX_SHOWN else "",
    }
    return render(request, "archive/search.html", context)


def _limit(typed: str) -> int:
    """The number of hits asked for: a multiple of the first number, up to a limit."""
    asked = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else SHOWN_FIRST
    return min(max(-(-asked // SHOWN_FIRST), 1) * SHOWN_FIRST, MAX_SHOWN)


def _more_address(query: str, within: Book | None, most: int) -> str:
    asked = {"q": query} | ({"book": within.slug} if within else {}) | {"most": str(most + SHOWN_FIRST)}
    return f"{reverse('search')}?{urlencode(asked)}"


def _title(hit: Hit) -> str:
    if hit.kind == "brief" and hit.key in engine.GAMES:
        return engine.GAMES[hit.key].title
    return hit.title


def _address(hit: Hit, query: str) -> str:
    """The address of a hit: its passage in the book, marked; or the page that is about it."""
    if hit.kind == "variant":
        return reverse("variant", args=[hit.key])
    if hit.kind == "brief":
        return reverse("brief", args=[hit.key])
    book = reverse("book", args=[hit.book])
    if hit.kind == "note":
        return f"{book}#note-{hit.key}"
    return f"{book}?{urlencode({'q': query})}#{hit.anchor}"
