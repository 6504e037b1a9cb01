"""Addresses for other people's programs: IIIF presentation and content search, TEI."""

from __future__ import annotations

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse

from archive.curation.proofreading import states_of
from archive.iiif import content_search, presentation
from archive.iiif.annotations import line_page, note_page, whole_note_page
from archive.iiif.responses import PRESENTATION, Document, answer, answer_json, open_to_all, origin
from archive.iiif.word_boxes import WordsOnPage, pages_of
from archive.models import Book, Leaf, PageImage
from archive.search import MAX_QUERY_LENGTH
from archive.tei import as_tei

NOT_HELD = "We hold no page of this book, so there is nothing to show. See its rights statement."
VERSIONS = {1: content_search.answer_1, 2: content_search.answer_2}


def _book(slug: str) -> Book:
    try:
        return Book.objects.for_reading().get(slug=slug)
    except Book.DoesNotExist as missing:
        raise Http404("There is no book of this name. The collection lists them all.") from missing


def _shown_book(slug: str) -> Book:
    book = _book(slug)
    if not book.leaves.all():
        raise Http404(NOT_HELD)
    if not any(leaf.image for leaf in book.leaves.all()):
        raise Http404("The pages of this book are not made yet. The keeper of the site can make them.")
    return book


def _leaf(book: Book, number: int) -> tuple[Leaf, PageImage]:
    for leaf in book.leaves.all():
        if leaf.number == number and (image := leaf.image):
            return leaf, image
    raise Http404("This book has no such leaf. Its manifest lists them all.")


def _checked(book: Book) -> dict[int, str]:
    """How far the text of each leaf is checked, in words."""
    return {state.leaf.number: state.words for state in states_of(book)}


@open_to_all
def collection(request: HttpRequest) -> HttpResponse:
    leaves = Prefetch("leaves", Leaf.objects.filter(number=1).with_images())
    books = Book.objects.defer("files").filter(leaves__images__isnull=False).distinct().on_time_line()
    document = presentation.collection(books.prefetch_related(leaves), origin(request))
    return answer_json(request, document)


@open_to_all
def manifest(request: HttpRequest, slug: str) -> HttpResponse:
    book = _shown_book(slug)
    return answer_json(request, presentation.manifest(book, origin(request), _checked(book)))


@open_to_all
def canvas(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = _shown_book(slug)
    document = presentation.canvas(book, *_leaf(book, number), origin(request), _checked(book)[number])
    part_of = [{"id": presentation.manifest_address(origin(request), slug), "type": "Manifest"}]
    context = {"@context": PRESENTATION}
    return answer_json(request, context | document | {"partOf": part_of})


@open_to_all
def lines(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = _shown_book(slug)
    leaf, image = _leaf(book, number)
    return answer_json(request, line_page(book, WordsOnPage(leaf, image), leaf, origin(request)))


@open_to_all
def notes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    book = _shown_book(slug)
    leaf, image = _leaf(book, number)
    pages = {number: WordsOnPage(leaf, image)}
    return answer_json(request, note_page(book, pages, leaf, origin(request)))


@open_to_all
def whole_notes(request: HttpRequest, slug: str) -> HttpResponse:
    return answer_json(request, whole_note_page(_shown_book(slug), origin(request)))


@open_to_all
def content(request: HttpRequest, version: int, slug: str) -> HttpResponse:
    if version not in VERSIONS:
        raise Http404("Content Search is answered in versions 1 and 2.")
    book = _shown_book(slug)
    query = request.GET.get("q", "").replace("\x00", " ")[:MAX_QUERY_LENGTH]
    motives = set(request.GET.get("motivation", "")[:MAX_QUERY_LENGTH].split())
    ignored = [name for name in content_search.IGNORED if name in request.GET]
    matches = content_search.search(book, pages_of(book.leaves.all()), query, motives)
    address = content_search.asked_address(origin(request), version, slug, query, motives)
    document: Document = VERSIONS[version](book, matches, ignored, address, origin(request))
    contexts = {1: presentation.SEARCH_1, 2: presentation.SEARCH_2}
    return answer_json(request, document, contexts[version])


@open_to_all
def tei(request: HttpRequest, slug: str) -> HttpResponse:
    book = _book(slug)
    if not book.leaves.all() and not book.loose_lines:
        raise Http404(NOT_HELD)
    return answer(request, as_tei(book, origin(request)), "application/tei+xml; charset=utf-8")
