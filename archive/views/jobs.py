"""Jobs on a stack of scans: begun from the list of scans, watched and stopped on a page of their own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from archive.jobs import stack as stacks
from archive.jobs.worker import process
from archive.models import Book, Job
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.scans.views import list as scan_list
from people.permissions import person_of, requires


@require_POST
@requires("publish")
def stack(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a job on the scans that were ticked, or on all."""
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    ticked = [
        int(number) for number in request.POST.getlist("scan") if number.isdecimal() and len(number) < 16
    ]
    if request.POST.get("all"):
        ticked = list(Scan.objects.filter(book=book).values_list("pk", flat=True))
    try:
        act = request.POST.get("act", "")
        job = stacks.begin(book, person_of(request), act, ticked, request.POST.dict())
    except EditError as refused:
        faults = refused.faults
        return scan_list.page(request, book, status=422, faults=faults, ticked=ticked, sent=request.POST)
    process.start()
    return redirect(job)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def job(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = get_object_or_404(Job.objects.select_related("book"), book__slug=slug, pk=number)
    if request.method == "POST":
        if request.POST.get("act") == "stop":
            stacks.stop(shown)
        return redirect(shown)
    progress = stacks.progress_of(shown)
    if not progress.is_finished:
        # The worker may have ended just when this job was begun, or with the site.
        process.start()
    context = {
        "job": shown,
        "book": shown.book,
        "progress": progress,
        "pages": shown.pages.select_related("scan__original", "scan__book"),
    }
    return render(request, "curation/job.html", context)
