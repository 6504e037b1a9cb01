"""Answers to the score pads: variants, rules in brief, declared games, a passage as HTML, its pages.

The apps import nothing of each other: the setting SCOREPAD_ARCHIVE names this module, and the pads load it by
that name. The public JSON addresses of variants say the same.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode

from archive.images.clips import clip_alt, clip_in_page, clips_of_passage
from archive.images.iiif_request import ImageRequestError
from archive.models import Book, BriefLine, Leaf, Note, Passage, PassageName, Variant
from archive.reader.evidence import evidence_of, lines_of

DECLARED_MOST = 100


def variant(slug: str) -> dict[str, Any] | None:
    """A variant by its slug; None when there is none."""
    found = Variant.objects.exclude(book__state=Book.DRAFT).filter(slug=slug).first()
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
    passages = Passage.objects.named(book, anchor).filter(book__state=Book.PUBLIC)
    found = passages.select_related("book").prefetch_related("notes").first()
    if found is None:
        return ""
    return render_to_string("archive/_passage.html", quotation(found, list(found.notes.all())))


def brief_of_game(game: str) -> list[tuple[str, list[str]]]:
    """The rules in brief, line by line, each with its citations."""
    return [(line.text, list(line.cites)) for line in BriefLine.objects.filter(game=game)]


def declared_games() -> list[str]:
    """The text of every game that a published book declares, in the order of the shelf."""
    books = Book.objects.public().filter(declared_key__gt="").on_time_line()
    return list(books.values_list("declaration", flat=True)[:DECLARED_MOST])


def passage_names(books: Collection[str]) -> list[tuple[str, str]]:
    """Book and anchor of every passage of these books that the public may read, former anchors too."""
    names = PassageName.objects.filter(book__slug__in=books, book__state=Book.PUBLIC)
    return list(names.order_by("book__slug", "name").values_list("book__slug", "name"))


def passage_page(book: str, anchor: str) -> str:
    """The address of the page a passage begins on, with the passage lit there; empty when it has no page."""
    found = Passage.objects.named(book, anchor).first()
    if found is None or not found.leaves:
        return ""
    return f"{reverse('leaf', args=[book, found.leaves[0]])}?{urlencode({'lit': found.anchor})}"


def passage_clips(book: str, anchor: str) -> str:
    """The places of a passage on its pages as HTML, as its own page shows them, with the pictures inside;
    empty where there are none."""
    passages = Passage.objects.named(book, anchor).filter(book__state=Book.PUBLIC)
    found = passages.select_related("book").first()
    if found is None:
        return ""
    leaves = Leaf.objects.filter(book=found.book, number__in=found.leaves).with_images()
    shown = []
    for leaf, image, box in clips_of_passage(found, leaves):
        try:
            picture = clip_in_page(image, box, clip_alt(leaf))
        except (FileNotFoundError, ImageRequestError):
            continue
        context = {"book": found.book, "passage": found, "leaf": leaf, "image": image, "picture": picture}
        shown.append(render_to_string("archive/_passage_clip.html", context))
    return "".join(shown)


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
