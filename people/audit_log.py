"""Audit log of accounts: sign-ins, failures, changes and who made them.

Never what was typed: it may have been a password. An address is told by a mark under the site's key, so that
many failures from one place can be seen and the place cannot.
"""

from __future__ import annotations

import logging

from django.utils.crypto import salted_hmac

from people.models import Person

log = logging.getLogger("tallyroom.people")
MARK_LENGTH = 12


def record(event: str, person: Person | None = None, address: str = "", by: Person | None = None) -> None:
    parts = [event]
    if person is not None:
        parts.append(f"person {person.pk}")
    if by is not None:
        parts.append(f"by person {by.pk}")
    if address:
        parts.append(
            f"from {salted_hmac('people.events', address, algorithm='sha256').hexdigest()[:MARK_LENGTH]}"
        )
    log.info("%s", ", ".join(parts))
