"""Template tags: the proofreading state and revision of a book, and a text with its changes marked."""

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
def proofreading(book: Book) -> dict[str, Any]:
    """The state of each leaf and the latest revision, in one query."""
    leaves = states_of(book)
    if leaves:
        return {"book": book, "leaves": leaves, "latest": getattr(leaves[0].leaf, "latest", None)}
    latest = Revision.objects.filter(book=book).order_by("-number").values_list("number", flat=True).first()
    return {"book": book, "leaves": [], "latest": latest}


@register.filter
def diff_against(lines: Sequence[str], base: Sequence[str]) -> tuple[Piece, ...]:
    """These lines with what was put in and what was taken out of the base; nothing if all of it went."""
    return word_diff("\n".join(base), "\n".join(lines)) if lines else ()
