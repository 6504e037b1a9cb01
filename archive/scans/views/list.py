"""The scans of a book in their order, and the upload of new ones."""

from __future__ import annotations

from typing import Any, BinaryIO, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from archive.models import Book, Job
from archive.models.scans import Scan
from archive.ocr import tesseract
from archive.scans import pages
from archive.scans.errors import ScanRemovedError
from archive.scans.geometry import TONES
from archive.scans.uploads import ScanUploadHandler, UploadResult, receive_file
from archive.scans.views.preview import find_scan
from people.permissions import person_of, requires

MAX_JOBS = 5
"""So many of the latest jobs are listed."""


def _book(slug: str) -> Book:
    return get_object_or_404(Book.objects.catalogued(), slug=slug)


@require_safe
@requires("publish")
def scans(request: HttpRequest, slug: str) -> HttpResponse:
    return page(request, _book(slug))


def page(
    request: HttpRequest,
    book: Book,
    received: list[UploadResult] | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = more | {
        "book": book,
        "scans": Scan.objects.of_book(book),
        "received": received,
        "jobs": Job.objects.filter(book=book)[:MAX_JOBS],
        "tones": TONES.items(),
        "reader": tesseract.is_installed(),
        "bytes_max": settings.SCAN_BYTES_MAX,
        "megabytes": settings.SCAN_BYTES_MAX // 1_000_000,
    }
    return render(request, "curation/scans.html", context, status=status)


def removed_page(request: HttpRequest, scan: Scan, fault: ScanRemovedError) -> HttpResponse:
    """The answer to an action on a scan that another curator has removed."""
    return page(request, scan.book, status=409, faults=[str(fault)])


# The token of a plain form stands in its body, and reading that takes in the files. So who sends is asked
# first, then where files go is said, and only then is the form read and its token looked at.
@csrf_exempt
@require_POST
@requires("publish")
def upload(request: HttpRequest, slug: str) -> HttpResponse:
    request.upload_handlers = [ScanUploadHandler(request)]
    return _upload(request, slug)


@csrf_protect
def _upload(request: HttpRequest, slug: str) -> HttpResponse:
    book, person = _book(slug), person_of(request)
    received = [
        receive_file(book, cast(BinaryIO, file.file), file.name or "", person)
        for file in request.FILES.getlist("files")
    ]
    if request.headers.get("Accept") == "application/json":
        return _as_json(received)
    taken = any(one.status != "refused" for one in received)
    return page(request, book, received, status=200 if taken else 422)


def _as_json(received: list[UploadResult]) -> HttpResponse:
    """For the script, which sends one file at a time."""
    files = [
        {
            "name": one.name,
            "status": one.status,
            "sentence": one.sentence,
            "address": one.scans[0].get_absolute_url() if one.scans else "",
        }
        for one in received
    ]
    refused = not files or all(one["status"] == "refused" for one in files)
    return JsonResponse({"files": files}, status=422 if refused else 200)


@require_POST
@requires("publish")
def move(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Up or down by one, or to the place that was written."""
    moved = find_scan(slug, number)
    by = {"up": -1, "down": 1}.get(request.POST.get("by", ""))
    to = request.POST.get("to", "")
    try:
        if by is not None:
            pages.move(moved, moved.order + by)
        elif to.isdecimal() and len(to) < 6:
            pages.move(moved, int(to))
    except ScanRemovedError as fault:
        return removed_page(request, moved, fault)
    return redirect(f"{reverse('scans', args=[slug])}#scan-{moved.pk}")
