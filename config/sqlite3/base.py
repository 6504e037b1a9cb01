"""SQLite backend of Django that writes only while its files are in place.

A database, or its log, that is removed or replaced under a running site leaves the site with files that have
no name any more: what it says to be stored would be gone with its process. So a connection knows which files
it has opened, and stores nothing while others are there, or none. Nor is another one opened then beside those
that are open: it would begin another log, and be alone with it.
"""

import os
import threading
from typing import Any
from weakref import WeakSet

from django.db import OperationalError
from django.db.backends.sqlite3 import base

FileId = tuple[int, int] | None
"""The file at a path: its device and inode."""

_open: "WeakSet[DatabaseWrapper]" = WeakSet()
_lock = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    opened: FileId = None
    opened_log: FileId = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._refuse_unless_in_place()
        new = super().get_new_connection(conn_params)
        # The log is opened with the first query, and stays until the last connection is closed.
        self.opened, self.opened_log = self._present_files()
        with _lock:
            _open.add(self)
        return new

    def _close(self) -> None:
        # Before it is closed: with the last one the log goes, and that is as it should be.
        with _lock:
            _open.discard(self)
        super()._close()  # type: ignore[misc]

    def is_in_place(self) -> bool:
        """Tell if the files this connection has opened are in place; before it has any, those of others."""
        if self.connection is not None:
            return self._files_are_those_opened()
        name = self.settings_dict["NAME"]
        with _lock:
            others = [one for one in _open if one.settings_dict["NAME"] == name]
        return all(one._files_are_those_opened() for one in others)

    def _files_are_those_opened(self) -> bool:
        file, log = self._present_files()
        # A database in which nothing was ever written has no log yet.
        self.opened_log = self.opened_log or log
        return (file, log) == (self.opened, self.opened_log)

    def _present_files(self) -> tuple[FileId, FileId]:
        name = str(self.settings_dict["NAME"])
        return _file_id(name), _file_id(f"{name}-wal")

    def _refuse_unless_in_place(self) -> None:
        if not self.is_in_place():
            says = "was removed or replaced while it was in use. Put it back, or start the site again"
            raise OperationalError(f"{self.settings_dict['NAME']} or the log beside it {says}.")

    def _start_transaction_under_autocommit(self) -> None:
        self._refuse_unless_in_place()
        super()._start_transaction_under_autocommit()  # type: ignore[misc]


def _file_id(path: str) -> FileId:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
