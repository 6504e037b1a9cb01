"""Sources that our notes cite, book by book; and how the sample pad of 1942 was reconstructed."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from archive.models import Book, Note
from archive.sample_pad import reconstruct_all

SAMPLE_BOOK = "victory-rummy-1942"


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    books = [book for book in Book.objects.public().catalogued().on_time_line() if book.sources]
    cited: dict[tuple[int, str], list[Note]] = {}
    for note in Note.objects.filter(book__in=books).exclude(sources=[]):
        for key in note.sources:
            cited.setdefault((note.book_id, key), []).append(note)
    shelves = [
        (book, [(source, cited.get((book.pk, source["key"]), [])) for source in book.sources])
        for book in books
    ]
    return render(request, "archive/sources.html", {"shelves": shelves})


@require_safe
def sample_pad(request: HttpRequest, slug: str) -> HttpResponse:
    if slug != SAMPLE_BOOK:
        raise Http404("Only the rulebook of 1942 has a sample pad.")
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    columns, moved, counts = reconstruct_all()
    return render(
        request,
        "archive/sample_pad.html",
        {"book": book, "columns": columns, "moved": moved, "counts": counts},
    )
