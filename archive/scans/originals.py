"""Originals of scans: the stored files as they came, and the small copies that previews are drawn from."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from django.core.files import File
from PIL import Image

from archive.images.storage import originals
from archive.models.scans import Original, Scan
from archive.scans.errors import ScanError


@contextmanager
def open_original(original: Original) -> Iterator[BinaryIO]:
    """An original as a file of this machine, wherever the storage has it: the sandbox must read it."""
    with _open(original.file_name) as stored, tempfile.TemporaryFile() as local:
        try:
            stored.fileno()
        except (OSError, AttributeError):
            for piece in stored.chunks():
                local.write(piece)
            local.flush()
            yield local
        else:
            yield cast(BinaryIO, stored.file)


def copy_of(scan: Scan, side: int = 0) -> Image.Image:
    """The small copy of a scan's picture, or one about as large as `side`."""
    return copy_of_original(scan.original, scan.frame, side)


def copy_of_original(original: Original, frame: int = 0, side: int = 0) -> Image.Image:
    """The small copy of one page. We made it from bare pixels, so it may be opened here."""
    with _open(original.copy_name(frame)) as stored:
        image = Image.open(cast(BinaryIO, stored.file), formats=["JPEG"])
        if side:
            image.draft(None, (side, side))
        image.load()
    return image


def _open(name: str) -> File[bytes]:
    try:
        return originals().open(name)
    except FileNotFoundError:
        raise ScanError("lost") from None
