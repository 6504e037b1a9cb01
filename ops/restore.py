"""Restore of a backup into an empty site.

All of it is checked first. A damaged one is refused with the name of what is damaged; then nothing of it is
restored, and what was there stays as it was.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import storages
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader

from archive.images.storage import files_in
from ops import database_snapshots
from ops.backup import (
    BLOCK,
    FOLDERS,
    FORMAT,
    MANIFEST,
    MANIFEST_DIGEST,
    SECRET_KEY,
    BackupError,
    Manifest,
    Member,
)
from ops.postgres_migration import copy_from_sqlite
from ops.service_errors import NO_SPACE_ERRNOS

SINGLE_FILES = {SECRET_KEY, MANIFEST, MANIFEST_DIGEST, *database_snapshots.FILE_NAMES.values()}
SIZES_MOST = {MANIFEST: 64_000_000, MANIFEST_DIGEST: 1_000, SECRET_KEY: 10_000}
"""Bytes of the files that are read at once. A manifest has about 160 for each image."""
BACKUP_HINT = "A backup is the one file that manage.py backup wrote, such as tallyroom-2026-05-01.tar"


def restore(source: Path) -> Manifest:
    """Put a backup into this site, which must be empty."""
    refuse_if_in_use()
    with _staging_folder() as staged:
        manifest = unpack_checked(source, staged)
        placed: list[tuple[str, str]] = []
        own = settings.VAR / SECRET_KEY
        earlier = own.read_bytes() if own.exists() else None
        try:
            for place_of_file in _place_files(staged, manifest):
                placed.append(place_of_file)
            os.chmod(staged / SECRET_KEY, 0o600)
            os.replace(staged / SECRET_KEY, own)
            # The database comes last and comes whole: a site without it is still empty.
            snapshot = staged / database_snapshots.FILE_NAMES[manifest.database]
            install = (
                database_snapshots.install if manifest.database == connection.vendor else copy_from_sqlite
            )
            install(snapshot)
        except BaseException as fault:
            # After any failure, a bucket that refuses or a Ctrl-C, half a site must not stay.
            own.unlink(missing_ok=True) if earlier is None else own.write_bytes(earlier)
            for alias, name in placed:
                with suppress(Exception):  # A bucket that takes nothing may also let nothing go.
                    storages[alias].delete(name)
            if not isinstance(fault, Exception):
                raise
            raise BackupError(f"Nothing was restored. {fault}") from fault
        # What was prepared before belongs to another database.
        (settings.VAR / "prepared.json").unlink(missing_ok=True)
        # People play on at once, and what they are told is synced; so must be what it stands on.
        os.sync()
    return manifest


def check(source: Path) -> Manifest:
    """Check all of a backup and return its manifest.

    Of images only the sums are taken: a check needs room for the database alone, and none where the backup
    is.
    """
    with _staging_folder() as staged:
        return unpack_checked(source, staged, with_images=False)


@contextmanager
def _staging_folder() -> Iterator[Path]:
    """A folder for the unpacked backup, on the disk where its files will stay."""
    try:
        place = tempfile.TemporaryDirectory(prefix=".restoring-", dir=settings.VAR)
    except OSError as fault:
        raise BackupError(f"Nothing can be put into {settings.VAR}: {fault.strerror or fault}.") from None
    with place as name:
        yield Path(name)


def refuse_if_in_use() -> None:
    try:
        there = [] if database_snapshots.is_empty() else ["rows in the database"]
    except Error as fault:
        raise BackupError(
            f"Nothing was restored: the database of DATABASE_URL cannot be reached. {fault}"
        ) from None
    for folder, alias in FOLDERS.items():
        if next(files_in(storages[alias]), None):
            there.append(f"files in {folder}")
    if there:
        raise BackupError(
            f"Nothing was restored: there is a site here already ({', '.join(there)}). "
            f"Move it away first (mv {settings.VAR} {settings.VAR}.before), or name an empty place with "
            "TALLYROOM_VAR and DATABASE_URL."
        )


def unpack_checked(source: Path, into: Path, with_images: bool = True) -> Manifest:
    """Unpack a backup into this folder; each file is as its manifest says, and the whole fits this site."""
    if source.is_dir():
        raise BackupError(f"{source} is a folder. {BACKUP_HINT}; a copied folder is none.")
    try:
        manifest = unpack(source, into, with_images)
    except tarfile.TarError as fault:
        raise BackupError(
            f"{source} is not a backup of Tallyroom: {fault}. {BACKUP_HINT}; "
            "if it was packed or encrypted since, undo that first."
        ) from None
    except OSError as fault:
        place = into if fault.errno in NO_SPACE_ERRNOS else source
        raise BackupError(f"{place} cannot be used: {fault.strerror or fault}.") from None
    is_migrated = (manifest.database, connection.vendor) == ("sqlite", "postgresql")
    if manifest.database != connection.vendor and not is_migrated:
        raise BackupError(
            f"This backup is of a {manifest.database} database and this site has {connection.vendor}. "
            "Set DATABASE_URL to an empty database of the same kind, or carry the rulebooks over with dump "
            "and load_dump."
        )
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    newer = sorted(set(manifest.migrations) - known)
    if newer:
        raise BackupError(
            f"This backup was made by a newer Tallyroom ({newer[-1]}). Install that version, then restore."
        )
    if is_migrated and known - set(manifest.migrations):
        raise BackupError(
            "This backup was made by an older Tallyroom. Restore it into SQLite with this version, back that "
            "up, and restore the new backup here."
        )
    try:
        database_snapshots.check(into / database_snapshots.FILE_NAMES[manifest.database])
    except database_snapshots.SnapshotError as fault:
        raise BackupError(str(fault)) from None
    return manifest


def unpack(source: Path, into: Path, with_images: bool = True) -> Manifest:
    """Unpack the files of a backup and compare each with the manifest. The first that differs is named."""
    found: dict[str, tuple[int, str]] = {}
    last = "its beginning"
    with _BlockReader(source.open("rb", buffering=0)) as file, tarfile.open(fileobj=file, mode="r:") as tar:
        while (head := _next_member(tar, last)) is not None:
            _check_name(head, found)
            is_wanted = with_images or head.name in SINGLE_FILES
            found[head.name] = _extract(tar, head, into / head.name if is_wanted else Path(os.devnull))
            last = head.name
            tar.members.clear()  # type: ignore[attr-defined]
    if MANIFEST_DIGEST not in found:
        raise BackupError(f"The backup is not whole: it breaks off after {last}.")
    if MANIFEST not in found:
        raise BackupError(f"{MANIFEST} is missing from the backup.")
    if (into / MANIFEST_DIGEST).read_bytes().strip() != found[MANIFEST][1].encode():
        raise BackupError(f"{MANIFEST} in the backup is not as it was written: its SHA-256 differs.")
    manifest = read_manifest((into / MANIFEST).read_bytes())
    for member in manifest.members:
        if member.name not in found:
            raise BackupError(f"{member.name} is missing from the backup.")
        if found[member.name] != (member.size, member.sha256):
            raise BackupError(f"{member.name} in the backup is not as it was written: its SHA-256 differs.")
    for name in (SECRET_KEY, database_snapshots.FILE_NAMES.get(manifest.database, MANIFEST)):
        if name not in found:
            raise BackupError(f"{name} is missing from the backup.")
    extra = set(found) - {member.name for member in manifest.members} - {MANIFEST, MANIFEST_DIGEST}
    if extra:
        raise BackupError(f"{min(extra)} does not belong to the backup: its manifest does not name it.")
    return manifest


def read_manifest(words: bytes) -> Manifest:
    try:
        told: dict[str, Any] = json.loads(words)
        form = told.pop("tallyroom_backup", None)
        if form == FORMAT:
            members = [Member(**member) for member in told.pop("members")]
            return Manifest(**told, members=members)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BackupError(f"{MANIFEST} in the backup cannot be read.") from None
    raise BackupError("This backup has another format. Restore it with the version that made it.")


def _next_member(tar: tarfile.TarFile, last: str) -> tarfile.TarInfo | None:
    try:
        return tar.next()
    except tarfile.TarError:
        raise BackupError(f"The backup is not whole: it breaks off in or after {last}.") from None


class _BlockReader(io.BufferedReader):
    """A file that is read in small pieces. A head may claim any length for a name, which would be read at
    once."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= BLOCK:
            raise tarfile.ReadError("it has a head that is too long")
        return super().read(size)


