"""The upload of scans: pictures, and documents whose further pages a job takes in."""

from __future__ import annotations

from typing import BinaryIO, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from archive.jobs.worker import process
from archive.models import Book
from archive.scans.uploads import ScanUploadHandler, UploadResult, receive_file
from archive.scans.views import list as scan_list
from people.permissions import person_of, requires


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
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    person = person_of(request)
    received = [
        receive_file(book, cast(BinaryIO, file.file), file.name or "", person)
        for file in request.FILES.getlist("files")
    ]
    if any(one.job for one in received):
        process.start()
    if request.headers.get("Accept") == "application/json":
        return _as_json(received)
    taken = any(one.status != "refused" for one in received)
    return scan_list.page(request, book, received, status=200 if taken else 422)


def _as_json(received: list[UploadResult]) -> HttpResponse:
    """For the script, which sends one file at a time."""
    files = [
        {
            "name": one.name,
            "status": one.status,
            "sentence": one.sentence,
            "address": one.address,
        }
        for one in received
    ]
    refused = not files or all(one["status"] == "refused" for one in files)
    return JsonResponse({"files": files}, status=422 if refused else 200)
