"""Import of pages from another institution: chosen from its manifest, brought over by a job, one by one."""

from __future__ import annotations

import hashlib
import io
import re
import tempfile
import threading
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.conf import settings
from django.db import transaction

from archive.iiif_source import client
from archive.iiif_source.errors import SourceError, TooLargeError
from archive.iiif_source.manifest import Manifest, ManifestPage, read_manifest
from archive.models import Book
from archive.models.jobs import Job, JobPage
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.scans.errors import ScanError
from archive.scans.formats import DOCUMENTS, HEAD_BYTES, kind_of
from archive.scans.uploads import UploadResult, receive_file
from people.models import Person

PAGES_MOST = 500
"""So many pages go into one import."""
RANGE = re.compile(r"\s*(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*$")
LOOKS_AT_ONCE = 2
_looks = threading.BoundedSemaphore(LOOKS_AT_ONCE)


@dataclass(frozen=True)
class Look:
    """A manifest as it was shown; `digest` tells whether it is the same when its pages are asked for."""

    manifest: Manifest
    digest: str


def look(address: str) -> Look:
    """Fetch a manifest. Of several that are asked for at once some are asked to wait: each holds a thread."""
    if not _looks.acquire(blocking=False):
        raise SourceError("Other manifests are being fetched. Try again in a few seconds.")
    try:
        content = io.BytesIO()
        client.fetch(address.strip(), content, settings.IIIF_MANIFEST_BYTES_MAX)
    finally:
        _looks.release()
    manifest = read_manifest(content.getvalue(), address.strip())
    return Look(manifest, hashlib.sha256(content.getvalue()).hexdigest())


def chosen_pages(manifest: Manifest, written: str) -> list[ManifestPage]:
    """The pages of these numbers, “1-12, 15”; all of them if nothing is written."""
    numbers: set[int] = set()
    for part in filter(str.strip, written.split(",")):
        found = RANGE.match(part)
        if found is None:
            raise EditError("Write numbers of pages like 1-12, 15.", field="pages")
        first, last = int(found[1]), int(found[2] or found[1])
        numbers.update(range(first, last + 1))
    pages = [page for page in manifest.pages if page.number in numbers or not written.strip()]
    if not pages:
        raise EditError("This manifest has none of these pages.", field="pages")
    if len(pages) > PAGES_MOST:
        raise EditError(f"At most {PAGES_MOST} pages at once.", field="pages")
    return pages


def begin(book: Book, person: Person, manifest: Manifest, pages: list[ManifestPage]) -> Job:
    """A job that brings these pages over. What the manifest says is kept with it."""
    options = {
        "manifest": manifest.address,
        "label": manifest.label,
        "metadata": manifest.metadata,
        "credits": manifest.credits,
    }
    with transaction.atomic():
        job = Job.objects.create(book=book, act=Job.IIIF, options=options, person=person, signed=person.name)
        JobPage.objects.bulk_create(
            JobPage(
                job=job,
                order=place,
                given={"title": _name(manifest, page), "canvas": page.canvas, "images": page.images},
            )
            for place, page in enumerate(pages)
        )
    return job


def _name(manifest: Manifest, page: ManifestPage) -> str:
    """The name of its scan. The number comes first, so that pages stand in the order of the manifest."""
    return f"{manifest.label[:80]} {page.number}: {page.label[:80]}"


def bring_over(page: JobPage) -> Scan:
    """Bring one page over; EditError with a sentence if it cannot be had, or is no picture that we take."""
    refusal: EditError = SourceError("This page has no image.")
    for address in page.given["images"]:
        with tempfile.TemporaryFile() as file:
            try:
                client.fetch(address, cast(BinaryIO, file), settings.SCAN_BYTES_MAX)
                return _take_in(page, cast(BinaryIO, file))
            except SourceError as refused:
                refusal = refused
                # Another size of the image is asked for only where this one is too large, or not offered.
                if not isinstance(refused, TooLargeError) and "answered with 4" not in str(refused):
                    break
    raise refusal


def _take_in(page: JobPage, file: BinaryIO) -> Scan:
    file.seek(0)
    try:
        is_document = kind_of(file.read(HEAD_BYTES)) in DOCUMENTS
    except ScanError:
        is_document = True
    if is_document:
        raise EditError("What came is not a JPEG, PNG or WebP image.")
    job = page.job
    result: UploadResult = receive_file(job.book, file, page.title.replace("/", "–"), job.person)
    if not result.scans:
        if result.reason in ("pixels", "side", "large"):
            raise TooLargeError(result.sentence)
        raise EditError(result.sentence)
    scan = result.scans[0]
    if result.status == "new":
        scan.credits = {**job.options["credits"], "canvas": page.given["canvas"][:500]}
        scan.save(update_fields=["credits"])
    return scan
