"""Marks of browser tests: those that `make test` leaves to `make test-browser`."""

import pytest


def thorough(value):
    """A case that shows the same as its neighbours once more: on another screen, in another rhythm."""
    return pytest.param(value, marks=pytest.mark.thorough)
