"""Environment variables read as settings, with defaults that work and are safe."""

import os
import re
import secrets
import stat
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from archive.licences import OTHERS as OTHER_LICENCES
from archive.licences import licence_of

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}
LINE_LENGTH_MOST = 300


class SettingError(ValueError):
    """A setting in the environment that cannot be meant; the sentence names it and what to write."""


def flag(name: str, default: bool = False) -> bool:
    word = os.environ.get(name)
    if word is None:
        return default
    if word.strip().lower() in TRUE:
        return True
    if word.strip().lower() in FALSE:
        return False
    raise SettingError(f"{name} is {word!r}; write 1 or 0.")


def comma_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def networks(name: str) -> list[str]:
    """Networks and addresses, and "unix" for a socket that has none."""
    written = comma_list(name)
    for words in written:
        if words == "unix":
            continue
        try:
            ip_network(words, strict=False)
        except ValueError:
            raise SettingError(f"{name} has {words!r}; write 10.0.0.0/24, an address, or unix.") from None
    return written


def choice(name: str, *words: str) -> str:
    """One of these words; the first if the variable is not set."""
    word = os.environ.get(name) or words[0]
    if word not in words:
        raise SettingError(f"{name} is {word!r}; write {' or '.join(words)}.")
    return word


def line(name: str, default: str = "") -> str:
    """A few words in one line."""
    written = " ".join(os.environ.get(name, "").split())
    if len(written) > LINE_LENGTH_MOST:
        raise SettingError(f"{name} is too long; write at most {LINE_LENGTH_MOST} letters.")
    return written or default


def names(name: str) -> list[str]:
    """Names of people with semicolons between them; a name may be written Family, Given."""
    return [part for written in line(name).split(";") if (part := written.strip())]


def contact(name: str) -> str:
    """A mail address, or the https address of a page."""
    written = line(name)
    is_mail = re.fullmatch(r"[^@\s<>\"]+@[^@\s<>\"]+\.[^@\s<>\"]+", written)
    is_page = re.fullmatch(r"https?://[^\s<>\"@]+", written)
    if written and not is_mail and not is_page:
        raise SettingError(f"{name} is {written!r}; write a mail address, or an address with https://.")
    return written


def licence(name: str) -> str:
    """The identifier of a licence."""
    written = line(name)
    found = licence_of(written)
    if written and found is None:
        known = f"CC-BY-4.0 or its like, CC0-1.0, or one of {', '.join(OTHER_LICENCES)}"
        raise SettingError(f"{name} is {written!r}; write {known}.")
    return found.identifier if found else ""


def folder(name: str, default: Path) -> Path:
    """The folder this setting names, made if it is not there."""
    place = Path(os.environ.get(name) or default).resolve()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise SettingError(
            f"{name} is {place}, which cannot be a folder of ours: {fault.strerror}. "
            "Name one that this user may write to."
        ) from None
    return place


def secret_in(path: Path) -> str:
    """Read the secret in this file; made on first use, readable by its owner alone, never overwritten."""
    try:
        secret = _read_or_make(path)
    except OSError as fault:
        raise SettingError(
            f"{path} cannot be used: {fault.strerror}. Run this as the user the site runs as."
        ) from None
    if len(secret) < 50:
        raise SettingError(f"{path} is too short to be a secret; remove the file and start again.")
    return secret


def _read_or_make(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    if not path.exists():
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(64) + "\n")
            out.flush()
            # After a power cut an empty file would be all that is left of every cookie's signature.
            os.fsync(out.fileno())
        try:
            # A hard link fails when the file exists: of two that start at once one wins and both read it.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def database(url: str, var: Path) -> dict[str, Any]:
    """Django's DATABASES entry for a DATABASE_URL: empty, sqlite:///path or postgres://user:password@host/name."""
    parts = urlsplit(url)
    if parts.scheme in {"", "sqlite"}:
        if parts.netloc:
            raise SettingError("DATABASE_URL for SQLite has three slashes: sqlite:///folder/file.sqlite3.")
        name = unquote(parts.path.removeprefix("/")) if url else str(var / "db.sqlite3")
        return sqlite(name)
    if parts.scheme in {"postgres", "postgresql"}:
        return postgres(parts)
    raise SettingError(f"DATABASE_URL begins with {parts.scheme!r}; Tallyroom knows sqlite and postgres.")


POOL_MIN, POOL_MAX = 4, 20
"""Of one process: six threads for pages, five for taps, three each for images, scans and streams."""

