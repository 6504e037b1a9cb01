"""The pages that belong to neither app: the shelf, the state of the site, and what went wrong."""

import logging
import os
import re
import sys
import time
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import service_errors
from config.server import leaving
from home import bookshelf, recent_pads, timeline
from scorepad.live import hub

log = logging.getLogger(__name__)


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    books = bookshelf.books()
    context = {
        "heading": bookshelf.heading(),
        "books": books,
        "line": timeline.draw([book.year for book in books]),
        "starts": bookshelf.starts(),
        "rights": bookshelf.rights(books),
        "has_scans": bookshelf.has_scans(books),
        "known": recent_pads.pads_of(request),
    }
    response = render(request, "home/home.html", context)
    if context["known"]:
        # The pads of one phone are nobody else's to see.
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie"])
    return response


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    books = bookshelf.books()
    context = {
        "rights": bookshelf.rights(books),
        "undated": [book for book in books if not book.year],
        "sentence": bookshelf.sentence("victory-rummy-1942", "enter-score"),
        "has_scans": bookshelf.has_scans(books),
    }
    return render(request, "home/about.html", context)


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Every part of the look on one page; there only while DEBUG is on."""
    books = bookshelf.books()
    context = {
        "sides": ["day", "night"],
        "colours": re.findall(r"swatch--([\w-]+)", (settings.BASE_DIR / "static/css/style.css").read_text()),
        "sizes": ["xs", "s", "m", "l", "xl", "2xl"],
        "books": books,
        "line": timeline.draw([book.year for book in books]),
        "sentence": bookshelf.sentence("victory-rummy-1942", "score-capture"),
    }
    return render(request, "home/style.html", context)


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 when rows and images can be read and written, else 503; says which, and nothing more."""
    state = {"database": database_state(), "storage": storage_state()}
    well = all(word == "ok" for word in state.values())
    return JsonResponse({"status": "ok" if well else "unwell", **state}, status=200 if well else 503)


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """200 when visitors may be sent here: rows and folders at hand, phones told of news, not stopping."""
    state = {
        "database": database_state(),
        "migrations": migrations_state(),
        "storage": storage_state(),
        "streams": "ok" if hub.is_well() else "deaf",
        "serving": "stopping" if leaving.has_begun() else "ok",
    }
    # A bucket is of all machines: were each not ready for its sake, nobody could play, who needs no image.
    well = all(word == "ok" for name, word in state.items() if name != "storage" or not is_in_bucket())
    return JsonResponse({"status": "ready" if well else "not ready", **state}, status=200 if well else 503)


def database_state() -> str:
    if not getattr(connection, "is_in_place", lambda: True)():
        return "missing"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except Error:
        return "unreachable"
    return "ok"


_all_applied = False


def migrations_state() -> str:
    """Whether the rows have everything this version needs. They may have more: a newer one runs beside it."""
    global _all_applied
    if _all_applied:
        return "ok"
    try:
        executor = MigrationExecutor(connection)
        _all_applied = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return "unknown"
    return "ok" if _all_applied else "missing"


def is_in_bucket() -> bool:
    return not isinstance(storages["pages"], FileSystemStorage)


def storage_state() -> str:
    if is_in_bucket():
        return bucket_state(storages["pages"])
    folder = settings.MEDIA_ROOT
    if not folder.is_dir():
        return "missing"
    return "ok" if os.access(folder, os.R_OK | os.W_OK | os.X_OK) else "not writable"


BUCKET_SECONDS = 30.0
BUCKET_ASKED_SECONDS = 120.0
"""Longer than all tries of the bucket's library together."""
_bucket: tuple[float, str] = (0.0, "unknown")


def bucket_state(storage: Storage) -> str:
    """Whether the bucket takes a file; asked twice a minute at most, however often somebody looks."""
    global _bucket
    now = time.monotonic()
    if now < _bucket[0]:
        return _bucket[1]
    # One asks, and may wait long for a bucket that hangs; the others are told what was known.
    _bucket = (now + BUCKET_ASKED_SECONDS, _bucket[1])
    try:
        storage.delete(storage.save("ready", ContentFile(b"ready\n")))
        word = "ok"
    except Exception as fault:
        log.warning("The bucket of the page images takes no file: %s", type(fault).__name__)
        word = "unreachable"
    _bucket = (time.monotonic() + BUCKET_SECONDS, word)
    return word


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django itself refuses before a view sees it: too large, or not readable at all."""
    is_large = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    return trouble(request, 413 if is_large else 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return trouble(request, 404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return trouble(request, 403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return trouble(request, 403, form_expired=True)


def server_error(request: HttpRequest) -> HttpResponse:
    # A full disk may show before or after the view, where a form is read or a session is kept.
    return service_errors.answer(request, sys.exc_info()[1]) or trouble(request, 500)


def trouble(request: HttpRequest, status: int, **context: Any) -> HttpResponse:
    return render(request, f"{status}.html", context, status=status)
