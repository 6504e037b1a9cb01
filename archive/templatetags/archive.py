"""What a book's page says of its own making: how far each leaf is checked, and which revision this is;
and what two people wrote in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from archive.curation.diff import Piece, word_diff
from archive.curation.proofreading import states_of
from archive.models import Book
from archive.models.history import Revision

register = template.Library()


@register.inclusion_tag("curation/_proofreading.html")
def making_of(book: Book) -> dict[str, Any]:
    """One query, whoever reads."""
    leaves = states_of(book)
    if leaves:
        return {"book": book, "leaves": leaves, "latest": getattr(leaves[0].leaf, "latest", None)}
    latest = Revision.objects.filter(book=book).order_by("-number").values_list("number", flat=True).first()
    return {"book": book, "leaves": [], "latest": latest}


@register.filter
def against(lines: Sequence[str], base: Sequence[str]) -> tuple[Piece, ...]:
    """These lines with what was put in and what was taken out of the base; nothing if all of it went."""
    return word_diff("\n".join(base), "\n".join(lines)) if lines else ()
