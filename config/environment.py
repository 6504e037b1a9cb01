"""Reading settings from the environment, with defaults that work and are safe."""

import os
import secrets
import stat
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}


class BadSetting(ValueError):
    """A setting in the environment that cannot be meant; the sentence names it and what to write."""


def flag(name: str, default: bool = False) -> bool:
    word = os.environ.get(name)
    if word is None:
        return default
    if word.strip().lower() in TRUE:
        return True
    if word.strip().lower() in FALSE:
        return False
    raise BadSetting(f"{name} is {word!r}; write 1 or 0.")


def listed(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def kept_secret(path: Path) -> str:
    """The secret in this file; made on first use, readable by its owner alone, never overwritten."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    if not path.exists():
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(64) + "\n")
        try:
            # A hard link fails when the file exists: of two that start at once one wins and both read it.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    secret = path.read_text().strip()
    if len(secret) < 50:
        raise BadSetting(f"{path} is too short to be a secret; remove the file and start again.")
    return secret


def database(url: str, var: Path) -> dict[str, Any]:
    """Django's DATABASES entry for a DATABASE_URL: empty, sqlite:///path or postgres://user:password@host/name."""
    parts = urlsplit(url)
    if parts.scheme in {"", "sqlite"}:
        if parts.netloc:
            raise BadSetting("DATABASE_URL for SQLite has three slashes: sqlite:///folder/file.sqlite3.")
        name = unquote(parts.path.removeprefix("/")) if url else str(var / "db.sqlite3")
        return sqlite(name)
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise BadSetting(f"DATABASE_URL begins with {parts.scheme!r}; Tallyroom knows sqlite and postgres.")


def sqlite(name: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
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


def keep_private(database: dict[str, Any]) -> None:
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
        return  # Whoever opens it is told why it cannot be.
