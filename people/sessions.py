"""Where sessions are kept: in a table that knows whose they are, so that their owner can end them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as RowStore
from django.utils import timezone

from people.models import Session


class SessionStore(RowStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = super().create_model_instance(data)
        assert isinstance(row, Session)
        person = data.get(SESSION_KEY)
        row.person_id = int(person) if person else None
        row.device = data.get("device", "")
        began = data.get("began")
        row.began = datetime.fromisoformat(began) if began else timezone.now()
        return row
