"""Errors of what is fetched from other institutions, each with a sentence for whoever asked."""

from __future__ import annotations

from archive.publication.errors import EditError


class SourceError(EditError):
    """What was asked for cannot be had, or is not what it should be."""


class TooLargeError(SourceError):
    """An answer is longer than may be."""
