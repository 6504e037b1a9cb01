"""Pages of books: the whole leaflet, one leaf of it, one passage; and the plain downloads."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from archive.iiif.responses import answer, origin
from archive.images.clips import clip_picture
from archive.lookup import quotation
from archive.models import Book, Leaf, Passage, Variant
from archive.reader import metadata
from archive.reader.book_page import body_of, games_of
from archive.reader.citations import FORMATS, Cited, as_text, cite_book, cite_passage
from archive.reader.downloads import LAYERS, as_json, as_plain_text
from archive.reader.reading import VIEWS, read_leaf, read_passage, with_ways
from archive.reader.regions import clip_of
from archive.reader.scoring import scored_by
from archive.search import MAX_QUERY_LENGTH


def _view(request: HttpRequest) -> str:
    view = request.GET.get("view", "")
    return view if view in VIEWS else "marked"


def _query(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:MAX_QUERY_LENGTH]


def _cites(cited: Cited) -> dict[str, Any]:
    return {
        "cited": cited,
        "citation": as_text(cited),
        "formats": [(key, row[2]) for key, row in FORMATS.items()],
    }


@require_safe
def book(request: HttpRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Book.objects.defer("files"), slug=slug)
    query = _query(request)
    body = body_of(shown, query)
    context = {
        "book": shown,
        "body": body,
        "games": games_of(shown),
        "view": _view(request),
        "views": VIEWS.items(),
        "query": query,
        "metadata": metadata.of_book(shown, body.image, origin(request)),
        **_cites(cite_book(shown, origin(request))),
    }
    return render(request, "archive/book.html", context)


@require_safe
def leaf(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = get_object_or_404(Book.objects.catalogued().prefetch_related("passages", "notes"), slug=slug)
    found = get_object_or_404(Leaf.objects.filter(book=book).with_images(), number=number)
    count = Leaf.objects.filter(book=book).count()
    query = _query(request)
    shown = with_ways(read_leaf(book, found, query), count, lambda other: reverse("leaf", args=[slug, other]))
    context = {
        "book": book,
        "shown": shown,
        "count": count,
        "view": _view(request),
        "views": VIEWS.items(),
        "query": query,
    }
    return render(request, "archive/leaf.html", context)


def _find_passage(slug: str, anchor: str) -> Passage:
    passages = Passage.objects.named(slug, anchor).select_related("book")
    return get_object_or_404(passages.prefetch_related("notes"))


@require_safe
@vary_on_headers("HX-Request")
def passage(request: HttpRequest, slug: str, anchor: str) -> HttpResponse:
    found = _find_passage(slug, anchor)
    if anchor in found.aliases:
        return HttpResponsePermanentRedirect(found.get_absolute_url())
    notes = list(found.notes.all())
    if "fragment" in request.GET or getattr(request, "htmx", False):
        return render(request, "archive/_passage.html", quotation(found, notes))
    leaves = list(Leaf.objects.filter(book=found.book, number__in=found.leaves).with_images())
    blocks, reader = read_passage(found, leaves, notes)
    images = [(leaf, leaf.image) for leaf in leaves]
    clips = [(leaf, image, box) for leaf, image in images if image and (box := clip_of(image, found.anchor))]
    cited = cite_passage(found, origin(request))
    context = quotation(found, notes) | {
        "blocks": blocks,
        "notes": list(reader.notes.values()),
        "clips": [(leaf, image, clip_picture(image, box, _where(leaf))) for leaf, image, box in clips],
        "scored": scored_by(slug, found.anchors),
        "variants": [v for v in Variant.objects.filter(book=found.book) if _rests_on(v, found)],
        "neighbours": _neighbours(found),
        "metadata": metadata.of_passage(found, cited, clips, origin(request)),
        **_cites(cited),
    }
    return render(request, "archive/passage.html", context)


def _where(leaf: Leaf) -> str:
    return f"The place on leaf {leaf.number} where it stands"


def _rests_on(variant: Variant, passage: Passage) -> bool:
    return any(f"{passage.book.slug}/{anchor}" in variant.cites for anchor in passage.anchors)


def _neighbours(passage: Passage) -> dict[str, Passage]:
    near = Passage.objects.filter(book=passage.book, order__in=[passage.order - 1, passage.order + 1])
    return {"before" if other.order < passage.order else "after": other for other in near}


@require_safe
def cite(request: HttpRequest, slug: str, format: str, anchor: str = "") -> HttpResponse:
    if format not in FORMATS:
        raise Http404
    write, kind, _ = FORMATS[format]
    if anchor:
        found = _find_passage(slug, anchor)
        if anchor in found.aliases:
            return redirect("passage-cite", slug, found.anchor, format, permanent=True)
        cited = cite_passage(found, origin(request))
    else:
        cited = cite_book(get_object_or_404(Book, slug=slug), origin(request))
    response = HttpResponse(write(cited), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{cited.key}.{format}"'
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
    response = answer(request, body.encode(), "application/json")
    response["Access-Control-Allow-Origin"] = "*"
    return response
