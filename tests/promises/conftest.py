"""What the promises need from the tests of pads."""

from tests.scorepad.conftest import committed

__all__ = ["committed"]
