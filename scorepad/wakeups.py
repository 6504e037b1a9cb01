"""After a commit: say which pad changed, to whoever listens in this process.

A wake-up carries no content. The listener reads what is new from the database, so a lost, doubled or late
one does no harm. A second machine will be told the same two words by the database's own notices.
"""

from collections.abc import Callable
from functools import partial

from django.db import transaction

ENTRY, DRAFT, PAD, LINKS = "entry", "draft", "pad", "links"

Listener = Callable[[str, str], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def forget(listener: Listener) -> None:
    if listener in _listeners:
        _listeners.remove(listener)


def wake(code: str, what: str) -> None:
    """Tell the listeners once the transaction has been committed; at once if there is none."""
    transaction.on_commit(partial(_tell, code, what))


def _tell(code: str, what: str) -> None:
    for listener in list(_listeners):
        listener(code, what)
