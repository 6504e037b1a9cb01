"""Verification that the archive is still what was published: books are compared with their files, revisions
with their texts, images with their checksums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from django.core.files.storage import Storage

from archive.edition import Edition, EditionError
from archive.edition.folder import read_files
from archive.edition.line_json import pack_lines
from archive.images.storage import HashingReader, originals, pages
from archive.images.tiles import folder_of, size_name, sizes_of, tile_name, tiles_of
from archive.models import Book, PageImage
from archive.models.history import FileText, Revision
from archive.models.scans import Original, Placing
from archive.publication import publish
from archive.publication.revisions import FIRST_SEAL, digest_of, seal, texts_of

BLOCK = 1 << 20
JPEG_BEGINS, JPEG_ENDS = b"\xff\xd8", b"\xff\xd9"


def slugs() -> Iterator[str]:
    yield from Book.objects.order_by("pk").values_list("slug", flat=True)


def verify(slug: str) -> list[str]:
    """The faults of a book, in sentences; none, if all is well."""
    book = Book.objects.filter(slug=slug).first()
    if book is None:
        return []
    found = [*_book(book), *_revisions(book)]
    for image in PageImage.objects.filter(leaf__book=book).defer("words").iterator(50):
        found += _image(image)
    return [f"Book {slug}: {fault}" for fault in found]


def verify_texts() -> Iterator[str]:
    """Every text that any revision ever had: byte for byte what its name says."""
    for text in FileText.objects.order_by("pk").iterator(50):
        if digest_of(text.text) != text.digest:
            yield f"History: the text {text.digest} is not what its name says; it was altered."


def _book(book: Book) -> Iterator[str]:
    if publish.fingerprint(book.files) != book.fingerprint:
        yield "its files do not have its fingerprint; they were altered."
        return
    try:
        edition = read_files(book.slug, book.files)
    except EditionError as fault:
        yield f"its files cannot be read: {fault}"
        return
    yield from _rows(book, edition)


def _rows(book: Book, edition: Edition) -> Iterator[str]:
    """Rows are drawn from the files when a book is published; here they are compared with them."""
    catalogue = asdict(edition.catalogue)
    rights = catalogue.pop("rights")
    state = catalogue | {f"rights_{key}": value for key, value in rights.items()}
    state |= {"sources": [asdict(source) for source in edition.sources]}
    for name, value in state.items():
        if _plain(getattr(book, name)) != _plain(value):
            yield f"its {name} is not that of its files."
    drawn = {
        "leaf": ({leaf.number: (leaf.label, leaf.title, pack_lines(leaf.lines)) for leaf in edition.leaves}),
        "passage": {p.anchor: (p.kind, p.section, p.printed, p.reading) for p in edition.passages},
        "note": {note.id: (note.title, note.body, note.quote, note.sources) for note in edition.notes},
        "variant": {v.slug: (v.game, v.title, v.reasons, dict(v.options)) for v in edition.variants},
    }
    stored = {
        "leaf": {leaf.number: (leaf.label, leaf.title, leaf.lines) for leaf in book.leaves.all()},
        "passage": {p.anchor: (p.kind, p.section, p.printed, p.reading) for p in book.passages.all()},
        "note": {note.slug: (note.title, note.body, note.quote, note.sources) for note in book.notes.all()},
        "variant": {v.slug: (v.game, v.title, v.reasons, v.options) for v in book.variants.all()},
    }
    for kind, wanted in drawn.items():
        for key in sorted({*wanted, *stored[kind]}, key=str):  # type: ignore[misc]
            if _plain(wanted.get(key)) != _plain(stored[kind].get(key)):  # type: ignore[attr-defined]
                yield f"{kind} {key} is not that of its files."


def _plain(value: object) -> object:
    """Lists and tuples alike: the database knows only the one."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _revisions(book: Book) -> Iterator[str]:
    last: Revision | None = None
    for expected, revision in enumerate(
        Revision.objects.filter(book=book).select_related("book").order_by("number").iterator(50), 1
    ):
        if revision.number != expected:
            yield f"revision {expected} is missing: the next one is {revision.number}."
            return
        before = last.number if last else None
        if revision.parent != before:
            yield f"revision {revision.number} names {revision.parent} as its parent and not {before}."
        yield from _texts(revision)
        if seal(last.seal if last else FIRST_SEAL, revision) != revision.seal:
            yield (
                f"revision {revision.number} was altered: its author, time, reason or files are not what was "
                "sealed, or its seal itself."
            )
            return
        last = revision
    if last is None:
        yield "it has no revision."
    elif last.fingerprint != book.fingerprint:
        yield f"its files are not those of its latest revision, {last.number}."


def _texts(revision: Revision) -> Iterator[str]:
    known = set(FileText.objects.filter(digest__in=revision.files.values()).values_list("digest", flat=True))
    for name, digest in revision.files.items():
        if digest not in known:
            yield f"{name} of revision {revision.number} is missing."
            return
    if publish.fingerprint(texts_of(revision.files)) != revision.fingerprint:
        yield f"revision {revision.number} does not have its fingerprint; it was altered."


def _image(image: PageImage) -> Iterator[str]:
    folder = folder_of(image.identifier, image.checksum)
    yield from _original(image, folder)
    names = [size_name(size.width) for size in sizes_of(image.width, image.height)]
    names += [tile_name(tile.scale, tile.column, tile.row) for tile in tiles_of(image.width, image.height)]
    storage = pages()
    for name in names:
        fault = _jpeg_fault(storage, f"{folder}/{name}")
        if fault:
            yield f"image {image.identifier}: {name} {fault}"


def verify_originals() -> Iterator[str]:
    """Every file that was ever uploaded: there, and byte for byte as it came."""
    storage = originals()
    for original in Original.objects.order_by("pk").iterator(100):
        try:
            digest = file_digest(storage, original.file_name)
        except FileNotFoundError:
            yield f"Original {original.name} ({original.digest[:12]}) is missing."
            continue
        if digest != original.digest:
            yield f"Original {original.name} ({original.digest[:12]}) is not as it came; it was altered."


def _original(image: PageImage, folder: str) -> Iterator[str]:
    """The file an image was cut from, under a name that begins with its checksum. A scan that was put up on
    the site is cut from an upload, which is looked at by itself."""
    if Placing.objects.filter(identifier=image.identifier).exists():
        return
    parent, _, start = folder.rpartition("/")
    storage = originals()
    try:
        names = [name for name in storage.listdir(parent)[1] if name.startswith(start)]
    except FileNotFoundError:
        names = []
    if not names:
        yield f"image {image.identifier}: its original is missing."
    for name in names:
        if file_digest(storage, f"{parent}/{name}") != image.checksum:
            yield f"image {image.identifier}: its original does not have its checksum; it was altered."


def _jpeg_fault(storage: Storage, name: str) -> str:
    try:
        with storage.open(name) as file:
            content: bytes = file.read()
    except FileNotFoundError:
        return "is missing."
    if not content.startswith(JPEG_BEGINS) or not content.endswith(JPEG_ENDS):
        return "is not a whole picture."
    return ""


def file_digest(storage: Storage, name: str) -> str:
    with storage.open(name) as file:
        weighed = HashingReader(file)
        while weighed.read(BLOCK):
            pass
    return weighed.digest.hexdigest()
