"""Offprints of a book: the file if it is there, else a page that waits for it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from archive.models import Book
from archive.offprints import limits, shelf
from archive.responses import FOR_FIVE_MINUTES, origin
from ratelimit import client_address, limiter

WAIT_SECONDS = 3


@require_safe
def offprint(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    order = shelf.order_of(book, form, origin(request))
    if order is None:
        raise Http404("Nothing of this rulebook was published yet.")
    content = shelf.find(order)
    if content is not None:
        return _file(request, order, content)
    context = {"book": book, "form": shelf.FORMS[form], "failed": shelf.has_failed(order), "fault": None}
    if context["failed"]:
        return render(request, "archive/offprint.html", context, status=503)
    try:
        if not shelf.is_waiting(order):
            limiter.take([(limits.offprints_begun(), client_address.of_request(request))])
            shelf.enqueue(order)
    except limiter.RateLimitError as fault:
        response = render(request, "archive/offprint.html", context | {"fault": fault}, status=429)
        response["Retry-After"] = str(fault.seconds)
        return response
    response = render(request, "archive/offprint.html", context | {"wait": WAIT_SECONDS}, status=202)
    response["Retry-After"] = str(WAIT_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def _file(request: HttpRequest, order: shelf.Order, content: bytes) -> HttpResponse:
    response = HttpResponse(content, content_type=shelf.FORMS[order.form].kind)
    response["Content-Disposition"] = f'inline; filename="{order.download}"'
    response["Cache-Control"] = FOR_FIVE_MINUTES
    # The name of a file carries everything that its content depends on.
    response["ETag"] = f'"{order.digest}-{order.form}"'
    fitting = get_conditional_response(request, etag=response["ETag"], response=response)
    assert isinstance(fitting, HttpResponse)
    return fitting
