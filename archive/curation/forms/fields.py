"""What people type into forms, before anything is made of it."""

from __future__ import annotations

import re

from archive.text_input import clean_line, clean_text

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TAKEN = {"new"}
"""Names that addresses use for something else."""
SLUG_MOST = 60


plain, line = clean_text, clean_line


def is_name(slug: str) -> bool:
    """Whether this can be a name in addresses."""
    return len(slug) <= SLUG_MOST and slug not in TAKEN and SLUG.fullmatch(slug) is not None
