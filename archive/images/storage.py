"""Taking an image in: the original is kept untouched and out of reach, what is served is cut from it once."""

from __future__ import annotations

import errno
import hashlib
import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage, storages
from PIL import Image

from archive.images.derivatives import cut
from archive.images.known import forget
from archive.images.sizes import folder_of
from archive.models import Leaf, PageImage


def pages() -> Storage:
    """What is served."""
    return storages["pages"]


def originals() -> Storage:
    """What came in; never served."""
    return storages["originals"]


def checksum_of(original: bytes) -> str:
    return hashlib.sha256(original).hexdigest()


def keep(storage: Storage, name: str, content: bytes) -> None:
    """A file under exactly this name. Names carry the content, so one that is there is right, unless it was
    cut short when it was written: then it is put anew."""
    if storage.exists(name):
        if storage.size(name) == len(content):
            return
        storage.delete(name)
    storage.save(name, ContentFile(content))


def keep_large(storage: Storage, name: str, file: BinaryIO, size: int) -> None:
    """The same for a file that is too large to hold in memory; it is read piece by piece."""
    if storage.exists(name):
        if storage.size(name) == size:
            return
        storage.delete(name)
    file.seek(0)
    storage.save(name, File(file))
    if storage.size(name) != size:
        storage.delete(name)
        raise OSError(errno.EIO, f"{name} was not stored whole")


def keep_files(
    identifier: str, original: bytes, suffix: str, derivatives: Iterable[tuple[str, bytes]]
) -> str:
    """Store an original and what was cut from it. The record comes after, when all files are there."""
    checksum = checksum_of(original)
    folder = folder_of(identifier, checksum)
    keep(originals(), f"{folder}{suffix}", original)
    for name, content in derivatives:
        keep(pages(), f"{folder}/{name}", content)
    return checksum


def record(
    leaf: Leaf,
    kind: str,
    identifier: str,
    size: tuple[int, int],
    checksum: str,
    words: Sequence[dict[str, Any]],
    made_from: str = "",
) -> PageImage:
    """The row of an image whose files are kept; an image of the same identifier is replaced by it."""
    width, height = size
    image, _ = PageImage.objects.update_or_create(
        identifier=identifier,
        defaults={
            "leaf": leaf,
            "kind": kind,
            "width": width,
            "height": height,
            "checksum": checksum,
            "words": list(words),
            "made_from": made_from,
        },
    )
    forget()
    return image


def ingest_scan(leaf: Leaf, identifier: str, original: bytes, suffix: str) -> PageImage:
    """A scan as it is: cut and recorded, its words not yet known."""
    with Image.open(io.BytesIO(original)) as image:
        image.load()
        checksum = keep_files(identifier, original, suffix, cut(image))
        return record(leaf, PageImage.SCAN, identifier, image.size, checksum, [])
