"""Names people sign with. A name stands under published texts, so it may not pretend to be something else."""

from __future__ import annotations

import unicodedata

LETTERS_LEAST, LETTERS_MOST = 2, 40
SIGNS = " .'’-"


class PersonNameError(ValueError):
    """The sentence says what to change."""


def tidy_name(written: str) -> str:
    """The name in its one form, or BadName."""
    name = " ".join(unicodedata.normalize("NFKC", written).split())
    if not LETTERS_LEAST <= len(name) <= LETTERS_MOST:
        raise PersonNameError(f"A name has {LETTERS_LEAST} to {LETTERS_MOST} letters.")
    if not all(letter.isalnum() or letter in SIGNS or unicodedata.combining(letter) for letter in name):
        raise PersonNameError(
            "A name is made of letters, figures, spaces, full stops, hyphens and apostrophes."
        )
    if not any(letter.isalpha() for letter in name):
        raise PersonNameError("A name has a letter in it.")
    return name


def name_key(written: str) -> str:
    """Two names with one key are the same name to us, however they are written."""
    return " ".join(unicodedata.normalize("NFKC", written).casefold().split())[: LETTERS_MOST * 4]