SESSION = {
    # A pad's row is locked for milliseconds; a request that waits longer than this is to be sent again.
    "lock_timeout": "5s",
    # A machine that vanished in the middle of a transaction lets go of its rows after a minute.
    "idle_in_transaction_session_timeout": "10min",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
KEEPALIVE = {
    # A server that vanished says nothing: a client that waits for it is told after ten seconds, not after the
    # quarter of an hour that the system takes. One that is only slow still acknowledges.
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
}
TLS_OPTIONS = ("sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding")
SERVER_OPTIONS = (
    "host",
    "port",
    "target_session_attrs",
    "connect_timeout",
    "application_name",
    "options",
)
POSTGRES_OPTIONS = frozenset((*TLS_OPTIONS, *SERVER_OPTIONS, "pool"))


def postgres(parts: SplitResult) -> dict[str, Any]:
    """PostgreSQL through psycopg and its pool. A socket's folder is the host: ?host=/var/run/postgresql."""
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise SettingError(
            "DATABASE_URL asks for PostgreSQL, and psycopg is not installed. Run make install-many,"
            " or install what requirements-many.lock names."
        )
    words = dict(parse_qsl(parts.query, keep_blank_values=True))
    for word in words.keys() - POSTGRES_OPTIONS:
        raise SettingError(f"DATABASE_URL has {word!r}; it may have {', '.join(sorted(POSTGRES_OPTIONS))}.")
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise SettingError("DATABASE_URL names no database: postgres://user:password@host/name.")
    # urlsplit writes hosts in small letters; the folder of a socket must stay as it is.
    server = parts.netloc.rpartition("@")[2]
    host = unquote(server) if server.lower().startswith("%2f") else unquote(parts.hostname or "")
    try:
        port, most = str(words.pop("port", parts.port or "")), int(words.pop("pool", POOL_MAX))
    except ValueError:
        raise SettingError("DATABASE_URL has a port or a pool that is not a number.") from None
    if most < POOL_MIN:
        raise SettingError(f"DATABASE_URL has a pool of {most}; streams and pages need at least {POOL_MIN}.")
    own = words.pop("options", "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": words.pop("host", host),
        "PORT": port,
        # The pool keeps connections, so Django must not; it asks each whether it is alive before it is used.
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": 5,
            "application_name": "tallyroom",
            **KEEPALIVE,
            **words,
            # Options of DATABASE_URL come after ours, and do not replace them.
            "options": " ".join([*(f"-c {key}={value}" for key, value in SESSION.items()), own]).strip(),
            "pool": {"min_size": 2, "max_size": most, "timeout": 5, "name": "tallyroom"},
        },
    }


def sqlite(name: str) -> dict[str, Any]:
    return {
        "ENGINE": "config.sqlite3",
        "NAME": name,
        # One connection per thread is kept: opening one costs more than most requests.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            # Writers queue at BEGIN instead of failing in the middle of a transaction.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            # FULL: an acknowledged entry survives a power cut. NORMAL loses the last ones.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
        },
    }


def restrict_files(var: Path) -> int:
    """Make files for their owner alone, and shut others out of the folder of the site. Return the
    mode of a new file. A umask that shuts out others already was set on purpose, for nginx in the group.
    """
    umask = os.umask(0o077)
    if umask & 0o007 == 0o007:
        os.umask(umask)
    else:
        umask = 0o077
    mode = stat.S_IMODE(var.stat().st_mode) if var.is_dir() else 0
    if mode & 0o007:
        with suppress(OSError):  # It may be another's, or a file system without modes.
            var.chmod(mode & 0o770)
    return 0o666 & ~umask


def make_private(database: dict[str, Any]) -> None:
    """SQLite's file is its owner's alone, from before the first row on; its logs take their mode from it."""
    path = Path(database["NAME"])
    if not database["ENGINE"].endswith("sqlite3") or not path.parent.is_dir():
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        open_to_others = stat.S_IMODE(path.stat().st_mode) & 0o007
        for file in (path, *(path.with_name(f"{path.name}-{log}") for log in ("wal", "shm"))):
            if open_to_others and file.exists():
                # A group that was let in on purpose stays.
                file.chmod(stat.S_IMODE(file.stat().st_mode) & 0o770)
    except OSError:
        return  # Opening it tells why it cannot be.


def images(var: Path) -> dict[str, dict[str, Any]]:
    """Django's STORAGES entries for what is served of page images, and for the originals, which never are."""
    bucket = os.environ.get("IMAGES_BUCKET", "")
    if not bucket:
        kept = "django.core.files.storage.FileSystemStorage"
        return {
            "pages": {"BACKEND": kept, "OPTIONS": {"location": var / "images", "base_url": "/images/"}},
            "originals": {"BACKEND": kept, "OPTIONS": {"location": var / "originals", "base_url": None}},
        }
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise SettingError(
            "IMAGES_BUCKET asks for a bucket, and django-storages is not installed. Run make install-many,"
            " or install what requirements-many.lock names."
        )
    from botocore.config import Config  # type: ignore[import-untyped]

    prefix = os.environ.get("IMAGES_PREFIX", "").strip("/")
    options = {
        "bucket_name": bucket,
        "endpoint_url": os.environ.get("IMAGES_ENDPOINT") or None,
        "region_name": os.environ.get("IMAGES_REGION") or None,
        # A name carries its content: what is written twice is the same, and no other name is made up for it.
        "file_overwrite": True,
        "default_acl": None,
        "client_config": Config(
            connect_timeout=3, read_timeout=15, retries={"max_attempts": 3}, max_pool_connections=16
        ),
    }
    return {
        name: {
            "BACKEND": "storages.backends.s3.S3Storage",
            "OPTIONS": {**options, "location": f"{prefix}/{name}".lstrip("/")},
        }
        for name in ("pages", "originals")
    }
