"""Dump of the whole archive: every book as export_books writes it, its history, images and records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.core.files.storage import Storage
from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from archive.dump.bag import BagWriter, new_bag
from archive.dump.rows import SourceSite, dumped_models, path_to_book, row_as_line
from archive.images.storage import files_in, originals, pages
from archive.images.tiles import folder_of
from archive.models import Book, BookQuerySet, Leaf, PageImage
from archive.models.history import FileText, Proposal, Revision
from archive.models.scans import FirstReading, Original, ProposedScan, Scan
from archive.site import site
from people.models import Person

FOR_CURATORS = (Proposal, ProposedScan, Scan, FirstReading)
"""Records that only curators see, with the uploads that they name."""
FORMAT = "1"
FORMAT_LABEL = "Tallyroom-Dump-Format"
README = """This bag is a whole archive of Tallyroom.

books/<book>/            each book as its editors wrote it: catalogue, text, notes, variants, rules in brief
texts/<..>/<sha-256>     every file of every revision that was ever published, named by its SHA-256
records/books.jsonl      the books in their order, when each was published
records/<book>/          lines of JSON: revisions (who, when, why, which texts), proposals, checks of leaves,
                         notes that slipped, page images with the place of every word, scans with settings
records/original.jsonl   what was uploaded: name, size, SHA-256, by whom
images/                  the page images in all sizes, as they are served
originals/               the files the page images were cut from. They may carry metadata of the camera.

People are named as they signed. Their accounts are not in here, and neither are score pads nor what readers
have written to the curators.
`manage.py load_dump` loads it into an empty site and gives the same site.
"""


@dataclass(frozen=True)
class DumpSummary:
    books: int
    files: int
    size: int


def dump(target: Path, public: bool = False) -> DumpSummary:
    """Write the whole archive as a bag, into a new folder or a .zip; with `public` what everybody may see of
    it, and so no proposals and no uploads. Raises BagError."""
    with new_bag(target) as bag:
        bag.add("README.txt", README.encode())
        if not public:
            _write_uploads(bag)
        with consistent_read():
            books = Book.objects.public() if public else Book.objects.all()
            count = _write_rows(bag, books, public)
            shown = PageImage.objects.filter(leaf__book__in=books)
            images = dict(shown.values_list("identifier", "checksum"))
        # Page images are named by their content and stay: they need not be read at the same moment.
        _write_images(bag, images, public)
        now = timezone.now()
        bag.close(
            {
                **_who_speaks(),
                "External-Description": "Rulebooks of rummy games: texts, notes, variants, images, history",
                "Bagging-Date": f"{now:%Y-%m-%d}",
                "Bag-Software-Agent": "Tallyroom manage.py dump",
                FORMAT_LABEL: FORMAT,
            }
        )
    return DumpSummary(count, len(bag.digests), bag.size)


def _who_speaks() -> dict[str, str]:
    """The site's own settings, under the names that bags have for them."""
    here = site()
    told = {"Source-Organization": here.publisher, "Contact-Name": here.editors_line}
    told["Contact-Email" if "@" in here.contact else "Contact-Address"] = here.contact
    told["Licence-Of-The-Editors"] = here.licence.identifier if here.licence else "none stated"
    return {name: words for name, words in told.items() if words}


@contextmanager
def consistent_read() -> Iterator[None]:
    """A block in which everything is read from one state of the database, without holding up writers."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Django would begin with the writers' lock; a plain BEGIN reads one state and stops no writer.
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


def _write_rows(bag: BagWriter, chosen: BookQuerySet, public: bool) -> int:
    books = dict(chosen.order_by("pk").values_list("pk", "slug"))
    people = dict(Person.objects.values_list("pk", "name"))
    listed = []
    for pk, slug in books.items():
        book = Book.objects.get(pk=pk)
        for name, text in sorted(book.files.items()):
            bag.add(f"books/{slug}/{name}", text.encode())
        since = book.public_since.isoformat() if book.public_since else ""
        told = {"slug": slug, "published": book.published.isoformat(), "loaded": book.loaded_fingerprint}
        told |= {"state": book.state, "public_since": since, "reading": book.reading}
        listed.append(json.dumps(told) + "\n")
        leaves = {leaf: (slug, number) for leaf, number in _leaves(book)}
        site = SourceSite(books, people, leaves)
        for model in dumped_models():
            if (way := path_to_book(model)) and not (public and model in FOR_CURATORS):
                rows = model._default_manager.filter(**{way: pk}).order_by("pk")
                _write_lines(bag, f"{slug}/{model._meta.model_name}", rows, site)
    bag.add("records/books.jsonl", "".join(listed).encode())
    texts = FileText.objects.order_by("pk")
    if public:
        files = Revision.objects.filter(book__in=chosen).values_list("files", flat=True)
        texts = texts.filter(pk__in={digest for named in files for digest in named.values()})
    else:
        _write_rows_of_no_book(bag, SourceSite(books, people, {}))
    for text in texts.iterator(100):
        bag.add(f"texts/{text.digest[:2]}/{text.digest}", text.text.encode())
    return len(books)


def _leaves(book: Book) -> Iterator[tuple[int, int]]:
    yield from Leaf.objects.filter(book=book).values_list("pk", "number")


def _write_rows_of_no_book(bag: BagWriter, site: SourceSite) -> None:
    for model in dumped_models():
        if not path_to_book(model):
            _write_lines(bag, model._meta.model_name or "", model._default_manager.order_by("pk"), site)


def _write_lines(bag: BagWriter, name: str, rows: QuerySet[Model], site: SourceSite) -> None:
    if lines := b"".join(row_as_line(row, site) for row in rows.iterator(100)):
        bag.add(f"records/{name}.jsonl", lines)


def _write_uploads(bag: BagWriter) -> None:
    """An upload can be removed at any moment, files and all. So its files are copied before the rows are read
    that name it; of those that come later, the rest is copied with the images."""
    kept = originals()
    for original in list(Original.objects.only("digest", "kind", "frames")):
        for name in original.file_names:
            _copy(bag, kept, "originals", name)


def _write_images(bag: BagWriter, images: dict[str, str], public: bool) -> None:
    """Copy the files of page images. Facsimiles of earlier texts can be set again and are left out; no scan
    ever is."""
    served = pages()
    for identifier, checksum in sorted(images.items()):
        for name in files_in(served, folder_of(identifier, checksum)):
            _copy(bag, served, "images", name)
    kept = originals()
    for name in files_in(kept):
        identifier = name.partition("/")[0]
        current = images.get(identifier)
        if not public if current is None else name.startswith(folder_of(identifier, current)):
            _copy(bag, kept, "originals", name)


def _copy(bag: BagWriter, storage: Storage, folder: str, name: str) -> None:
    """A file that is not in the bag yet. One that was removed since it was listed is left out."""
    if bag.has(f"{folder}/{name}"):
        return
    try:
        found = storage.open(name)
    except FileNotFoundError:
        return
    with found as file:
        bag.copy(f"{folder}/{name}", file)
