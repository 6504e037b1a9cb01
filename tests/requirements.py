"""What a test needs of the machine. `make test` passes over what a machine cannot do; a soak, which is to
prove everything, fails with a sentence that says what to install."""

import os

import pytest


def lacking(what: str) -> None:
    """Skip for want of this; under SOAK=1 fail for it."""
    if os.environ.get("SOAK"):
        pytest.fail(f"This proof was not given: {what}", pytrace=False)
    pytest.skip(what)
