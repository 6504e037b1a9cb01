"""Form for a new book: its catalogue, its name in addresses, and so many leaves without text."""

from __future__ import annotations

from dataclasses import replace

from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import slugify

from archive.curation import edits
from archive.curation.book_files import BRIEFS, CATALOGUE, NOTES, TEXT, VARIANTS, write_catalogue
from archive.curation.errors import CatalogueError
from archive.curation.forms.catalogue import MAX_LINE, CatalogueDraft, catalogue_from, draft_from, is_year
from archive.curation.forms.catalogue_fields import NOT_KNOWN
from archive.curation.forms.fields import LineField, is_slug
from archive.curation.leaf_order import MAX_LEAVES, new_leaf, text_of
from archive.edition import Catalogue
from archive.models import Book
from archive.models.history import Revision
from archive.publication import revisions
from archive.publication.publish import publish
from archive.publication.revisions import Signature

MAX_BOOK_SLUG = 50
MAX_SHORT_TITLE = 120
NOT_LOOKED = "Not examined yet."
OPTIONAL = ("short_title", "reasons")
"""Questions that a catalogue needs answered and a new book does not."""
LEAVES_FAULT = f"How many pages does it have? From 1 to {MAX_LEAVES}."


class NewBookForm(forms.Form):
    """`draft` is the catalogue as it was written; its faults are among those of the form."""

    slug = LineField()
    leaves = forms.IntegerField(
        min_value=1,
        max_value=MAX_LEAVES,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), LEAVES_FAULT),
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.draft = draft_from(data)
        self.catalogue: Catalogue | None = None
        self.catalogue_faults: dict[str, str] = {}

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"] or slug_from(self.draft)
        if not is_slug(slug) or len(slug) > MAX_BOOK_SLUG:
            raise ValidationError(f"Small letters, digits and hyphens, at most {MAX_BOOK_SLUG}; not “new”.")
        if Book.objects.filter(slug=slug).exists():
            raise ValidationError(_taken(slug))
        return slug

    def clean(self) -> None:
        try:
            self.catalogue = catalogue_from(filled(self.draft), [])
        except CatalogueError as bad:
            self.catalogue_faults = bad.faults
            self.add_error(None, "The catalogue has errors.")

    @property
    def faults(self) -> dict[str, str]:
        """Sentences by the name of the field."""
        own = {name: " ".join(map(str, self.errors[name])) for name in self.fields if name in self.errors}
        return self.catalogue_faults | own

    def publish(self, signed: Signature) -> Revision | None:
        """Record a valid form as revision 1 of a draft; None if its name was taken meanwhile. Raises
        EditError."""
        assert self.catalogue is not None
        slug, pages = self.cleaned_data["slug"], range(1, self.cleaned_data["leaves"] + 1)
        files = {
            CATALOGUE: write_catalogue(self.catalogue, [new_leaf(number) for number in pages]),
            TEXT: text_of([""] * len(pages)),
            NOTES: "",
            VARIANTS: "",
            BRIEFS: "",
        }
        source = edits.check(slug, files)
        try:
            with transaction.atomic():
                # The name is taken first: of two who add one book at once, the second finds it taken.
                Book.objects.create(slug=slug, published=timezone.now(), state=Book.DRAFT)
                return revisions.head_of(publish(source.edition, source.files, signed=signed))
        except IntegrityError:
            self.add_error("slug", _taken(slug))
            return None


def _taken(slug: str) -> str:
    return f"There is a rulebook {slug} already. Choose another name."


def slug_from(draft: CatalogueDraft) -> str:
    """A name in addresses made from what it is called and its year: thumbs-up-1941."""
    called = draft.answers.get("short_title") or draft.answers.get("title", "")
    year = draft.answers.get("year", "")
    year = year if is_year(year) else ""
    return slugify(called)[: MAX_BOOK_SLUG - len(year) - 1].strip("-") + (f"-{year}" if year else "")


def filled(draft: CatalogueDraft) -> CatalogueDraft:
    """The draft with what can be said of any book, where little is known of this one yet."""
    answers = dict(draft.answers)
    answers["short_title"] = answers.get("short_title") or answers.get("title", "")[:MAX_SHORT_TITLE]
    answers["reasons"] = answers.get("reasons") or NOT_LOOKED
    # A plain cover from what is known, until the printed one is written down.
    known = [part for part in (answers.get("maker"), answers.get("place")) if part and part != NOT_KNOWN]
    plain = ((answers["short_title"], "title"), *((part[:MAX_LINE], "imprint") for part in known))
    return replace(draft, answers=answers, cover=draft.cover or plain)
