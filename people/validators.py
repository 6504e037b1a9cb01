"""Validators of names and passwords."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from people import lookalikes
from people.limits import limit

if TYPE_CHECKING:
    from people.models import Person

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 40
NAME_SIGNS = " .'’-"
SITE_WORDS = (
    "tallyroom", "tally", "scorepad", "rummy", "cooncan", "conquian",
    "thumbs", "victory", "victor", "victim", "leaflet", "archive",
    "contributor", "curator", "keeper", "password", "passwort", "welcome", "letmein",
)  # fmt: skip
"""Words that are tried first here: they make no password longer."""
MIN_OTHER_LETTERS = 8
"""So many letters and figures must be left when these words are taken out."""


def tidy_name(written: str) -> str:
    """A name in its one form. It stands under published texts, so it may not pretend to be something else."""
    name = " ".join(unicodedata.normalize("NFKC", written).split())
    if not MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH:
        raise ValidationError(f"A name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} letters.")
    if not all(map(_may_be_in_a_name, name)):
        raise ValidationError(
            "A name is made of letters, digits, spaces, full stops, hyphens and apostrophes."
        )
    if not any(letter.isalpha() for letter in name):
        raise ValidationError("A name has a letter in it.")
    if lookalikes.is_mixed(name):
        raise ValidationError(
            "This name mixes letters of different alphabets, some of which look the same. Write it in one."
        )
    return name


def _may_be_in_a_name(letter: str) -> bool:
    # Marks too: without them there are no vowels in Hindi or Thai.
    is_written = letter.isalnum() or letter in NAME_SIGNS or unicodedata.category(letter).startswith("M")
    return is_written and not lookalikes.is_unseen(letter)


def name_key(written: str) -> str:
    """The key of a name: two names with one key are the same name, however they are written."""
    return " ".join(unicodedata.normalize("NFKC", written).casefold().split())[: MAX_NAME_LENGTH * 4]


def check_new_password(password: str, person: Person) -> None:
    """ValidationError unless this password will do for this person."""
    most = limit("PASSWORD_LENGTH_MOST")
    if len(password) > most:
        raise ValidationError(f"A password has at most {most} characters.")
    validate_password(password, person)


class SiteWordsValidator:
    """Refuses passwords made of the words of this site."""

    def validate(self, password: str, user: Person | None = None) -> None:
        plain = "".join(sign for sign in password.casefold() if sign.isalnum())
        left = plain
        for word in SITE_WORDS:
            left = left.replace(word, "")
        if left != plain and len(left) < MIN_OTHER_LETTERS:
            raise ValidationError("Anyone would try that here first. Choose other words.")

    def get_help_text(self) -> str:
        return "Words of this site do not make a password longer."
