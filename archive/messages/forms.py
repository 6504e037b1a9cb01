"""Form of a message: what a reader writes, each fault with a sentence at its field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from archive.messages.limits import limit
from archive.text_input import clean_line, clean_text

MAX_SENDER = 80
MAX_EMAIL = 254


@dataclass(frozen=True)
class MessageForm:
    """What was written, cleaned; `faults` has a sentence for each field that is wrong. Nothing is cut off, so
    that the form can be shown again with all of it."""

    words: str = ""
    sender: str = ""
    email: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)


def message_form(sent: Mapping[str, str]) -> MessageForm:
    words = clean_text(sent.get("words", "")).strip()
    sender, email = clean_line(sent.get("sender", "")), clean_line(sent.get("email", ""))
    most, faults = limit("MESSAGE_LETTERS_MOST"), {}
    if not words:
        faults["words"] = "Write what is wrong here, or what you know."
    elif len(words) > most:
        faults["words"] = f"This is {len(words):,} letters long, and {most:,} is the most. Please shorten it."
    if len(sender) > MAX_SENDER:
        faults["sender"] = f"Write your name in at most {MAX_SENDER} letters."
    if email and not _is_email(email):
        faults["email"] = "This is not an email address. Write it like ann@example.org, or leave it empty."
    return MessageForm(words, sender, email, faults)


def _is_email(written: str) -> bool:
    try:
        validate_email(written)
    except ValidationError:
        return False
    return len(written) <= MAX_EMAIL
