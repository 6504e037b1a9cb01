"""SQLite as Django speaks to it, which stores only while its files lie in their places.

Whoever removes or replaces the database under a running site, or the log beside it, leaves the site with
files that have no name any more: what it says to be stored would be gone with its process. So a connection
knows which files it has opened, and stores nothing while others lie there, or none. Nor is one opened then
beside those that are open: it would begin another log, and be alone with it.
"""

import os
import threading
from typing import Any
from weakref import WeakSet

from django.db import OperationalError
from django.db.backends.sqlite3 import base

Which = tuple[int, int] | None
"""The file that lies at a path: its disk and its number there."""

_open: "WeakSet[DatabaseWrapper]" = WeakSet()
_lock = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    opened: Which = None
    opened_log: Which = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._refuse_unless_in_place()
        new = super().get_new_connection(conn_params)
        # The log is opened with the first question, and lies there until the last connection is closed.
        self.opened, self.opened_log = self._lying_there()
        with _lock:
            _open.add(self)
        return new

    def _close(self) -> None:
        # Before it is closed: with the last one the log goes, and that is as it should be.
        with _lock:
            _open.discard(self)
        super()._close()  # type: ignore[misc]

    def is_in_place(self) -> bool:
        """Whether the files lie there that this connection has opened; before it has, those of the others."""
        if self.connection is not None:
            return self._lies_as_opened()
        name = self.settings_dict["NAME"]
        with _lock:
            others = [one for one in _open if one.settings_dict["NAME"] == name]
        return all(one._lies_as_opened() for one in others)

    def _lies_as_opened(self) -> bool:
        file, log = self._lying_there()
        # A database in which nothing was ever written has no log yet.
        self.opened_log = self.opened_log or log
        return (file, log) == (self.opened, self.opened_log)

    def _lying_there(self) -> tuple[Which, Which]:
        name = str(self.settings_dict["NAME"])
        return _which(name), _which(f"{name}-wal")

    def _refuse_unless_in_place(self) -> None:
        if not self.is_in_place():
            says = "was removed or replaced while it was in use. Put it back, or start the site again"
            raise OperationalError(f"{self.settings_dict['NAME']} or the log beside it {says}.")

    def _start_transaction_under_autocommit(self) -> None:
        self._refuse_unless_in_place()
        super()._start_transaction_under_autocommit()  # type: ignore[misc]


def _which(path: str) -> Which:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
