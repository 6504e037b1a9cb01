"""Hearing of other processes: one connection to PostgreSQL that listens, in a thread of its own.

What comes is handed to `scorepad.wakeups` as if it had happened here. While the connection is broken nothing
is lost: the hub sweeps all open pads every few seconds, and this one comes back by itself.
"""

import logging
import threading
from typing import Any

from django.db import connections

from scorepad.live import notify

HEARD_SECONDS = 1.0
ALIVE_SECONDS = 15.0
PAUSE_SECONDS_MOST = 5.0
log = logging.getLogger(__name__)


class Notices:
    """The ear of one process. It ends with `stop`, or with the process."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._listen_forever, name="scorepad-notices", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _listen_forever(self) -> None:
        import psycopg

        pause = 0.1
        while not self._ended.is_set():
            try:
                with psycopg.connect(**_place(), autocommit=True) as ear:
                    ear.execute(f"LISTEN {notify.CHANNEL}")
                    pause = 0.1
                    self._hear(ear)
            except Exception as fault:
                # Whatever it was, an ear that is deaf for ever would be worse.
                log.warning("No notices from the database for now: %s", type(fault).__name__)
                self._ended.wait(pause)
                pause = min(pause * 2, PAUSE_SECONDS_MOST)

    def _hear(self, ear: Any) -> None:
        quiet = 0.0
        while not self._ended.is_set():
            heard = list(ear.notifies(timeout=HEARD_SECONDS, stop_after=1))
            for notice in heard:
                _told(notice.payload)
            quiet = 0.0 if heard else quiet + HEARD_SECONDS
            if quiet >= ALIVE_SECONDS:
                # A connection that a router dropped says nothing by itself.
                ear.execute("SELECT 1")
                quiet = 0.0


def _place() -> dict[str, Any]:
    """Where the site's database is, without what belongs to Django's own connections."""
    params = connections["default"].get_connection_params()
    return {
        key: value
        for key, value in params.items()
        if key not in {"cursor_factory", "context", "prepare_threshold", "pool"}
    }


def _told(payload: str) -> None:
    words = payload.split(" ")
    if len(words) == 3 and words[0] != notify.HERE:
        notify.tell(words[1], words[2])


def listening() -> Notices | None:
    """An ear, where the database has notices to hear; SQLite has one process and needs none."""
    return Notices() if connections["default"].vendor == "postgresql" else None
