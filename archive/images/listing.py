"""What lies in a storage, wherever that is, and reading it in pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import IO, Any

from django.core.files.storage import Storage


def files_in(storage: Storage, folder: str = "") -> Iterator[str]:
    """Every file of a storage or of a folder in it, by name; folder by folder, so no long list is held."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    start = f"{folder}/" if folder else ""
    yield from (f"{start}{name}" for name in sorted(files) if name)
    for name in sorted(folders):
        if name:
            yield from files_in(storage, f"{start}{name}")


class Weighed:
    """A file that is measured while somebody else reads it: how long it was, and its SHA-256."""

    def __init__(self, file: IO[bytes] | Any) -> None:
        self.file = file
        self.size = 0
        self.digest = hashlib.sha256()

    def read(self, most: int = -1) -> bytes:
        block: bytes = self.file.read(most)
        self.size += len(block)
        self.digest.update(block)
        return block
