"""States of a book: a draft is published, a public book is withdrawn and may come back, and a draft that was
never public can be deleted whole."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from archive import search
from archive.images.page_image_cache import forget_images
from archive.images.storage import files_in, originals, pages
from archive.models import Book, PageImage
from archive.models.history import FileText, LeafCheck, Proposal, Revision, Slip, StateChange
from archive.models.scans import Original, Placing, Scan
from archive.offprints import shelf
from archive.publication.errors import EditError, check_reason
from people.models import Person

PUBLISHED = "Published."
WAS_PUBLIC = "This rulebook has been public, so it may have been cited. Withdraw it instead."


def publish_book(slug: str, person: Person) -> None:
    """Show a draft, or a book that was withdrawn, to everybody."""
    with transaction.atomic():
        book = Book.objects.select_for_update().get(slug=slug)
        if book.is_public:
            raise EditError("This rulebook is public already.")
        book.state = Book.PUBLIC
        book.public_since = book.public_since or (None if _was_public(book) else timezone.now())
        book.save(update_fields=["state", "public_since"])
        _log(book, person, PUBLISHED)
        search.index().add(book)
    forget_images()


def withdraw_book(slug: str, person: Person, reason: str) -> None:
    """Take a public book away from readers. The reason stays at its address."""
    check_reason(reason)
    with transaction.atomic():
        book = Book.objects.select_for_update().get(slug=slug)
        if not book.is_public:
            raise EditError("This rulebook is not public, so it cannot be withdrawn.")
        book.state = Book.WITHDRAWN
        book.save(update_fields=["state"])
        _log(book, person, reason)
        search.index().remove(book)
    forget_images()
    shelf.remove(slug)


def _log(book: Book, person: Person, reason: str) -> None:
    StateChange.objects.create(book=book, state=book.state, author=person, signed=person.name, reason=reason)


def _was_public(book: Book) -> bool:
    """True of a book that was withdrawn: of those loaded from a folder, no log tells their publication."""
    return book.state == Book.WITHDRAWN or StateChange.objects.filter(book=book).exists()


def withdrawal_of(slug: str) -> StateChange | None:
    """The last withdrawal of a book."""
    return StateChange.objects.filter(book__slug=slug, state=Book.WITHDRAWN).first()


def delete_draft(slug: str) -> None:
    """Delete a book that was never public: rows first, then the files that nothing else needs."""
    with transaction.atomic():
        book = Book.objects.select_for_update().get(slug=slug)
        if book.state != Book.DRAFT or _was_public(book):
            raise EditError(WAS_PUBLIC)
        names = [one.identifier for one in PageImage.objects.filter(leaf__book=book)]
        uploads = list(Original.objects.filter(scans__book=book).distinct())
        texts = _texts_of(Revision.objects.filter(book=book)) | _texts_of(Proposal.objects.filter(book=book))
        search.index().remove(book)
        rows: Iterable[QuerySet[Model]] = (
            model._default_manager.filter(book=book)
            for model in (Scan, Placing, Proposal, LeafCheck, Slip, Revision)
        )
        for found in rows:
            found.delete()
        PageImage.objects.filter(leaf__book=book).delete()
        book.delete()
        # A picture that another book has too stays.
        gone = [upload for upload in uploads if not upload.is_needed]
        Original.objects.filter(pk__in=[upload.pk for upload in gone]).delete()
        FileText.objects.filter(
            pk__in=texts - _texts_of(Revision.objects.all()) - _texts_of(Proposal.objects.all())
        ).delete()
    forget_images()
    _delete_files(names, gone)
    shelf.remove(slug)


def _texts_of(rows: QuerySet[Revision] | QuerySet[Proposal]) -> set[str]:
    return {
        digest for files in rows.values_list("files", flat=True).iterator(500) for digest in files.values()
    }


def _delete_files(identifiers: Iterable[str], uploads: Iterable[Original]) -> None:
    for storage in (pages(), originals()):
        for identifier in identifiers:
            for name in list(files_in(storage, identifier)):
                storage.delete(name)
    for upload in uploads:
        for name in upload.file_names:
            originals().delete(name)
