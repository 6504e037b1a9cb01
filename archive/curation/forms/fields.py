"""Fields that the forms of curation share: numbers, reasons, names in addresses, rows that move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from archive.text_input import MAX_REASON, clean_line

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TAKEN_SLUGS = {"new"}
"""Names that addresses use for something else."""
MAX_SLUG = 60
MAX_PAGE_NUMBER = 999_999_999
MAX_ROW = 999
Row = TypeVar("Row")


class LineField(forms.CharField):
    """A text in one line, without control characters; empty if it is missing, cut if it is too long."""

    def __init__(self, longest: int | None = None) -> None:
        super().__init__(required=False)
        self.longest = longest

    def to_python(self, value: object) -> str:
        return clean_line(super().to_python(value) or "")[: self.longest]


REASON = LineField(MAX_REASON)


def reason_from(request: HttpRequest) -> str:
    """The reason that a form gives for its change."""
    return str(REASON.clean(request.POST.get("reason", "")))


def number_from(written: str, least: int = 0, most: int | None = None) -> int | None:
    """The whole number that was written; None if it is none, or out of these bounds."""
    if not written.removeprefix("-").isdecimal():
        return None
    try:
        found: int = forms.IntegerField(min_value=least, max_value=most).clean(written)
    except ValidationError:
        return None
    return found


def page_number(request: HttpRequest, name: str) -> str:
    """A number in the address that the page names, such as the revision just saved; "" if there is none."""
    found = number_from(request.GET.get(name, ""), most=MAX_PAGE_NUMBER)
    return "" if found is None else str(found)


def move_from(act: str) -> tuple[int, int] | None:
    """The move that a button of a row asks for, as "up:3": the place of the row, and by how much it moves."""
    verb, _, place = act.partition(":")
    index = number_from(place, most=MAX_ROW)
    if verb not in ("up", "down") or index is None:
        return None
    return index, -1 if verb == "up" else 1


def moved(rows: Sequence[Row], index: int, by: int) -> list[Row]:
    """The rows with one of them a place up or down, where there is such a place."""
    found, to = list(rows), index + by
    if 0 <= index < len(found) and 0 <= to < len(found):
        found[index], found[to] = found[to], found[index]
    return found


def is_slug(written: str) -> bool:
    """True if this can be a name in addresses."""
    return len(written) <= MAX_SLUG and written not in TAKEN_SLUGS and SLUG.fullmatch(written) is not None
