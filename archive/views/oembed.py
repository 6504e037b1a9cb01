"""oEmbed: a passage as a quotation that other sites can show when its address is pasted there."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.html import format_html
from django.utils.safestring import SafeString

from archive.models import Book, Passage
from archive.reader.citations import shortened
from archive.responses import FOR_FIVE_MINUTES, cors_read, origin
from archive.site import site

LONGEST_ADDRESS = 2_000
WIDTH, WIDTH_LEAST, HEIGHT = 600, 200, 240
CACHED_SECONDS = 86_400
LETTERS_MOST = 600
NO_PASSAGE = "This is not the address of a passage here."


@cors_read
def oembed(request: HttpRequest) -> HttpResponse:
    if request.GET.get("format", "json") != "json":
        sentence = "Only JSON is given: format=json.\n"
        return HttpResponse(sentence, status=501, content_type="text/plain; charset=utf-8")
    passage = _passage(request)
    book = passage.book
    address = f"{origin(request)}{passage.get_absolute_url()}"
    document = {
        "version": "1.0",
        "type": "rich",
        "title": f"{book.short_title}: {passage.section}" if passage.section else book.short_title,
        "author_name": book.imprint or site().name,
        "provider_name": site().name,
        "provider_url": f"{origin(request)}/",
        "cache_age": CACHED_SECONDS,
        "html": _quotation(passage, address),
        "width": _most(request, "maxwidth", WIDTH, WIDTH_LEAST),
        "height": _most(request, "maxheight", HEIGHT, 1),
    }
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = FOR_FIVE_MINUTES
    return response


def _passage(request: HttpRequest) -> Passage:
    """The public passage whose address is asked for; Http404 for anything else."""
    asked = request.GET.get("url", "")
    if len(asked) > LONGEST_ADDRESS or "\x00" in asked:
        raise Http404(NO_PASSAGE)
    try:
        address = urlsplit(asked)
        match = resolve(address.path)
    except (ValueError, Resolver404):
        raise Http404(NO_PASSAGE) from None
    if address.netloc != request.get_host() or match.url_name != "passage":
        raise Http404(NO_PASSAGE)
    named = Passage.objects.named(match.kwargs["slug"], match.kwargs["anchor"])
    found = named.filter(book__state=Book.PUBLIC).select_related("book").first()
    if found is None:
        raise Http404(NO_PASSAGE)
    return found


def _most(request: HttpRequest, name: str, usual: int, least: int) -> int:
    typed = request.GET.get(name, "")
    is_number = typed.isascii() and typed.isdigit() and len(typed) < 6
    return max(min(int(typed), usual), least) if is_number else usual


def _quotation(passage: Passage, address: str) -> SafeString:
    """The words with where they stand; nothing in it runs, and it fetches nothing."""
    book = passage.book
    dated = f"{book.short_title}, {book.year}" if book.year else book.short_title
    said = "Tallyroom’s words on" if passage.is_ours else "From"
    return format_html(
        '<blockquote cite="{}" lang="{}"><p>{}</p>'
        '<footer>{} <a href="{}"><cite>{}</cite></a>, {}</footer></blockquote>',
        address,
        book.language,
        shortened(passage.reading or passage.printed, LETTERS_MOST),
        said,
        address,
        dated,
        site().name,
    )
