"""Memory that a test may take."""

import tracemalloc
from contextlib import contextmanager


@contextmanager
def bytes_most(limit):
    """Fail if Python holds more than so many bytes more at any moment in here."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        yield
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak < limit, f"{peak} bytes at once"
