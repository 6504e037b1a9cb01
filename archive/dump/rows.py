"""Rows of the archive that are not drawn from its books' files, as lines of JSON and back.

Every model of the archive is described by its fields, so one that is added later is dumped without a word of
code. What refers to a book or a leaf names it; a person is a name, since accounts stay where they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import ForeignKey, Model

from archive.dump.errors import RowError
from archive.models import (
    Book,
    BriefLine,
    GameDraft,
    Job,
    JobPage,
    Leaf,
    MessagePhotograph,
    Note,
    Passage,
    PassageName,
    ReaderMessage,
    Variant,
)
from archive.models.history import FileText
from people.models import Person
from people.roles import CONTRIBUTOR
from people.validators import name_key

DRAWN = (Leaf, Passage, PassageName, Note, Variant, BriefLine)
"""Drawn from the files of a book whenever it is published."""
PASSING = (Job, JobPage)
"""What is being done just now; nothing of it is needed once it is done."""
PRIVATE = (ReaderMessage, MessagePhotograph, GameDraft)
"""What readers have written to the curators alone, and what one person is still writing; it is in the backup
of the site, and in no dump."""
APART = (Book, FileText)
"""Written out as files of their own."""


def dumped_models() -> list[type[Model]]:
    """The models whose rows are dumped line by line, in an order that stays."""
    every = apps.get_app_config("archive").get_models()
    left_out = (*DRAWN, *APART, *PASSING, *PRIVATE)
    kept = [model for model in every if model not in left_out and model._meta.managed]
    return sorted(kept, key=lambda model: model._meta.model_name or "")


def path_to_book(model: type[Model]) -> str:
    """The lookup from rows of this model to their book, for a query; empty if they belong to none."""
    for column in model._meta.concrete_fields:
        if column.related_model is Book:
            return column.name
    leaf = next((column.name for column in model._meta.concrete_fields if column.related_model is Leaf), "")
    return f"{leaf}__book" if leaf else ""


@dataclass(frozen=True)
class SourceSite:
    """The names of what rows refer to, in the site they come from."""

    books: Mapping[int, str]
    people: Mapping[int, str]
    leaves: Mapping[int, tuple[str, int]]


def row_as_line(row: Model, site: SourceSite) -> bytes:
    columns = row._meta.concrete_fields
    told = {column.name: _column_value(column, column.value_from_object(row), site) for column in columns}
    return (json.dumps(told, ensure_ascii=False, sort_keys=True) + "\n").encode()


def _column_value(column: models.Field[Any, Any], value: Any, site: SourceSite) -> Any:
    if value is None or not isinstance(column, ForeignKey):
        return value.isoformat() if hasattr(value, "isoformat") else value
    if column.related_model is Person:
        return site.people[value]
    if column.related_model is Book:
        return site.books[value]
    return list(site.leaves[value]) if column.related_model is Leaf else value


@dataclass
class TargetSite:
    """The keys of what rows refer to, in the site they come to."""

    books: Mapping[str, int]
    leaves: Mapping[tuple[str, int], int]
    people: dict[str, int] = field(default_factory=dict)

    def person(self, name: str) -> int:
        """The account of this name; if there is none, an inactive one that cannot sign in."""
        if name not in self.people:
            inactive = {"name": name, "role": CONTRIBUTOR, "is_active": False, "password": "!"}
            person, _ = Person.objects.get_or_create(key=name_key(name), defaults=inactive)
            self.people[name] = person.pk
        return self.people[name]


def load_row(model: type[Model], line: bytes, site: TargetSite) -> None:
    """Store a line as the row it was, its number and times included."""
    told: dict[str, Any] = json.loads(line)
    columns = {column.name: column for column in model._meta.concrete_fields}
    unknown = set(told) - set(columns)
    if unknown:
        raise RowError(
            f"{model._meta.verbose_name} has no {min(unknown)} here: the dump is of a newer version."
        )
    row = model()
    for name, value in told.items():
        column = columns[name]
        setattr(row, column.attname, value if value is None else _read_value(column, value, site))
    row.save_base(raw=True, force_insert=True)


def _read_value(column: models.Field[Any, Any], value: Any, site: TargetSite) -> Any:
    if not isinstance(column, ForeignKey):
        return column.to_python(value)
    if column.related_model is Person:
        return site.person(value)
    if column.related_model is Book:
        return site.books[value]
    return site.leaves[(value[0], value[1])] if column.related_model is Leaf else value
