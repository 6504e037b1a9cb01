"""SQLite as Django speaks to it, which stores only while its files lie in their places.

Whoever removes or replaces the database under a running site, or the log beside it, leaves the site with
files that have no name any more: what it says to be stored would be gone with its process. So a connection
knows which files it has opened, and stores nothing while others lie there, or none.
"""

import os
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

Which = tuple[int, int] | None
"""The file that lies at a path: its disk and its number there."""


class DatabaseWrapper(base.DatabaseWrapper):
    opened: Which = None
    opened_log: Which = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        new = super().get_new_connection(conn_params)
        # The log is opened with the first question, and lies there until the last connection is closed.
        self.opened, self.opened_log = self._lying_there()
        return new

    def is_in_place(self) -> bool:
        if self.connection is None:
            return True
        file, log = self._lying_there()
        # A database in which nothing was ever written has no log yet.
        self.opened_log = self.opened_log or log
        return (file, log) == (self.opened, self.opened_log)

    def _lying_there(self) -> tuple[Which, Which]:
        name = str(self.settings_dict["NAME"])
        return _which(name), _which(f"{name}-wal")

    def _start_transaction_under_autocommit(self) -> None:
        if not self.is_in_place():
            says = "was removed or replaced while it was in use. Put it back, or start the site again"
            raise OperationalError(f"{self.settings_dict['NAME']} or the log beside it {says}.")
        super()._start_transaction_under_autocommit()  # type: ignore[misc]


def _which(path: str) -> Which:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
