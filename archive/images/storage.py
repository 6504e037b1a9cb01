"""The two storages of page images: originals, kept untouched and never served, and the files cut from them.

Files are stored under names that carry their content; `record_image` then writes the row of an image.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, BinaryIO

from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage, storages
from PIL import Image

from archive.images.page_image_cache import forget_images
from archive.images.tiles import folder_of, size_name
from archive.models import Leaf, PageImage


def pages() -> Storage:
    """The storage of files that are served."""
    return storages["pages"]


def originals() -> Storage:
    """The storage of originals, never served."""
    return storages["originals"]


def checksum_of(original: bytes) -> str:
    return hashlib.sha256(original).hexdigest()


def store_file(storage: Storage, name: str, content: bytes) -> None:
    """A file under exactly this name. Names carry the content, so one that is there is right, unless it was
    cut short when it was written: then it is put anew."""
    if storage.exists(name):
        if storage.size(name) == len(content):
            return
        storage.delete(name)
    storage.save(name, ContentFile(content))


def store_large_file(storage: Storage, name: str, file: BinaryIO, size: int) -> None:
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


def store_image_files(
    identifier: str, original: bytes, suffix: str, derivatives: Iterable[tuple[str, bytes]]
) -> str:
    """Store an original and what was cut from it. The record comes after, when all files are there."""
    checksum = checksum_of(original)
    folder = folder_of(identifier, checksum)
    store_file(originals(), f"{folder}{suffix}", original)
    for name, content in derivatives:
        store_file(pages(), f"{folder}/{name}", content)
    return checksum


def open_page(image: PageImage) -> Image.Image:
    """The whole page as it is served: our own file, so it may be decoded here."""
    name = f"{folder_of(image.identifier, image.checksum)}/{size_name(image.width)}"
    with pages().open(name) as stored:
        page = Image.open(stored, formats=["JPEG"])
        page.load()
    return page


def record_image(
    leaf: Leaf,
    kind: str,
    identifier: str,
    size: tuple[int, int],
    checksum: str,
    words: Sequence[dict[str, Any]],
    made_from: str = "",
    printed: Sequence[dict[str, Any]] = (),
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
            "printed": list(printed),
        },
    )
    forget_images()
    return image


def files_in(storage: Storage, folder: str = "") -> Iterator[str]:
    """The names of all files in a storage or a folder of it; folder by folder, so no long list is held."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    start = f"{folder}/" if folder else ""
    yield from (f"{start}{name}" for name in sorted(files) if name)
    for name in sorted(folders):
        if name:
            yield from files_in(storage, f"{start}{name}")


class HashingReader:
    """A file that counts its bytes and computes their SHA-256 while it is read."""

    def __init__(self, file: IO[bytes] | Any) -> None:
        self.file = file
        self.size = 0
        self.digest = hashlib.sha256()

    def read(self, most: int = -1) -> bytes:
        block: bytes = self.file.read(most)
        self.size += len(block)
        self.digest.update(block)
        return block
