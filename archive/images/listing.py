"""What lies in a storage, wherever that is."""

from __future__ import annotations

from collections.abc import Iterator

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
