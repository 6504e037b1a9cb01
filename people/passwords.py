"""Words that anybody would try first here: they make no password longer."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from people.models import Person

WORDS = (
    "tallyroom", "tally", "scorepad", "rummy", "cooncan", "conquian",
    "thumbs", "victory", "victor", "victim", "leaflet", "archive",
    "contributor", "curator", "keeper", "password", "passwort", "welcome", "letmein",
)  # fmt: skip
LEFT_LEAST = 8
"""So many letters and figures must be left when these words are taken out."""


class OtherWords:
    def validate(self, password: str, user: Person | None = None) -> None:
        plain = "".join(sign for sign in password.casefold() if sign.isalnum())
        left = plain
        for word in WORDS:
            left = left.replace(word, "")
        if left != plain and len(left) < LEFT_LEAST:
            raise ValidationError("Anybody would try that here first. Choose other words.")

    def get_help_text(self) -> str:
        return "Words of this site do not make a password longer."
