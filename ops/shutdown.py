"""Shutdown of a process, without cutting off what it has begun.

Told to stop, a process first says so at /ready and goes on serving for DRAIN_SECONDS, so that a proxy can
notice. Then it closes the streams, telling each phone when to come back, and stops the background queues.
The server finishes the requests that are under way, for STOP_SECONDS at most.
"""

import asyncio
import threading

from django.conf import settings

from archive import background
from scorepad.live import hub

_begun = threading.Event()


def begin() -> None:
    """Mark the process as stopping: from now on /ready answers 503."""
    _begun.set()


def has_begun() -> bool:
    return _begun.is_set()


async def drain() -> None:
    """Serve for a while longer, then end what would not end by itself."""
    await asyncio.sleep(settings.DRAIN_SECONDS)
    hub.close_streams()
    # Before what is under way is waited for: a page that is just being read would take longer than that.
    background.stop_all()
