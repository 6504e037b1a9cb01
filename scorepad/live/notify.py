"""After a commit: say which pad changed, to whoever listens in this process and in all others.

A wake-up carries no content. The listener reads what is new from the database, so a lost, doubled or late
one does no harm. With PostgreSQL the other processes are told the same by the database's own notices;
`scorepad.notices` hears them.
"""

import secrets
from collections.abc import Callable, Sequence
from functools import partial

from django.db import connection, transaction

ENTRY, DRAFT, PAD, LINKS = "entry", "draft", "pad", "links"
CHANNEL = "scorepad"
HERE = secrets.token_hex(6)
"""This process, so that it does not wake itself twice."""

Listener = Callable[[str, str], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def forget(listener: Listener) -> None:
    if listener in _listeners:
        _listeners.remove(listener)


def wake(code: str, *kinds: str) -> None:
    """Tell the listeners once the transaction has been committed; at once if there is none."""
    for kind in kinds:
        transaction.on_commit(partial(tell, code, kind))
    if connection.vendor == "postgresql":
        # After the commit and by itself: inside the transaction it would make all commits queue for one lock.
        # What is stored stays stored when this fails; the sweep of the other processes finds it.
        transaction.on_commit(partial(_notify, code, kinds), robust=True)


def tell(code: str, what: str) -> None:
    """Tell the listeners of this process."""
    for listener in list(_listeners):
        listener(code, what)


def _notify(code: str, kinds: Sequence[str]) -> None:
    calls = ", ".join(["pg_notify(%s, %s)"] * len(kinds))
    payloads = [value for kind in kinds for value in (CHANNEL, f"{HERE} {code} {kind}")]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {calls}", payloads)
