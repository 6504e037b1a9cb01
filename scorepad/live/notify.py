"""Notifications after a commit: which pad changed, for the listeners of this process and of all others.

A notification carries no content. The listener reads what is new from the database, so a lost, doubled or
late one does no harm. With PostgreSQL the other processes are told by the database's own NOTIFY, which their
`PgListener` receives; SQLite has one process and needs none.
"""

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db import connection, connections, transaction

ENTRY, DRAFT, PAD, LINKS = "entry", "draft", "pad", "links"
CHANNEL = "scorepad"
PROCESS = secrets.token_hex(6)
"""This process, so that it does not wake itself twice."""
WAIT_SECONDS = 1.0
CHECK_SECONDS = 15.0
MAX_PAUSE_SECONDS = 5.0

log = logging.getLogger(__name__)
Listener = Callable[[str, str], None]
_listeners: list[Listener] = []


def add_listener(listener: Listener) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def remove_listener(listener: Listener) -> None:
    if listener in _listeners:
        _listeners.remove(listener)


def wake(code: str, *kinds: str) -> None:
    """Tell the listeners once the transaction has been committed; at once if there is none."""
    for kind in kinds:
        transaction.on_commit(partial(tell, code, kind))
    if connection.vendor == "postgresql":
        # After the commit and by itself: inside the transaction it would make all commits queue for one lock.
        # What is stored stays stored when this fails; the sweep of the other processes finds it.
        transaction.on_commit(partial(_pg_notify, code, kinds), robust=True)


def tell(code: str, kind: str) -> None:
    """Tell the listeners of this process."""
    for listener in list(_listeners):
        listener(code, kind)


def _pg_notify(code: str, kinds: Sequence[str]) -> None:
    calls = ", ".join(["pg_notify(%s, %s)"] * len(kinds))
    payloads = [value for kind in kinds for value in (CHANNEL, f"{PROCESS} {code} {kind}")]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", payloads)


class PgListener:
    """Listens for PostgreSQL notifications in a thread until `stop()`.

    While its connection is broken nothing is lost: the hub sweeps all open pads every few seconds, and this
    one connects again by itself.
    """

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen_forever, name="scorepad-notify", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _listen_forever(self) -> None:
        import psycopg

        pause = 0.1
        while not self._stopped.is_set():
            try:
                with psycopg.connect(**_connection_params(), autocommit=True) as listening:
                    listening.execute(f"LISTEN {CHANNEL}")
                    pause = 0.1
                    self._receive(listening)
            except Exception as fault:
                # Any fault: a listener that has ended for good would be worse.
                log.warning("No notices from the database for now: %s", type(fault).__name__)
                self._stopped.wait(pause)
                pause = min(pause * 2, MAX_PAUSE_SECONDS)

    def _receive(self, listening: Any) -> None:
        quiet = 0.0
        while not self._stopped.is_set():
            received = list(listening.notifies(timeout=WAIT_SECONDS, stop_after=1))
            for notification in received:
                _tell_payload(notification.payload)
            quiet = 0.0 if received else quiet + WAIT_SECONDS
            if quiet >= CHECK_SECONDS:
                # A connection that a router dropped says nothing by itself.
                listening.execute("SELECT 1")
                quiet = 0.0


def _connection_params() -> dict[str, Any]:
    """Parameters of the site's database, without what belongs to Django's own connections."""
    params = connections["default"].get_connection_params()
    return {
        key: value
        for key, value in params.items()
        if key not in {"cursor_factory", "context", "prepare_threshold", "pool"}
    }


def _tell_payload(payload: str) -> None:
    words = payload.split(" ")
    if len(words) == 3 and words[0] != PROCESS:
        tell(words[1], words[2])


def start_listener() -> PgListener | None:
    """A listener where the database sends notifications; None with SQLite."""
    return PgListener() if connections["default"].vendor == "postgresql" else None
