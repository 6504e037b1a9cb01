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
    """One query, whoever reads."""
    leaves = states_of(book)
    if leaves:
        return {"book": book, "leaves": leaves, "latest": getattr(leaves[0].leaf, "latest", None)}
    latest = Revision.objects.filter(book=book).order_by("-number").values_list("number", flat=True).first()
    return {"book": book, "leaves": [], "latest": latest}
