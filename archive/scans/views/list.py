"""The scans of a book in their order."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from archive.models import Book, Job, JobPage, Leaf
from archive.models.scans import Scan
from archive.ocr import tesseract
from archive.scans import pages
from archive.scans.errors import ScanRemovedError
from archive.scans.geometry import TONES
from archive.scans.uploads import UploadResult
from archive.scans.views.preview import find_scan
from people.permissions import requires

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
        "leaves": Leaf.objects.filter(book=book).count(),
        "jobs": Job.objects.filter(book=book).annotate(
            waiting=Count("pages", filter=Q(pages__state=JobPage.WAITING)),
            failed=Count("pages", filter=Q(pages__state=JobPage.FAILED)),
        )[:MAX_JOBS],
        "tones": TONES.items(),
        "reader": tesseract.is_installed(),
        "languages": tesseract.installed_languages(),
        "bytes_max": settings.SCAN_BYTES_MAX,
        "document_bytes_max": settings.SCAN_DOCUMENT_BYTES_MAX,
        "megabytes": settings.SCAN_BYTES_MAX // 1_000_000,
        "document_megabytes": settings.SCAN_DOCUMENT_BYTES_MAX // 1_000_000,
    }
    return render(request, "curation/scans.html", context, status=status)


def removed_page(request: HttpRequest, scan: Scan, fault: ScanRemovedError) -> HttpResponse:
    """The answer to an action on a scan that another curator has removed."""
    return page(request, scan.book, status=409, faults=[str(fault)])


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
