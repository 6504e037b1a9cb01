"""Uploads of scans: streamed to disk, identified by checksum, examined in the sandbox, stored as pages."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.db import transaction
from django.db.models import Max
from PIL import Image

from archive.images.derivatives import jpeg
from archive.images.storage import originals, store_file, store_large_file
from archive.models import Book
from archive.models.jobs import Job, JobPage
from archive.models.scans import Original, Scan
from archive.scans import sandbox
from archive.scans.detection import ProposedSteps, propose_steps
from archive.scans.errors import ScanError
from archive.scans.formats import DOCUMENTS, HEAD_BYTES, kind_of
from archive.scans.geometry import record_of
from archive.scans.originals import open_original
from archive.scans.pages import sort_in
from archive.text_input import clean_line
from people.models import Person

COPY_QUALITY = 88
MAX_NAME = 200
MACHINE = "The administrator"

Pages = Mapping[int, tuple[Image.Image, ProposedSteps]]
"""The signature of scans that `manage.py ingest` takes in."""


@dataclass(frozen=True)
class UploadResult:
    """The outcome for one file: new, known already, or refused, with a sentence. `job` takes in the pages of
    a document that are still to come; `reason` is that of a refusal."""

    name: str
    status: str
    sentence: str
    scans: tuple[Scan, ...] = ()
    job: Job | None = None
    reason: str = ""

    @property
    def address(self) -> str:
        """Where its curator goes on."""
        if self.job is not None:
            return self.job.get_absolute_url()
        return self.scans[0].get_absolute_url() if self.scans else ""


def receive_file(
    book: Book, file: BinaryIO, name: str, person: Person | None, on_machine: bool = False
) -> UploadResult:
    """Take a file in as the last pages of a book. If anything is wrong with it, the result says so and
    nothing is stored. Of a document the first page comes in at once and the others by a job; all at once
    where the machine's owner asks."""
    name = file_name_from(name)
    try:
        size = _size(file, on_machine)
        digest = digest_of(file)
        known = tuple(Scan.objects.of_book(book).filter(original__digest=digest))
        if known and not frames_missing(book, known[0].original):
            return _known(name, known)
        examined = sandbox.examine(file)
        original = Original(digest=digest, name=name, size=size, person=person, signed=_signed(person))
        scans, new = _store(book, file, original, examined, range(examined.frames) if on_machine else (0,))
    except ScanError as refused:
        return UploadResult(name, "refused", sandbox.sentence_for(refused.reason), reason=refused.reason)
    job = begin_unpacking(book, scans[0].original, name, person) if person else None
    if not new and job is None:
        return _known(name, scans)
    pages = f", {examined.frames} pages" if examined.frames > 1 else ""
    follow = ". The pages follow in the background" if job else ""
    words = f"Taken in: {examined.width} × {examined.height} pixels{pages}{follow}."
    return UploadResult(name, "new", words, tuple(scans), job)


def file_name_from(told: str) -> str:
    return clean_line(os.path.basename(told))[:MAX_NAME] or "a file without a name"


def _signed(person: Person | None) -> str:
    return person.name if person else MACHINE


def _known(name: str, scans: Sequence[Scan]) -> UploadResult:
    words = f"This picture is here already, as {scans[0].name}. Nothing was added."
    return UploadResult(name, "known", words, tuple(scans))


def _size(file: BinaryIO, on_machine: bool) -> int:
    size = file.seek(0, os.SEEK_END)
    if not size:
        raise ScanError("empty")
    file.seek(0)
    most = settings.INGEST_BYTES_MAX if on_machine else bytes_max(file.read(HEAD_BYTES))
    if size > most:
        raise ScanError("large")
    return size


def bytes_max(head: bytes) -> int:
    """How large a file that begins like this may be."""
    try:
        is_document = kind_of(head) in DOCUMENTS
    except ScanError:
        is_document = False
    return int(settings.SCAN_DOCUMENT_BYTES_MAX if is_document else settings.SCAN_BYTES_MAX)


