"""Uploads of scans: streamed to disk, identified by checksum, examined in the sandbox, stored as pages."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.db import transaction
from django.db.models import Max

from archive.images.derivatives import jpeg
from archive.images.storage import originals, store_file, store_large_file
from archive.models import Book
from archive.models.scans import Original, Scan
from archive.scans import sandbox
from archive.scans.detection import propose_steps
from archive.scans.errors import ScanError
from archive.scans.geometry import record_of
from archive.scans.pages import sort_in
from archive.text_input import clean_line
from people.models import Person

COPY_QUALITY = 88
MAX_NAME = 200
MACHINE = "The machine’s owner"
"""The signature of scans that `manage.py ingest` takes in."""


@dataclass(frozen=True)
class UploadResult:
    """The outcome for one file: new, known already, or refused, with a sentence."""

    name: str
    status: str
    sentence: str
    scans: tuple[Scan, ...] = ()


def receive_file(
    book: Book, file: BinaryIO, name: str, person: Person | None, tiff: bool = False
) -> UploadResult:
    """Take a file in as the last pages of a book. If anything is wrong with it, the result says so and
    nothing is stored."""
    name = clean_line(os.path.basename(name))[:MAX_NAME] or "a file without a name"
    try:
        size = _size(file, settings.INGEST_BYTES_MAX if tiff else settings.SCAN_BYTES_MAX)
        digest = _digest(file)
        known = tuple(Scan.objects.of_book(book).filter(original__digest=digest))
        if known:
            return _known(name, known)
        examined = sandbox.examine(file, tiff)
        scans, new = _store(book, file, Original(digest=digest, name=name, size=size), examined, person)
    except ScanError as refused:
        return UploadResult(name, "refused", sandbox.sentence_for(refused.reason))
    if not new:
        return _known(name, scans)
    pages = f", {len(scans)} pages" if len(scans) > 1 else ""
    words = f"Taken in: {examined.width} × {examined.height} pixels{pages}."
    return UploadResult(name, "new", words, tuple(scans))


def _known(name: str, scans: Sequence[Scan]) -> UploadResult:
    words = f"This picture is here already, as {scans[0].name}. Nothing was added."
    return UploadResult(name, "known", words, tuple(scans))


def _size(file: BinaryIO, most: int) -> int:
    size = file.seek(0, os.SEEK_END)
    if not size:
        raise ScanError("empty")
    if size > most:
        raise ScanError("large")
    return size


def _digest(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


def _store(
    book: Book, file: BinaryIO, original: Original, examined: sandbox.ExaminedFile, person: Person | None
) -> tuple[list[Scan], bool]:
    """The scans of this original, and whether they are new: of two uploads at once, one is first."""
    original.kind, original.width, original.height = examined.kind, examined.width, examined.height
    original.frames, original.person = examined.frames, person
    original.signed = person.name if person else MACHINE
    copies = [examined.copy]
    copies += [sandbox.examine(file, tiff=True, frame=frame).copy for frame in range(1, examined.frames)]
    proposed = [propose_steps(copy) for copy in copies]
    # The files before the rows: a row never names what is not there.
    store_large_file(originals(), original.file_name, file, original.size)
    for frame, copy in enumerate(copies):
        store_file(originals(), original.copy_name(frame), jpeg(copy, COPY_QUALITY))
    with transaction.atomic():
        Book.objects.select_for_update().get(pk=book.pk)
        held, _ = Original.objects.get_or_create(
            digest=original.digest,
            defaults={
                field.name: getattr(original, field.name)
                for field in Original._meta.concrete_fields
                if field.name not in ("id", "digest")
            },
        )
        last = book.scans.aggregate(last=Max("order"))["last"] or 0
        sent = {"name": original.name, "signed": original.signed}
        kept = [
            Scan.objects.get_or_create(
                book=book,
                original=held,
                frame=frame,
                part=Scan.WHOLE,
                defaults={
                    "order": last + 1 + frame,
                    "steps": record_of(one.steps),
                    "doubt": one.doubt,
                    **sent,
                },
            )
            for frame, one in enumerate(proposed)
        ]
        sort_in([scan for scan, new in kept if new])
    return [scan for scan, _ in kept], any(new for _, new in kept)


class ScanUploadHandler(TemporaryFileUploadHandler):
    """Streams a file to disk piece by piece, at most one byte more than a scan may have. The rest is read and
    dropped, so that the browser gets the sentence instead of a broken connection."""

    stored = 0

    @property
    def bytes_max(self) -> int:
        return int(settings.SCAN_BYTES_MAX) + 1

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.stored = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
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

    @property
    def bytes_max(self) -> int:
        return int(settings.FORM_FILE_BYTES_MAX) + 1
