"""Taking a file in: known by its checksum, examined behind the door, kept untouched, proposed as a page."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.db.models import Max
from PIL import Image

from archive.images.derivatives import jpeg
from archive.images.storage import keep, keep_large, originals
from archive.models import Book
from archive.models.scans import Original, Scan
from archive.scans import sandbox
from archive.scans.errors import Refused
from archive.scans.geometry import record_of
from archive.scans.proposing import propose
from archive.text_input import clean_line
from people.models import Person

COPY_QUALITY = 88
NAME_MOST = 200
MACHINE = "The machine’s owner"
"""Signs what `manage.py ingest` brings."""


@dataclass(frozen=True)
class Received:
    """What became of a file: new, known already, or refused; in a sentence."""

    name: str
    status: str
    sentence: str
    scans: tuple[Scan, ...] = ()


def receive(book: Book, file: BinaryIO, name: str, person: Person | None, tiff: bool = False) -> Received:
    """Take a file in as the last pages of a book. Whatever is wrong with it is said, and nothing is kept."""
    name = clean_line(os.path.basename(name))[:NAME_MOST] or "a file without a name"
    try:
        size = _size(file, settings.INGEST_BYTES_MAX if tiff else settings.SCAN_BYTES_MAX)
        digest = _digest(file)
        known = tuple(Scan.objects.of_book(book).filter(original__digest=digest))
        if known:
            return _known(name, known)
        examined = sandbox.examine(file, tiff)
        scans, new = _keep(book, file, Original(digest=digest, name=name, size=size), examined, person)
    except Refused as refused:
        return Received(name, "refused", sandbox.words_for(refused.reason))
    if not new:
        return _known(name, scans)
    pages = f", {len(scans)} pages" if len(scans) > 1 else ""
    words = f"Taken in: {examined.width} × {examined.height} pixels{pages}."
    return Received(name, "new", words, tuple(scans))


def _known(name: str, scans: Sequence[Scan]) -> Received:
    words = f"This picture is here already, as {scans[0].original.name}. Nothing was added."
    return Received(name, "known", words, tuple(scans))


def _size(file: BinaryIO, most: int) -> int:
    size = file.seek(0, os.SEEK_END)
    if not size:
        raise Refused("empty")
    if size > most:
        raise Refused("large")
    return size


def _digest(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


def _keep(
    book: Book, file: BinaryIO, original: Original, examined: sandbox.Examined, person: Person | None
) -> tuple[list[Scan], bool]:
    """The scans of this original, and whether they are new: of two who send it at once, one is first."""
    original.kind, original.width, original.height = examined.kind, examined.width, examined.height
    original.frames, original.person = examined.frames, person
    original.signed = person.name if person else MACHINE
    copies = [examined.copy]
    copies += [sandbox.examine(file, tiff=True, frame=frame).copy for frame in range(1, examined.frames)]
    # The files first: a row never names what is not there.
    keep_large(originals(), original.file_name, file, original.size)
    for frame, copy in enumerate(copies):
        keep(originals(), original.copy_name(frame), jpeg(copy, COPY_QUALITY))
    steps = [record_of(propose(copy)) for copy in copies]
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
        kept = [
            Scan.objects.get_or_create(
                book=book,
                original=held,
                frame=frame,
                part=Scan.WHOLE,
                defaults={"order": last + 1 + frame, "steps": way},
            )
            for frame, way in enumerate(steps)
        ]
    return [scan for scan, _ in kept], any(new for _, new in kept)


def _stored(name: str) -> File[bytes]:
    try:
        return originals().open(name)
    except FileNotFoundError:
        raise Refused("lost") from None


@contextmanager
def original_file(original: Original) -> Iterator[BinaryIO]:
    """An original as a file of this machine, wherever the storage has it: a child process must read it."""
    with _stored(original.file_name) as stored, tempfile.TemporaryFile() as local:
        try:
            stored.fileno()
        except (OSError, AttributeError):
            for piece in stored.chunks():
                local.write(piece)
            local.flush()
            yield local
        else:
            yield cast(BinaryIO, stored.file)


def copy_of(scan: Scan, room: int = 0) -> Image.Image:
    """The small copy of a scan's picture, or one about as large as `room`. We made it from bare pixels, so it
    may be opened here."""
    with _stored(scan.original.copy_name(scan.frame)) as stored:
        image = Image.open(cast(BinaryIO, stored.file), formats=["JPEG"])
        if room:
            image.draft(None, (room, room))
        image.load()
    return image
