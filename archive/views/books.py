"""Pages of books: the whole leaflet, and one leaf of it."""

from __future__ import annotations

from django.core.validators import slug_re
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from archive.models import Book, Leaf
from archive.offprints.shelf import FORMS
from archive.reader.book_page import NOTE_CHOICES, VIEWS, body_of, games_of, read_leaf, with_neighbours
from archive.reader.citation_formats import citation_context
from archive.reader.citations import cite_book
from archive.reader.metadata import book_metadata
from archive.reader.open_in import ways_to_open
from archive.responses import origin
from archive.search import MAX_QUERY_LENGTH

MAX_CODE_LENGTH = 40


def _view(request: HttpRequest) -> str:
    view = request.GET.get("view", "")
    return view if view in VIEWS else "marked"


def _notes(request: HttpRequest) -> str:
    notes = request.GET.get("notes", "")
    return notes if notes in NOTE_CHOICES else "all"


def _query(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:MAX_QUERY_LENGTH]


def _pad(request: HttpRequest) -> str:
    """The code of the pad that a reader came from, and wants to go back to."""
    code = request.GET.get("pad", "")
    return code if len(code) <= MAX_CODE_LENGTH and slug_re.match(code) else ""


@require_safe
def book(request: HttpRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Book.objects.defer("files"), slug=slug)
    query = _query(request)
    body = body_of(shown, query)
    cited = cite_book(shown, origin(request))
    context = {
        "book": shown,
        "body": body,
        "games": games_of(shown),
        "view": _view(request),
        "views": VIEWS.items(),
        "notes": _notes(request),
        "note_choices": NOTE_CHOICES.items(),
        "query": query,
        "offprints": [(f"/books/{slug}/{form.name}", form.title) for form in FORMS.values()],
        "ways": ways_to_open(shown, origin(request)),
        "metadata": book_metadata(cited, body.image, origin(request)),
        **citation_context(cited),
    }
    return render(request, "archive/book.html", context)


@require_safe
def leaf(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = get_object_or_404(Book.objects.catalogued().prefetch_related("passages", "notes"), slug=slug)
    found = get_object_or_404(Leaf.objects.filter(book=book).with_images(), number=number)
    count = Leaf.objects.filter(book=book).count()
    query = _query(request)
    shown = with_neighbours(
        read_leaf(book, found, query), count, lambda other: reverse("leaf", args=[slug, other])
    )
    context = {
        "book": book,
        "shown": shown,
        "count": count,
        "view": _view(request),
        "views": VIEWS.items(),
        "notes": _notes(request),
        "note_choices": NOTE_CHOICES.items(),
        "query": query,
        "lit": request.GET.get("lit", ""),
        "pad": _pad(request),
        "tell_query": f"?page={number}",
    }
    return render(request, "archive/leaf.html", context)
