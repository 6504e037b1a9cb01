"""The books on the shelf, for the pages that quote them."""

from tests.archive.conftest import loaded

__all__ = ["loaded"]
