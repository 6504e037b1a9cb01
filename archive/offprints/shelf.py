"""The shelf of offprints: which there are, making them in the background, keeping and removing them."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass

from django.core.files.base import ContentFile

from archive.background import BackgroundQueue
from archive.cache import BoundedCache
from archive.images.storage import files_in, pages
from archive.models import Book
from archive.models.history import Revision
from archive.offprints.content import Offprint, offprint_of
from archive.offprints.epub import as_epub
from archive.offprints.typst_pdf import OffprintError, as_pdf
from archive.site import site

log = logging.getLogger(__name__)
FOLDER = "offprints"
VERSION = 2
"""Of what an offprint looks like: another makes all files anew."""
FAILED_SECONDS = 600
"""After so long an offprint that could not be made may be asked for again."""
FAILED_MOST = 1_000
NAMES_OF_SITE_MOST = 8
"""Files of a form of one revision: the site is written into them by the name by which it was asked."""


@dataclass(frozen=True)
class Form:
    """A form that an offprint has. `name` is its file's name, `kind` the type of its content."""

    key: str
    name: str
    title: str
    kind: str


PDF, EPUB = "application/pdf", "application/epub+zip"
FORMS = {
    form.key: form
    for form in (
        Form("facing", "facing.pdf", "Source and reading text (PDF)", PDF),
        Form("reading", "reading.pdf", "Reading text (PDF)", PDF),
        Form("book", "book.epub", "For e-readers (EPUB)", EPUB),
    )
}


@dataclass(frozen=True)
class Order:
    """An offprint that is wanted: of a book in its last revision, as it is read at an address."""

    slug: str
    revision: int
    fingerprint: str
    origin: str
    form: str

    @property
    def digest(self) -> str:
        """A name for everything that the content depends on."""
        facts = (VERSION, self.slug, self.revision, self.fingerprint, self.origin, site())
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]

    @property
    def file(self) -> str:
        """The name of the file in the storage."""
        return f"{self.folder}{self.digest}/{FORMS[self.form].name}"

    @property
    def folder(self) -> str:
        """Where all files of this revision begin."""
        return f"{FOLDER}/{self.slug}/{self.revision}-"

    @property
    def download(self) -> str:
        """The name under which a reader keeps it."""
        return f"{self.slug}-revision-{self.revision}-{FORMS[self.form].name}"


_waiting: set[Order] = set()
_failed: BoundedCache[Order, str] = BoundedCache(FAILED_MOST, FAILED_SECONDS)


def order_of(book: Book, form: str, origin: str) -> Order | None:
    """None if nothing of this book was published yet."""
    revision = Revision.objects.filter(book=book).order_by("-number").first()
    return Order(book.slug, revision.number, revision.fingerprint, origin, form) if revision else None


def find(order: Order) -> bytes | None:
    try:
        with pages().open(order.file) as stored:
            content: bytes = stored.read()
    except FileNotFoundError:
        return None
    return content


def has_failed(order: Order) -> bool:
    return _failed.get(order) is not None


def is_waiting(order: Order) -> bool:
    """True while it is waiting to be made, or being made, by this process."""
    return order in _waiting


def enqueue(order: Order) -> None:
    _waiting.add(order)
    _queue.enqueue(order)


def _make(order: Order) -> None:
    try:
        make(order)
    except Exception as fault:
        # Else every reload of the page that waits would try again.
        _failed.put(order, str(fault))
        raise
    finally:
        _waiting.discard(order)


def make(order: Order) -> None:
    """Make an offprint and keep it, unless it is there already; of older revisions none stays."""
    if pages().exists(order.file):
        return
    book = Book.objects.for_reading().filter(slug=order.slug).first()
    revision = Revision.objects.filter(book=book, number=order.revision).first()
    if book is None or revision is None or book.fingerprint != order.fingerprint:
        # It has changed since, so this file would be of no revision.
        return
    try:
        content = _content(offprint_of(book, revision, order.origin), order.form)
    except OffprintError as fault:
        log.error("%s of %s could not be made: %s", order.form, order.slug, fault)
        _failed.put(order, str(fault))
        return
    _remove_older(order)
    pages().save(order.file, ContentFile(content))


def _remove_older(order: Order) -> None:
    """Remove those of older revisions. A site with several names has one for each, within a bound: else
    two who ask by two names would have it made anew in turn."""
    all_files = list(files_in(pages(), f"{FOLDER}/{order.slug}"))
    same_form = [name for name in all_files if name.endswith(FORMS[order.form].name) and name != order.file]
    older = [name for name in same_form if not name.startswith(order.folder)]
    for name in same_form if len(same_form) - len(older) >= NAMES_OF_SITE_MOST else older:
        pages().delete(name)


def _content(shown: Offprint, form: str) -> bytes:
    if form == "book":
        return as_epub(shown)
    return as_pdf(shown, "facing" if form == "facing" else "reading")


def remove(slug: str) -> None:
    """Remove all offprints of a book: it was withdrawn, or deleted as a draft."""
    for name in list(files_in(pages(), f"{FOLDER}/{slug}")):
        pages().delete(name)


_queue: BackgroundQueue[Order] = BackgroundQueue("offprints", _make)