def _check_name(head: tarfile.TarInfo, found: dict[str, tuple[int, str]]) -> None:
    """Accept only plain files under known names: nothing in a backup can land outside its place. A file with
    holes would be written larger than the backup is, and one that is read at once has its bound."""
    path = PurePosixPath(head.name)
    known = head.name in SINGLE_FILES or (len(path.parts) > 1 and path.parts[0] in FOLDERS)
    if not head.isreg() or not known or ".." in path.parts or str(path) != head.name or head.name in found:
        raise BackupError(f"{head.name!r} does not belong into a backup of Tallyroom. {BACKUP_HINT}.")
    if head.issparse():
        raise BackupError(
            f"{head.name!r} is written with holes, as in no backup of Tallyroom. {BACKUP_HINT}."
        )
    if head.size > SIZES_MOST.get(head.name, head.size):
        raise BackupError(f"{head.name} in the backup is too large: {head.size} bytes.")


def _extract(tar: tarfile.TarFile, head: tarfile.TarInfo, target: Path) -> tuple[int, str]:
    target.parent.mkdir(parents=True, exist_ok=True)
    content = tar.extractfile(head)
    assert content is not None
    digest, size = hashlib.sha256(), 0
    try:
        with target.open("wb") as out:
            while block := content.read(BLOCK):
                digest.update(block)
                size += len(block)
                out.write(block)
    except tarfile.TarError:
        raise BackupError(f"The backup is not whole: it breaks off in {head.name}.") from None
    return size, digest.hexdigest()


def _place_files(staged: Path, manifest: Manifest) -> Iterator[tuple[str, str]]:
    """Move the files into their storages; each is named before, since half of it may be there after."""
    for member in manifest.members:
        folder, _, name = member.name.partition("/")
        if not name:
            continue
        alias = FOLDERS[folder]
        yield alias, name
        storage = storages[alias]
        try:
            path = Path(storage.path(name))
        except NotImplementedError:
            with (staged / member.name).open("rb") as content:
                storage.save(name, File(content))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(staged / member.name, path)
            os.chmod(path, settings.FILE_UPLOAD_PERMISSIONS or 0o600)
