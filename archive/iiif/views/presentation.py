"""IIIF addresses: collection, manifests, canvases, their lines and notes, content search."""

from __future__ import annotations

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse

from archive.curation.proofreading import states_of
from archive.iiif import content_search, presentation, presentation_2
from archive.iiif.alto_page import as_alto
from archive.iiif.line_boxes import WordsOnPage, line_page, pages_of
from archive.iiif.note_annotations import note_page, whole_note_page
from archive.iiif.presentation import NO_PAGES, NO_SUCH_BOOK, PRESENTATION
from archive.iiif.presentation_2 import PRESENTATION_2
from archive.models import Book, Leaf, PageImage
from archive.responses import JsonObject, cached_response, cors_read, json_response, origin
from archive.search import MAX_QUERY_LENGTH

VERSIONS = {1: content_search.response_1, 2: content_search.response_2}


def _book(slug: str) -> Book:
    try:
        return Book.objects.for_reading().get(slug=slug)
    except Book.DoesNotExist as missing:
        raise Http404(NO_SUCH_BOOK) from missing


def _shown_book(slug: str) -> Book:
    book = _book(slug)
    if not book.leaves.all():
        raise Http404(NO_PAGES)
    if not any(leaf.image for leaf in book.leaves.all()):
        raise Http404("The pages of this rulebook are not made yet. The administrator can make them.")
    return book


def _leaf(book: Book, number: int) -> tuple[Leaf, PageImage]:
    for leaf in book.leaves.all():
        if leaf.number == number and (image := leaf.image):
            return leaf, image
    raise Http404("This rulebook has no such page. Its manifest lists them all.")


def _checked(book: Book) -> dict[int, str]:
    """The proofreading state of each leaf, in words."""
    return {state.leaf.number: state.words for state in states_of(book)}


def _collection(request: HttpRequest) -> JsonObject:
    leaves = Prefetch("leaves", Leaf.objects.filter(number=1).with_images())
    books = (
        Book.objects.public().defer("files").filter(leaves__images__isnull=False).distinct().on_time_line()
    )
    return presentation.collection(books.prefetch_related(leaves), origin(request))


def _manifest(request: HttpRequest, slug: str) -> JsonObject:
    book = _shown_book(slug)
    return presentation.manifest(book, origin(request), _checked(book))


@cors_read
def collection(request: HttpRequest) -> HttpResponse:
    return json_response(request, _collection(request), PRESENTATION)


@cors_read
def collection_2(request: HttpRequest) -> HttpResponse:
    return json_response(request, presentation_2.collection(_collection(request)), PRESENTATION_2)


@cors_read
def manifest(request: HttpRequest, slug: str) -> HttpResponse:
    return json_response(request, _manifest(request, slug), PRESENTATION)


@cors_read
def manifest_2(request: HttpRequest, slug: str) -> HttpResponse:
    return json_response(request, presentation_2.manifest(_manifest(request, slug)), PRESENTATION_2)


@cors_read
def canvas(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = _shown_book(slug)
    document = presentation.canvas(book, *_leaf(book, number), origin(request), _checked(book)[number])
    part_of = [{"id": presentation.manifest_address(origin(request), slug), "type": "Manifest"}]
    context = {"@context": PRESENTATION}
    return json_response(request, context | document | {"partOf": part_of}, PRESENTATION)


def _lines(request: HttpRequest, slug: str, number: int) -> JsonObject:
    book = _shown_book(slug)
    leaf, image = _leaf(book, number)
    return line_page(book, WordsOnPage(leaf, image), leaf, origin(request))


@cors_read
def lines(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return json_response(request, _lines(request, slug, number), PRESENTATION)


@cors_read
def lines_2(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    document = presentation_2.annotation_list(_lines(request, slug, number))
    return json_response(request, document, PRESENTATION_2)


@cors_read
def alto(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = _shown_book(slug)
    document = as_alto(book, *_leaf(book, number), origin(request))
    return cached_response(request, document, "application/xml; charset=utf-8")


def _notes(request: HttpRequest, slug: str, number: int) -> JsonObject:
    book = _shown_book(slug)
    leaf, image = _leaf(book, number)
    return note_page(book, {number: WordsOnPage(leaf, image)}, leaf, origin(request))


@cors_read
def notes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return json_response(request, _notes(request, slug, number), PRESENTATION)


@cors_read
def notes_2(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    document = presentation_2.annotation_list(_notes(request, slug, number))
    return json_response(request, document, PRESENTATION_2)


@cors_read
def whole_notes(request: HttpRequest, slug: str) -> HttpResponse:
    return json_response(request, whole_note_page(_shown_book(slug), origin(request)), PRESENTATION)


@cors_read
def content(request: HttpRequest, version: int, slug: str) -> HttpResponse:
    if version not in VERSIONS:
        raise Http404("Content Search is answered in versions 1 and 2.")
    book = _shown_book(slug)
    query = request.GET.get("q", "").replace("\x00", " ")[:MAX_QUERY_LENGTH]
    motives = set(request.GET.get("motivation", "")[:MAX_QUERY_LENGTH].split())
    ignored = [name for name in content_search.IGNORED if name in request.GET]
    matches = content_search.search(book, pages_of(book.leaves.all()), query, motives)
    address = content_search.search_address(origin(request), version, slug, query, motives)
    document: JsonObject = VERSIONS[version](book, matches, ignored, address, origin(request))
    contexts = {1: presentation.SEARCH_1, 2: presentation.SEARCH_2}
    return json_response(request, document, contexts[version])
