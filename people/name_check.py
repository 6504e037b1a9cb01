"""System check of names: those that look alike are listed by `manage.py check --database default`.

New ones are refused; those from before, or from a dump, stay until their owners are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Warning
from django.db import Error

from people import lookalikes
from people.models import Person


def names_that_look_alike(databases: Sequence[str] | None = None, **options: Any) -> list[CheckMessage]:
    if not databases:
        return []
    try:
        names = list(Person.objects.order_by("pk").values_list("name", flat=True))
    except Error:
        # Before the first migration there is no such table.
        return []
    return [
        Warning(
            f"The names of two accounts look alike: {one} and {other}.",
            hint="Suspend the one that is not wanted, or invite its owner again with another name.",
            id="people.W001",
        )
        for one, other in lookalikes.pairs(names)
    ]
