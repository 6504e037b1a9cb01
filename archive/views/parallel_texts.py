"""Parallel texts: all pairs of rulebooks that can stand side by side, and one pair sentence by sentence."""

from __future__ import annotations

from itertools import combinations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from archive.models import Book
from archive.reader.citation_formats import FORMATS, citation_context
from archive.reader.citations import CitedWork, cite_parallel
from archive.reader.corrected_pairs import has_pairs_of
from archive.reader.sentence_alignment import parallel
from archive.responses import origin
from archive.views.downloads import citation_response

SHOWN_MAX = 12
"""So many of the oldest rulebooks are offered in pairs; any other pair has its address all the same."""


@require_safe
def pairs(request: HttpRequest) -> HttpResponse:
    books = Book.objects.public().catalogued().on_time_line().filter(leaves__isnull=False).distinct()
    books = books[:SHOWN_MAX]
    return render(request, "archive/parallel_pairs.html", {"pairs": list(combinations(books, 2))})


@require_safe
def pair(request: HttpRequest, first: str, second: str) -> HttpResponse:
    old, new, cited = _pair(request, first, second)
    texts = parallel(old, new)
    if texts is None:
        raise Http404("These two cannot be compared: one of them has no text here, or is too long.")
    kept, other = (old, new) if has_pairs_of(old, new) else (new, old)
    editing = reverse("edit-parallel", args=[kept.slug, other.slug])
    context = {"old": old, "new": new, "texts": texts, "editing": editing, **citation_context(cited)}
    return render(request, "archive/parallel.html", context)


@require_safe
def cite(request: HttpRequest, first: str, second: str, format: str) -> HttpResponse:
    if format not in FORMATS:
        raise Http404
    return citation_response(_pair(request, first, second)[2], format)


def _pair(request: HttpRequest, first: str, second: str) -> tuple[Book, Book, CitedWork]:
    if first == second:
        raise Http404("A rulebook cannot be compared with itself.")
    books = Book.objects.public().catalogued().prefetch_related("passages")
    old, new = (get_object_or_404(books, slug=slug) for slug in (first, second))
    return old, new, cite_parallel(old, new, origin(request))
