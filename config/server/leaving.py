"""Whether this process is on its way out: it still answers, but asks for no new visitors."""

import threading

_begun = threading.Event()


def begin() -> None:
    _begun.set()


def has_begun() -> bool:
    return _begun.is_set()
