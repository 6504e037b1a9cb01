"""Health of this process: /health for monitors, /ready for the proxy that sends visitors."""

import logging
import os
import time

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ops import shutdown
from scorepad.live import hub

log = logging.getLogger(__name__)


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when rows and images can be read and written, else 503; name what cannot be."""
    state = {"database": database_state(), "storage": storage_state()}
    well = all(word == "ok" for word in state.values())
    return JsonResponse({"status": "ok" if well else "unwell", **state}, status=200 if well else 503)


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 when visitors may be sent here: tables and folders ready, streams live, not stopping."""
    state = {
        "database": database_state(),
        "migrations": migrations_state(),
        "storage": storage_state(),
        "streams": "ok" if hub.is_healthy() else "deaf",
        "serving": "stopping" if shutdown.has_begun() else "ok",
    }
    # All machines share a bucket: were each not ready for its sake, no pad could be played at all.
    well = all(word == "ok" for name, word in state.items() if name != "storage" or not is_in_bucket())
    return JsonResponse({"status": "ready" if well else "not ready", **state}, status=200 if well else 503)


def database_state() -> str:
    if not getattr(connection, "is_in_place", lambda: True)():
        return "missing"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except Error:
        return "unreachable"
    return "ok"


_all_applied = False


def migrations_state() -> str:
    """Tell if the tables have everything this version needs; they may have more, of a newer one beside it."""
    global _all_applied
    if _all_applied:
        return "ok"
    try:
        executor = MigrationExecutor(connection)
        _all_applied = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return "unknown"
    return "ok" if _all_applied else "missing"


def is_in_bucket() -> bool:
    return not isinstance(storages["pages"], FileSystemStorage)


def storage_state() -> str:
    if is_in_bucket():
        return bucket_state(storages["pages"])
    folder = settings.MEDIA_ROOT
    if not folder.is_dir():
        return "missing"
    return "ok" if os.access(folder, os.R_OK | os.W_OK | os.X_OK) else "not writable"


BUCKET_SECONDS = 30.0
BUCKET_ASKED_SECONDS = 120.0
"""Longer than all tries of the bucket's library together."""
_bucket: tuple[float, str] = (0.0, "unknown")


def bucket_state(storage: Storage) -> str:
    """Tell if the bucket takes a file; it is asked twice a minute at most, however often this is."""
    global _bucket
    now = time.monotonic()
    if now < _bucket[0]:
        return _bucket[1]
    # One asks, and may wait long for a bucket that hangs; the others get its last answer.
    _bucket = (now + BUCKET_ASKED_SECONDS, _bucket[1])
    try:
        storage.delete(storage.save("ready", ContentFile(b"ready\n")))
        word = "ok"
    except Exception as fault:
        log.warning("The bucket of the page images takes no file: %s", type(fault).__name__)
        word = "unreachable"
    _bucket = (time.monotonic() + BUCKET_SECONDS, word)
    return word
