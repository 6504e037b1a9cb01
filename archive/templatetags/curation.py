"""What a book's page says of its own making: how far each leaf is checked, and which revision this is."""

from __future__ import annotations

from typing import Any

from django import template

from archive.curation.states import states_of
from archive.history_models import Revision
from archive.models import Book

register = template.Library()


@register.inclusion_tag("curation/_states.html")
def making_of(book: Book) -> dict[str, Any]:
    """Two queries, whoever reads."""
    latest = Revision.objects.filter(book=book).order_by("-number").values("number", "signed", "made").first()
    return {"book": book, "latest": latest, "leaves": states_of(book)}
