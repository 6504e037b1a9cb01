"""A book that was not on the shelf: its catalogue, and so many leaves without text."""

from __future__ import annotations

from dataclasses import replace

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from archive.curation import edits
from archive.curation.forms import catalogue as cataloguing
from archive.curation.forms import fields
from archive.curation.forms.catalogue import BOOK, LINE_MOST, Card, CatalogueError
from archive.curation.forms.catalogue_fields import NOT_KNOWN
from archive.curation.forms.leaf_order import LEAVES_MOST, new_leaf, text_of
from archive.models import Book
from archive.models.history import Revision
from archive.publication import revisions
from archive.publication.publish import publish
from archive.publication.revisions import Signed

SLUG_MOST = 50
NOT_LOOKED = "Not looked into yet."
FILLED = ("short_title", "reasons")


def slug_from(card: Card) -> str:
    """A name in addresses made from what it is called and its year: thumbs-up-1941."""
    called = card.answers.get("short_title") or card.answers.get("title", "")
    year = card.answers.get("year", "")
    year = year if cataloguing.is_year(year) else ""
    return slugify(called)[: SLUG_MOST - len(year) - 1].strip("-") + (f"-{year}" if year else "")


def filled(card: Card) -> Card:
    """With what can be said of any book, where little is known of this one yet."""
    answers = dict(card.answers)
    answers["short_title"] = answers.get("short_title") or answers.get("title", "")[:120]
    answers["reasons"] = answers.get("reasons") or NOT_LOOKED
    # A plain cover from what is known, until somebody writes down the printed one.
    known = [part for part in (answers.get("maker"), answers.get("place")) if part and part != NOT_KNOWN]
    plain = ((answers["short_title"], "title"), *((part[:LINE_MOST], "imprint") for part in known))
    return replace(card, answers=answers, cover=card.cover or plain)


def add(card: Card, slug: str, leaves: str, signed: Signed) -> Revision:
    """Publish it as revision 1. BadCatalogue says what cannot be so, by the name of its field."""
    faults: dict[str, str] = {}
    slug = slug or slug_from(card)
    if not fields.is_name(slug) or len(slug) > SLUG_MOST:
        faults["slug"] = f"Small letters, figures and hyphens, at most {SLUG_MOST}; not “new”."
    elif Book.objects.filter(slug=slug).exists():
        faults["slug"] = f"There is a book {slug} already. Choose another name."
    if not (leaves.isascii() and leaves.isdecimal() and 1 <= int(leaves[:4]) <= LEAVES_MOST):
        faults["leaves"] = f"How many pages has it? From 1 to {LEAVES_MOST}."
    try:
        catalogue = cataloguing.catalogue_from(filled(card), [])
    except CatalogueError as bad:
        raise CatalogueError(bad.faults | faults) from None
    if faults:
        raise CatalogueError(faults)
    pages = [new_leaf(number) for number in range(1, int(leaves) + 1)]
    files = {
        BOOK: cataloguing.write_catalogue(catalogue, pages),
        "text.txt": text_of([""] * len(pages)),
        "notes.toml": "",
        "variants.toml": "",
        "brief.toml": "",
    }
    source = edits.check(slug, files)
    try:
        with transaction.atomic():
            # The name is taken first: of two who add one book at once, the second finds it taken.
            Book.objects.create(slug=slug, published=timezone.now())
            return revisions.head_of(publish(source.edition, source.files, signed=signed))
    except IntegrityError:
        raise CatalogueError({"slug": f"There is a book {slug} already. Choose another name."}) from None
