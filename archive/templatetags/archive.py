"""Template tags: the proofreading state and revision of a book, quoted text, a text with marked changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

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


@register.filter
def quoted(text: str) -> SafeString:
    """Words of a passage: lines as they are, and rows as a table that keeps its empty cells."""
    if "\t" not in text:
        return linebreaksbr(text)
    rows = [[(cell.strip(),) for cell in line.split("\t")] for line in text.split("\n")]
    columns = max(len(row) for row in rows)
    cells = [
        (format_html_join("", f'<td colspan="{columns // len(row)}">{{}}</td>', row),)
        if columns % len(row) == 0
        else (format_html_join("", "<td>{}</td>", row),)
        for row in rows
    ]
    return format_html('<table class="rows">{}</table>', format_html_join("", "<tr>{}</tr>", cells))
