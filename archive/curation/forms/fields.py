"""What people type into forms, before anything is made of it."""

from __future__ import annotations

import re
import unicodedata

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TAKEN = {"new"}
"""Names that addresses use for something else."""
SLUG_MOST = 60


def plain(written: str) -> str:
    """With one kind of line end and without control characters, which nobody sees and databases refuse."""
    text = written.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(sign for sign in text if sign == "\n" or unicodedata.category(sign) not in ("Cc", "Cs"))


def line(written: str) -> str:
    return " ".join(plain(written).split())


def is_name(slug: str) -> bool:
    """Whether this can be a name in addresses."""
    return len(slug) <= SLUG_MOST and slug not in TAKEN and SLUG.fullmatch(slug) is not None