def digest_of(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


def _store(
    book: Book,
    file: BinaryIO,
    original: Original,
    examined: sandbox.ExaminedFile,
    frames: Sequence[int],
) -> tuple[list[Scan], bool]:
    """The scans of this original, and whether they are new: of two uploads at once, one is first."""
    original.kind, original.width, original.height = examined.kind, examined.width, examined.height
    original.frames = examined.frames
    pages = proposed({n: sandbox.examine(file, n).copy if n else examined.copy for n in frames})
    # The files before the rows: a row never names what is not there.
    store_large_file(originals(), original.file_name, file, original.size)
    return store_scans(book, original, pages)


def proposed(copies: Mapping[int, Image.Image]) -> Pages:
    """Pages by their small copies, each with the steps that are proposed for it."""
    return {frame: (copy, propose_steps(copy)) for frame, copy in copies.items()}


def store_scans(book: Book, original: Original, pages: Pages, **told: Any) -> tuple[list[Scan], bool]:
    """Scans of these pages of an original, each with its small copy; and whether any is new. `told` is what
    is known of the scans besides."""
    for frame, (copy, _) in pages.items():
        store_file(originals(), original.copy_name(frame), jpeg(copy, COPY_QUALITY))
    told = {"name": original.name, "signed": original.signed} | told
    with transaction.atomic():
        Book.objects.select_for_update().get(pk=book.pk)
        original = original if original.pk else stored_row(original)
        last = book.scans.aggregate(last=Max("order"))["last"] or 0
        kept = [
            Scan.objects.get_or_create(
                book=book,
                original=original,
                frame=frame,
                part=Scan.WHOLE,
                defaults={
                    "order": last + 1 + place,
                    "steps": record_of(one.steps),
                    "doubt": one.doubt,
                    **told,
                },
            )
            for place, (frame, (_, one)) in enumerate(pages.items())
        ]
        sort_in([scan for scan, new in kept if new])
    return [scan for scan, _ in kept], any(new for _, new in kept)


def stored_row(original: Original) -> Original:
    """The row of an original, which another book may have made."""
    names = {field.name for field in Original._meta.concrete_fields} - {"id", "digest"}
    defaults = {name: getattr(original, name) for name in names}
    return Original.objects.get_or_create(digest=original.digest, defaults=defaults)[0]


def frames_missing(book: Book, original: Original) -> list[int]:
    """The pages of a document that this book does not have yet."""
    if original.frames == 1:
        return []
    held = set(Scan.objects.filter(book=book, original=original).values_list("frame", flat=True))
    return [frame for frame in range(original.frames) if frame not in held]


def begin_unpacking(book: Book, original: Original, name: str, person: Person) -> Job | None:
    """A job on the pages of a document that are not in the book yet; the one that works on them already, if
    there is one; None if there are none."""
    with transaction.atomic():
        Book.objects.select_for_update().get(pk=book.pk)
        jobs = Job.objects.filter(book=book, act=Job.UNPACK, options__digest=original.digest)
        under_way = jobs.filter(pages__state=JobPage.WAITING).first()
        missing = frames_missing(book, original)
        if under_way is not None or not missing:
            return under_way
        options = {"digest": original.digest, "name": name}
        job = Job.objects.create(
            book=book, act=Job.UNPACK, options=options, person=person, signed=person.name
        )
        JobPage.objects.bulk_create(
            JobPage(job=job, order=frame, given={"frame": frame, "title": f"{name}, page {frame + 1}"})
            for frame in missing
        )
    return job


def unpack_page(book: Book, digest: str, frame: int, name: str, signed: str) -> Scan:
    """Take in one page of a document that was stored before; ScanError if it cannot be opened."""
    original = Original.objects.filter(digest=digest).first()
    if original is None:
        raise ScanError("lost")
    with open_original(original) as file:
        copy = sandbox.examine(file, frame).copy
    return store_scans(book, original, proposed({frame: copy}), name=name, signed=signed)[0][0]


class ScanUploadHandler(TemporaryFileUploadHandler):
    """Streams a file to disk piece by piece, at most one byte more than a scan may have. The rest is read and
    dropped, so that the browser gets the sentence instead of a broken connection."""

    stored = 0
    bytes_max = 0

    def most(self, head: bytes) -> int:
        """How many bytes a file that begins like this may have."""
        return bytes_max(head)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.stored = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if not self.stored:
            self.bytes_max = self.most(raw_data[:HEAD_BYTES]) + 1
        piece = raw_data[: self.bytes_max - self.stored]
        self.stored += len(piece)
        if piece:
            self.file.write(piece)

    def file_complete(self, file_size: int) -> TemporaryUploadedFile:
        self.file.seek(0)
        self.file.size = self.stored
        return self.file


class FormUploadHandler(ScanUploadHandler):
    """The same with the limit of every other form."""

    def most(self, head: bytes) -> int:
        return int(settings.FORM_FILE_BYTES_MAX)
