"""Cleaning of text that people type into forms, before it is stored."""

from __future__ import annotations

import unicodedata

MAX_REASON = 500
"""Letters of the reason that is given for a change."""


def clean_text(written: str) -> str:
    """Text with one kind of line end and without control characters, which are invisible and which databases
    refuse."""
    text = written.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(sign for sign in text if sign == "\n" or unicodedata.category(sign) not in ("Cc", "Cs"))


def clean_line(written: str) -> str:
    """The same in one line, with single spaces."""
    return " ".join(clean_text(written).split())
