"""Load of a dump into an empty site: all of it is checked first, and all of it is loaded or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.management.color import no_style
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils.dateparse import parse_datetime

from archive import search
from archive.dump.bag import PAYLOAD, Bag, bag_info, digest_in, open_bag
from archive.dump.errors import BagError, LoadError, RowError
from archive.dump.rows import TargetSite, dumped_models, load_row
from archive.dump.write import FORMAT, FORMAT_LABEL
from archive.edition import EditionError
from archive.edition.folder import read_files
from archive.images.page_image_cache import forget_images
from archive.images.storage import originals, pages
from archive.models import Book, Leaf
from archive.models.history import FileText, Revision
from archive.publication.publish import publish
from archive.publication.revisions import digest_of
from archive.publication.verification import file_digest

STORAGES = {"images": pages, "originals": originals}
BOOKS = "records/books.jsonl"
MALFORMED = (KeyError, IndexError, ValueError, TypeError, AttributeError, ValidationError)
"""Errors of records that are not as they should be: no JSON, missing fields, a leaf that is not there."""


def load(source: Path) -> int:
    """Make this site's archive what was dumped; how many books it has."""
    _check_empty()
    placed: list[tuple[str, str]] = []
    try:
        with open_bag(source) as bag, transaction.atomic():
            _check_format(bag)
            count = _load_rows(bag)
            for place in _store_files(bag):
                placed.append(place)
    except Exception as fault:
        for folder, name in placed:
            STORAGES[folder]().delete(name)
        if isinstance(fault, BagError | RowError | EditionError | IntegrityError):
            raise LoadError(f"Nothing was loaded: {str(fault).rstrip('.')}.") from fault
        if isinstance(fault, OSError):
            raise LoadError(f"Nothing was loaded: {fault.strerror or fault}.") from fault
        if isinstance(fault, MALFORMED):
            raise LoadError(
                "Nothing was loaded: the bag is whole, but a record in it is not as manage.py dump writes "
                f"it ({type(fault).__name__}: {fault}). Make a new dump where it came from."
            ) from fault
        raise
    forget_images()
    return count


def _check_empty() -> None:
    try:
        in_use = Book.objects.exists()
    except DatabaseError as fault:
        raise LoadError(
            f"Nothing was loaded: the database is not ready ({fault}). Run manage.py migrate first."
        ) from fault
    if in_use:
        raise LoadError(
            "Nothing was loaded: there are rulebooks here already. A dump needs a site without any; make one "
            "with TALLYROOM_VAR=<an empty folder> and manage.py migrate."
        )


def _check_format(bag: Bag) -> None:
    form = bag_info(bag).get(FORMAT_LABEL)
    if form is None:
        raise BagError("this bag is not a Tallyroom dump. Use one that manage.py dump wrote.")
    if form != FORMAT:
        raise BagError(f"this dump is of a newer version (its form is {form}). Install that, then load it.")
    if f"{PAYLOAD}{BOOKS}" not in bag.names:
        raise BagError(f"{BOOKS} is missing from the bag.")


def _load_rows(bag: Bag) -> int:
    slugs = [_publish(bag, json.loads(line)) for line in bag.payload_lines(BOOKS)]
    # Publishing has begun a log of its own; here is the one there was.
    Revision.objects.all().delete()
    FileText.objects.all().delete()
    _load_texts(bag)
    site = TargetSite(
        dict(Book.objects.values_list("slug", "pk")),
        {(slug, number): pk for slug, number, pk in Leaf.objects.values_list("book__slug", "number", "pk")},
    )
    models = {f"{model._meta.model_name}.jsonl": model for model in dumped_models()}
    for name in bag.under("records/"):
        file = name.rpartition("/")[2]
        if name == BOOKS:
            continue
        if file not in models:
            raise RowError(f"{name} is of a newer version: this one keeps no such records.")
        for line in bag.payload_lines(name):
            load_row(models[file], line, site)
    _check_history(slugs)
    _reset_sequences()
    # Searching lists equals in the order in which they were indexed: as they were published.
    for book in Book.objects.order_by("published", "pk").iterator(20):
        search.index().remove(book)
        if book.is_public:
            search.index().add(book)
    return len(slugs)


def _publish(bag: Bag, book: dict[str, str]) -> str:
    slug = book["slug"]
    paths = bag.under(f"books/{slug}/")
    files = {path.rpartition("/")[2]: bag.payload(path).decode() for path in paths}
    when = parse_datetime(book["published"])
    publish(read_files(slug, files), files, loaded=book["loaded"] or None, when=when)
    # A dump from before there were drafts does not say: then everything was public.
    since = parse_datetime(book.get("public_since") or "")
    Book.objects.filter(slug=slug).update(
        state=book.get("state", Book.PUBLIC), public_since=since, reading=book.get("reading", "")
    )
    return slug


def _load_texts(bag: Bag) -> None:
    for name in bag.under("texts/"):
        text = FileText(digest=name.rpartition("/")[2], text=bag.payload(name).decode())
        if digest_of(text.text) != text.digest:
            raise BagError(f"{name} is not the text that its name says.")
        text.save(force_insert=True)


def _check_history(slugs: list[str]) -> None:
    for slug in slugs:
        last = Revision.objects.filter(book__slug=slug).order_by("-number").first()
        if last is None or last.fingerprint != Book.objects.get(slug=slug).fingerprint:
            raise RowError(f"the history of {slug} does not end with the book as it stands.")


def _reset_sequences() -> None:
    """Rows came with their numbers; the database goes on after the highest."""
    models = list(apps.get_app_config("archive").get_models())
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _store_files(bag: Bag) -> Iterator[tuple[str, str]]:
    """Put the image files in their storages; the name of each that was not there."""
    for folder, place in STORAGES.items():
        storage = place()
        for path in bag.under(f"{folder}/"):
            name = path.partition("/")[2]
            if storage.exists(name):
                if file_digest(storage, name) == digest_in(bag, path):
                    continue
                storage.delete(name)
            with bag.open(f"{PAYLOAD}{path}") as file:
                storage.save(name, File(file))
            yield folder, name
