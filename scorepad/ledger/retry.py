"""Retries a transaction after a deadlock, serialization failure or fail-over.

PostgreSQL ends one of two transactions that wait for each other, and a fail-over ends all. Nothing of it was
stored, so the same work may be done again; a few times, and then the phone is told to send it later. A lock
timeout is not retried: waiting again would outlast the phone's patience.
"""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

from scorepad.limits import limit

TRANSIENT_SQLSTATES = frozenset(
    {
        "40001",  # serialization_failure
        "40P01",  # deadlock_detected
        "57P01",  # admin_shutdown
        "57P02",  # crash_shutdown
        "57P03",  # cannot_connect_now
    }
)
PAUSE_SECONDS = 0.02
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def retry_transaction(work: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Decorate work that opens its own transaction: it is done again after a transient failure."""

    @wraps(work)
    def wrapped(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        if connection.in_atomic_block:
            # Only the outermost transaction can be begun again.
            return work(*args, **kwargs)
        for tried in range(1, limit("LEDGER_TRIES_MOST")):
            try:
                return work(*args, **kwargs)
            except OperationalError as fault:
                if not is_transient(fault):
                    raise
                connection.close_if_unusable_or_obsolete()
                # Not all at once again: each waits a little, by chance and longer each time.
                time.sleep(PAUSE_SECONDS * 2**tried * random.random())  # noqa: S311 - no secret
        return work(*args, **kwargs)

    return wrapped


def is_transient(fault: OperationalError) -> bool:
    return getattr(fault.__cause__, "sqlstate", None) in TRANSIENT_SQLSTATES
