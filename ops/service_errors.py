"""Service errors: 507 when the disk is full, 503 when the database cannot be reached, with what to do.

Nothing was stored when this is answered, and the next request is served as if nothing had been: no restart is
needed once there is room again.
"""

import errno
import logging
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import InterfaceError, InternalError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

log = logging.getLogger(__name__)

RETRY_AFTER_SECONDS = 2
MIN_FREE_BYTES = 256 * 1024
"""With less than this on the disk, every failed write of the database is for want of room."""

NO_SPACE_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT})
SQLITE_BUSY_ERRORS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    }
)
SQLITE_MAYBE_FULL = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
DISK_FULL_STATE = "53100"
"""PostgreSQL's code for a full disk."""
READ_ONLY_STATE = "25006"
"""PostgreSQL's code for a server that only reads now: it has become a stand-by, or was set so."""
BODY_ERROR = "tallyroom.unread"
"""In a request's META: why its body was not read. No header can have this name."""


@dataclass(frozen=True)
class ServiceError:
    """Why nothing could be stored or read just now."""

    status: int
    code: str
    message: str


FULL = ServiceError(
    507, "disk-full", "The server's disk is full. Nothing was stored; keep it and send it later."
)
BUSY = ServiceError(503, "busy", "The server is busy. Nothing was stored; send it again in a moment.")


def classify(fault: BaseException | None) -> ServiceError | None:
    """Name the service error behind an exception; None when the fault is our own."""
    if isinstance(fault, OSError):
        return FULL if fault.errno in NO_SPACE_ERRNOS else None
    if isinstance(fault, InternalError):
        return BUSY if _state(fault) == READ_ONLY_STATE else None
    if not isinstance(fault, OperationalError | InterfaceError):
        return None
    number = getattr(fault.__cause__, "sqlite_errorcode", None)
    if number is None:
        # PostgreSQL: a query that is wrong is another kind of error, so this one is about the server.
        return FULL if _state(fault) == DISK_FULL_STATE else BUSY
    return _classify_sqlite(number & 0xFF)


def _state(fault: BaseException) -> str | None:
    return getattr(fault.__cause__, "sqlstate", None)


def _classify_sqlite(number: int) -> ServiceError | None:
    if number == sqlite3.SQLITE_FULL:
        return FULL
    if number in SQLITE_MAYBE_FULL and shutil.disk_usage(_database_folder()).free < MIN_FREE_BYTES:
        return FULL
    return BUSY if number in SQLITE_BUSY_ERRORS else None


def _database_folder() -> Path:
    folder = Path(connection.settings_dict["NAME"]).parent
    return folder if folder.is_dir() else Path("/")


class ServiceErrorMiddleware:
    """Answers what a view could not do because the disk or the database failed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reason = request.META.get(BODY_ERROR)
        return error_response(request, reason) if reason else self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        return response_to(request, fault)


def response_to(request: HttpRequest, fault: BaseException | None) -> HttpResponse | None:
    reason = classify(fault)
    if reason is None:
        return None
    log.error("%s: %s %s: %s", reason.code, request.method, request.path, fault)
    if fault is not None and _state(fault) == READ_ONLY_STATE and connection.connection is not None:
        # This one never writes again, though it answers: the pool is to look for the server anew.
        connection.connection.close()
    return error_response(request, reason)


def error_response(request: HttpRequest, reason: ServiceError) -> HttpResponse:
    response = _json(reason) if _wants_json(request) else _page(request, reason)
    response.headers["Cache-Control"] = "no-store"
    if reason.status == 503:
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _wants_json(request: HttpRequest) -> bool:
    if request.content_type == "application/json" or request.path.endswith(".json"):
        return True
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def _json(reason: ServiceError) -> HttpResponse:
    # The same shape as every refusal of a pad, so that phones need not know another.
    error: dict[str, Any] = {"code": reason.code, "message": reason.message, "entry": None, "cites": []}
    return JsonResponse({"error": error}, status=reason.status)


def _page(request: HttpRequest, reason: ServiceError) -> HttpResponse:
    return render(request, f"{reason.status}.html", status=reason.status)
