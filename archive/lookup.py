"""Answers to the score pads: variants of a game, and a passage as HTML.

The apps import nothing of each other: the setting SCOREPAD_ARCHIVE names this module, and the pads load it by
that name. The public JSON addresses of variants say the same.
"""

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string

from archive.models import Leaf, Note, Passage, Variant
from archive.reader.evidence import evidence_of, lines_of


def variant(slug: str) -> dict[str, Any] | None:
    """A variant by its slug; None when there is none."""
    found = Variant.objects.filter(slug=slug).first()
    return variant_as_dict(found) if found else None


def variants_of_game(game: str) -> list[dict[str, Any]]:
    """All variants of a game, as printed first."""
    return [variant_as_dict(found) for found in Variant.objects.of_game(game).defer("html")]


def variant_as_dict(variant: Variant) -> dict[str, Any]:
    return {
        "slug": variant.slug,
        "game": variant.game,
        "title": variant.title,
        "reasons": variant.reasons,
        "options": variant.options,
        "settings": variant.pad,
        "address": variant.get_absolute_url(),
    }


def passage_html(book: str, anchor: str) -> str:
    """A passage quoted in place, by its anchor or by a former one; empty when the book has none."""
    passages = Passage.objects.named(book, anchor).select_related("book").prefetch_related("notes")
    found = passages.first()
    if found is None:
        return ""
    return render_to_string("archive/_passage.html", quotation(found, list(found.notes.all())))


def quotation(
    passage: Passage, notes: Sequence[Note], leaves: Sequence[Leaf] | None = None
) -> dict[str, Any]:
    """Context of the quoted passage: the sentence, its place, and what carries it."""
    return {
        "passage": passage,
        "book": passage.book,
        "evidence": evidence_of(passage, lines_of(passage, leaves), notes),
        "silent": [note for note in notes if note.authority == "editor" and note.kind != "lacuna"],
    }
