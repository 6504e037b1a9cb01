"""Session store: rows that know whose they are, so that their owner can end them.

The key is in the cookie alone. Rows have its digest: a database writes what it is asked into logs of its own,
and a reader of those logs must not be able to sign in.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as RowStore
from django.http import HttpRequest
from django.utils import timezone

from people.models import Session


def digest(key: str | None) -> str:
    """The name of a session's row, as long as its column: 160 bits."""
    return hashlib.sha256((key or "").encode()).hexdigest()[:40]


def digest_of(request: HttpRequest) -> str:
    return digest(request.session.session_key)


def delete_expired() -> int:
    """Delete the rows of sessions that are over; returns how many."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]


class SessionStore(RowStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        row.session_key = digest(self.session_key)
        person = data.get(SESSION_KEY)
        row.person_id = int(person) if person else None
        row.device = data.get("device", "")
        began = data.get("began")
        row.began = datetime.fromisoformat(began) if began else timezone.now()
        return row

    def _get_session_from_db(self) -> Session | None:
        found = Session.objects.filter(session_key=digest(self.session_key), expire_date__gt=timezone.now())
        if (row := found.first()) is None:
            self._session_key = None
        return row

    def exists(self, session_key: str) -> bool:
        return Session.objects.filter(session_key=digest(session_key)).exists()

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            Session.objects.filter(session_key=digest(key)).delete()
