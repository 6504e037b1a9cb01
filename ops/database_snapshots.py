"""Snapshots: the database as one file, taken while it is in use, and installed where there is none yet."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.db import connection, connections

FILE_NAMES = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump"}
"""Names of the file of a snapshot, by the kind of database."""
BUSY_SECONDS = 60.0
PG_VARIABLES = {
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "channel_binding": "PGCHANNELBINDING",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "application_name": "PGAPPNAME",
    "options": "PGOPTIONS",
}
"""Environment variables of PostgreSQL's own programs for what else DATABASE_URL may say of a connection."""


class SnapshotError(Exception):
    """The database could not be copied or put back; the sentence says why and what to do."""


def take(target: Path) -> None:
    """Copy all that is committed at one moment. Writers go on writing meanwhile."""
    if connection.vendor == "postgresql":
        _run(
            "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--file={target}",
            *_connection_arguments(),
        )
        return
    source = _open(sqlite_file())
    copy = sqlite3.connect(target)
    try:
        # All pages in one step: a reader of the write-ahead log sees one state, and stops no writer.
        source.backup(copy, pages=-1)
        # The copy is one file that needs no log beside it; the site turns its log on again.
        copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as fault:
        raise SnapshotError(f"The database could not be copied: {fault}.") from None
    finally:
        copy.close()
        source.close()
    os.chmod(target, 0o600)


def check(file: Path) -> None:
    """Raise if this is not a whole database."""
    if file.name == FILE_NAMES["postgresql"]:
        _run("pg_restore", "--list", str(file))
        return
    try:
        copy = _open(file)
        try:
            found = [row[0] for row in copy.execute("PRAGMA integrity_check(3)")]
        finally:
            copy.close()
    except sqlite3.Error as fault:
        found = [str(fault)]
    if found != ["ok"]:
        raise SnapshotError(f"{file.name} is damaged: {'; '.join(found)}.")


def is_empty() -> bool:
    """Tell if the database of this site has no table at all."""
    if connection.vendor == "postgresql":
        return not connection.introspection.table_names()
    file = sqlite_file()
    if not file.exists() or not file.stat().st_size:
        return True
    site = _open(file)
    try:
        return site.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None
    except sqlite3.DatabaseError:
        return False  # Whatever this file is, it must not be overwritten.
    finally:
        site.close()


def install(file: Path) -> None:
    """Make this snapshot the database of the site, which must be empty: wholly, or not at all."""
    connections.close_all()
    if connection.vendor == "postgresql":
        _run(
            "pg_restore",
            *("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"),
            *_connection_arguments("--dbname="),
            str(file),
        )
        return
    target = sqlite_file()
    for left in (f"{target}-wal", f"{target}-shm"):
        Path(left).unlink(missing_ok=True)
    os.chmod(file, 0o600)
    # The database may lie on another disk than the rest: it is brought beside its place first.
    beside = target.with_name(f".{target.name}.restored")
    try:
        shutil.move(file, beside)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def sqlite_file() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def _open(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(file))}?mode=rw", uri=True, timeout=BUSY_SECONDS)


def _connection_arguments(name: str = "") -> Sequence[str]:
    """Arguments that tell PostgreSQL's own programs where the database is; the password goes another way."""
    places: dict[str, Any] = {"--host=": "HOST", "--port=": "PORT", "--username=": "USER"}
    given = {option: connection.settings_dict[key] for option, key in places.items()}
    words = [f"{option}{value}" for option, value in given.items() if value]
    return [*words, f"{name}{connection.settings_dict['NAME']}"]


def _run(program: str, *words: str) -> None:
    place = connection.settings_dict if connection.vendor == "postgresql" else {}
    options = place.get("OPTIONS", {})
    told = {
        "PGPASSWORD": place.get("PASSWORD"),
        **{name: options.get(word) for word, name in PG_VARIABLES.items()},
    }
    environment = os.environ | {name: str(value) for name, value in told.items() if value}
    try:
        done = subprocess.run(  # noqa: S603 - our own words, no shell
            [program, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError:
        raise SnapshotError(
            f"{program} is not installed here. Install PostgreSQL's client, of the server's version or newer."
        ) from None
    if done.returncode:
        raise SnapshotError(f"{program} failed: {done.stderr.strip()[-600:]}")
