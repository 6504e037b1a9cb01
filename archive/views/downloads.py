"""Downloads of a book: plain text, JSON, TEI, and citations of it and of its passages."""

from __future__ import annotations

import json

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from archive.iiif.presentation import NO_PAGES, NO_SUCH_BOOK
from archive.models import Book, Leaf, Note
from archive.models.history import Revision
from archive.reader.citation_formats import FORMATS
from archive.reader.citations import CitedWork, cite_book, cite_note, cite_passage, cite_revision
from archive.reader.downloads import LAYERS, as_json, as_plain_text
from archive.reader.evidence import lines_of
from archive.responses import cached_response, cors_read, origin
from archive.tei import as_tei
from archive.views.passages import find_passage


@require_safe
def cite(request: HttpRequest, slug: str, format: str, anchor: str = "") -> HttpResponse:
    if not anchor:
        return citation_response(cite_book(get_object_or_404(Book, slug=slug), origin(request)), format)
    found = find_passage(slug, anchor)
    if anchor in found.aliases:
        return redirect("passage-cite", slug, found.anchor, format, permanent=True)
    lines = lines_of(found)
    style = lines[0].style if lines else ""
    return citation_response(cite_passage(found, origin(request), style), format)


@require_safe
def cite_a_note(request: HttpRequest, slug: str, id: str, format: str) -> HttpResponse:
    note = get_object_or_404(Note.objects.select_related("book"), book__slug=slug, slug=id)
    return citation_response(cite_note(note, origin(request)), format)


@require_safe
def cite_a_revision(request: HttpRequest, slug: str, number: int, format: str) -> HttpResponse:
    revision = get_object_or_404(Revision.objects.select_related("book"), book__slug=slug, number=number)
    return citation_response(cite_revision(revision.book, revision, origin(request)), format)


def citation_response(cited: CitedWork, format: str) -> HttpResponse:
    if format not in FORMATS:
        raise Http404
    write, kind, _, ending = FORMATS[format]
    response = HttpResponse(write(cited), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{cited.key}.{ending}"'
    return response


@require_safe
def text(request: HttpRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Book.objects.prefetch_related("leaves"), slug=slug)
    layer = request.GET.get("layer", "reading")
    if layer not in LAYERS:
        sentence = f"The text has the layers {' and '.join(LAYERS)}. Ask for one of them: ?layer=printed.\n"
        return HttpResponse(sentence, status=404, content_type="text/plain; charset=utf-8")
    body = as_plain_text(shown, layer, origin(request))
    return HttpResponse(body, content_type="text/plain; charset=utf-8")


@require_safe
def book_json(request: HttpRequest, slug: str) -> HttpResponse:
    leaves = Prefetch("leaves", Leaf.objects.with_images())
    books = Book.objects.prefetch_related(leaves, "passages", "notes__passage", "variants", "brief_lines")
    shown = get_object_or_404(books, slug=slug)
    body = json.dumps(as_json(shown, origin(request)), ensure_ascii=False, indent=1) + "\n"
    response = cached_response(request, body.encode(), "application/json")
    response["Access-Control-Allow-Origin"] = "*"
    return response


@cors_read
def tei(request: HttpRequest, slug: str) -> HttpResponse:
    book = Book.objects.for_reading().filter(slug=slug).first()
    if book is None:
        raise Http404(NO_SUCH_BOOK)
    if not book.leaves.all() and not book.loose_lines:
        raise Http404(NO_PAGES)
    return cached_response(request, as_tei(book, origin(request)), "application/tei+xml; charset=utf-8")
