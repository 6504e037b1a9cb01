"""Fields of the forms for a declared game: names, lines, lists of values, and the names a sum may use."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify

from archive.curation.forms.fields import number_from
from archive.curation.game_text import rows_of
from archive.text_input import clean_line
from engine.declared.entry_tables import SYMBOL_LENGTH, TAKEN
from engine.declared.sums import NUMBER_MOST
from engine.log import CORRECTION_KINDS
from engine.strict_json import is_control

NAME_LENGTH = 40
MAX_LIST = 8_000
SMALL_WORDS = re.compile(
    r"an?|and|are|at|did|do|does|each|for|has|have|how|in|is|it|many|much|of|on|one|or|somebody|the|their|there|they"
    r"|this|to|was|were|what|which|who|whose|with"
)


class Line(forms.CharField):
    """A text in one line."""

    def __init__(
        self, label: str, most: int = 200, hint: str = "", required: bool = True, **more: Any
    ) -> None:
        super().__init__(label=label, max_length=most, help_text=hint, required=required, **more)
        self.error_messages["required"] = "Write something here."

    def to_python(self, value: object) -> str:
        return clean_line(super().to_python(value) or "")


class Name(Line):
    """A short name, which sums use: `cards left` becomes `cards_left`."""

    def __init__(self, label: str = "Short name", hint: str = "", **more: Any) -> None:
        super().__init__(label, NAME_LENGTH, hint, required=False, **more)

    def to_python(self, value: object) -> str:
        return name_from(super().to_python(value))


class Number(forms.IntegerField):
    """A whole number that the engine can count with."""

    def __init__(self, label: str, hint: str = "", **more: Any) -> None:
        bounds = {"min_value": -NUMBER_MOST, "max_value": NUMBER_MOST} | more
        super().__init__(label=label, help_text=hint, **bounds)
        self.error_messages["required"] = self.error_messages["invalid"] = "Write a whole number."


class Choice(forms.ChoiceField):
    """One of a few."""

    def __init__(self, label: str, choices: Any = (), hint: str = "", **more: Any) -> None:
        super().__init__(label=label, choices=choices, help_text=hint, **more)
        self.error_messages["required"] = self.error_messages["invalid_choice"] = "Choose one."


class Flag(forms.BooleanField):
    def __init__(self, label: str, hint: str = "") -> None:
        super().__init__(label=label, help_text=hint, required=False)


class Rows(forms.CharField):
    """Several things, one in each line."""

    def __init__(self, label: str, hint: str) -> None:
        super().__init__(label=label, help_text=hint, max_length=MAX_LIST, widget=forms.Textarea)
        self.error_messages["required"] = "Write at least one line."

    def to_python(self, value: object) -> Any:
        rows = [clean_line(row) for row in str(super().to_python(value) or "").split("\n")]
        return self.read([row for row in rows if row])

    def read(self, rows: list[str]) -> Any:
        return rows


class Priced(Rows):
    """Words, each with a whole number: `queen: 13`."""

    def read(self, rows: list[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for row in rows:
            word, _, written = row.rpartition(":")
            number = number_from(written.strip(), -NUMBER_MOST, NUMBER_MOST)
            if not word.strip() or number is None:
                raise ValidationError(f"“{row[:60]}” is not a word with a number. Write it as queen: 13.")
            found[_once(word, found)] = number
        return found


class Told(Rows):
    """Words, each with its sentence: `transfer: The loser pays the winner.`"""

    def read(self, rows: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for row in rows:
            word, _, sentence = row.partition(":")
            if not word.strip() or not sentence.strip():
                raise ValidationError(
                    f"“{row[:60]}” is not a word with a sentence. Write it as word: sentence."
                )
            found[_once(word, found)] = sentence.strip()
        return found


def _once(word: str, found: Collection[str]) -> str:
    if word.strip() in found:
        raise ValidationError(f"“{word.strip()[:60]}” is listed twice.")
    return word.strip()


def name_from(words: str) -> str:
    """A name for sums made of these words; "" if there is none in them."""
    name = slugify(words).replace("-", "_").strip("_")
    return re.sub(r"^[^a-z]+", "", name)[:NAME_LENGTH].strip("_")


def free_name(words: str, taken: Collection[str], otherwise: str) -> str:
    """A name made of what matters in these words, that nothing has yet."""
    first = name_from("_".join(_telling(words))) or otherwise
    first = first[: NAME_LENGTH - 4].strip("_")
    return next(name for name in (first, *(f"{first}_{n}" for n in range(2, 999))) if name not in taken)


def sign_of(words: str) -> str:
    """A short sign for the sheet made of these words."""
    return " ".join(_telling(words))[:SYMBOL_LENGTH].strip() or "points"


def _telling(words: str) -> list[str]:
    return [word for word in name_from(words).split("_") if word and not SMALL_WORDS.fullmatch(word)][:3]


def plain(words: str) -> str:
    """Words that may stand in a sentence with blanks."""
    return "".join(sign for sign in words if sign not in "{}" and not is_control(sign)).rstrip(".?! ")


def keys_in(data: Mapping[str, Any], around: Mapping[str, Any] | None = None) -> set[str]:
    """Names that are taken: of options, tables and entries; of all questions, or those of one piece."""
    tables = data.get("table")
    found = {*TAKEN, *CORRECTION_KINDS, *(tables if isinstance(tables, dict) else ())}
    top = [*rows_of(data, "option"), *rows_of(data, "entry")]
    waiting = rows_of(data, "entry") if around is None else [around]
    asked: list[Mapping[str, Any]] = []
    while waiting:
        piece = waiting.pop()
        inner = [*rows_of(piece, "field"), *rows_of(piece, "share")]
        asked += inner
        waiting += inner
    return found | {str(row.get("key", "")) for row in (*top, *asked)}
