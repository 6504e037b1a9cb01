"""Backup: the whole site in one file, consistent while it is in use.

The file is a plain tar. It holds a snapshot of the database, every page image and original, the secret key,
and last a manifest with the SHA-256 of each. Rows name image files only when those are kept, so the database
is copied before them: every file its rows name is then there to be copied. An upload can be removed at any
moment, files and all; so those that have rows are copied before the database.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.storage import storages
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from archive.images.storage import HashingReader, files_in
from archive.models.scans import Original
from ops import database_snapshots

FORMAT = 1
SECRET_KEY = "secret-key"  # noqa: S105 - the name of the file
MANIFEST, MANIFEST_DIGEST = "manifest.json", "manifest.sha256"
FOLDERS = {"images": "pages", "originals": "originals"}
"""The folders of a backup, each with the storage whose files it holds."""
BLOCK = 1 << 20


class BackupError(Exception):
    """A backup that was not written or not restored; the sentence says why and what to do."""


@dataclass(frozen=True)
class Member:
    """One file in a backup."""

    name: str
    size: int
    sha256: str


@dataclass
class Manifest:
    """The last file of a backup: what the others are."""

    database: str
    migrations: list[str]
    made: str
    members: list[Member] = field(default_factory=list)

    def as_bytes(self) -> bytes:
        return (json.dumps({"tallyroom_backup": FORMAT, **asdict(self)}, indent=1) + "\n").encode()


@dataclass(frozen=True)
class BackupResult:
    """A backup that was written, for the person who asked for it."""

    file: Path
    size: int
    images: int
    seconds: float


def write(target: Path) -> BackupResult:
    """Back the site up into this file. It appears under its name only when it is whole."""
    target = target.absolute()
    if target.exists():
        raise BackupError(f"{target} is there already. Give the backup a name of its own.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}. Make it, or choose another.")
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as place:
            part = Path(place) / "part"
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
                manifest = _write_members(out, Path(place))
                out.flush()
                os.fsync(out.fileno())
            os.rename(part, target)
        _sync_folder(target.parent)
    except database_snapshots.SnapshotError as fault:
        raise BackupError(f"Nothing was backed up. {fault}") from None
    except OSError as fault:
        raise BackupError(f"Nothing was backed up: {fault.strerror or fault}.") from fault
    images = sum("/" in member.name for member in manifest.members)
    return BackupResult(target, target.stat().st_size, images, time.monotonic() - started)


def _write_members(out: IO[bytes], place: Path) -> Manifest:
    name = database_snapshots.FILE_NAMES[connection.vendor]
    applied = sorted(f"{app}.{step}" for app, step in MigrationRecorder(connection).applied_migrations())
    manifest = Manifest(connection.vendor, applied, timezone.now().isoformat())
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        uploads = list(Original.objects.only("digest", "kind", "frames"))
        _add_files(tar, manifest, "originals", (name for one in uploads for name in one.file_names))
        snapshot = place / name
        database_snapshots.take(snapshot)
        with snapshot.open("rb") as copy:
            manifest.members.append(_add(tar, name, copy, snapshot.stat().st_size))
        snapshot.unlink()
        manifest.members.append(_add_bytes(tar, SECRET_KEY, f"{settings.SECRET_KEY}\n".encode()))
        for folder, alias in FOLDERS.items():
            _add_files(tar, manifest, folder, files_in(storages[alias]))
        words = manifest.as_bytes()
        _add_bytes(tar, MANIFEST, words)
        _add_bytes(tar, MANIFEST_DIGEST, f"{hashlib.sha256(words).hexdigest()}\n".encode())
    return manifest


def _add_files(tar: tarfile.TarFile, manifest: Manifest, folder: str, names: Iterable[str]) -> None:
    """Add the files that are not in the backup yet. One that was removed since it was listed is left out."""
    added = {member.name for member in manifest.members if member.name.startswith(folder)}
    storage = storages[FOLDERS[folder]]
    for name in names:
        if f"{folder}/{name}" in added:
            continue
        try:
            found = storage.open(name)
        except FileNotFoundError:
            continue
        with found as image:
            manifest.members.append(_add(tar, f"{folder}/{name}", image, image.size))


def _add(tar: tarfile.TarFile, name: str, content: IO[bytes] | Any, size: int) -> Member:
    """Copy in pieces: an original may be larger than the memory."""
    head = tarfile.TarInfo(name)
    head.size, head.mode, head.mtime = size, 0o600, int(time.time())
    weighed = HashingReader(content)
    tar.addfile(head, weighed)
    tar.members.clear()  # type: ignore[attr-defined]  # It would remember every file ever added.
    return Member(name, size, weighed.digest.hexdigest())


def _add_bytes(tar: tarfile.TarFile, name: str, content: bytes) -> Member:
    return _add(tar, name, io.BytesIO(content), len(content))


def _sync_folder(folder: Path) -> None:
    """Write the folder itself to the disk: only then does a name in it survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
