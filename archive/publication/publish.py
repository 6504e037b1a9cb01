"""Publication of a book: a folder's files become rows, and the same files come back, byte for byte.

Every change of a published book goes through `publish`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from django.db import models, transaction
from django.utils import timezone

from archive import search
from archive.edition import Edition, EditionError, read_book
from archive.edition.declared_game import declared_key
from archive.edition.folder import write_files
from archive.edition.line_json import Packed, pack_lines
from archive.edition.note_positions import place_notes
from archive.models import Book, BriefLine, Leaf, Note, PageImage, Passage, PassageName, Variant
from archive.publication import revisions
from archive.publication.cross_checks import check_sources
from archive.publication.errors import PublishError
from archive.reader.markdown import to_html

ModelRow = TypeVar("ModelRow", bound=models.Model)


@dataclass(frozen=True)
class Source:
    """A book as it stands in a folder, checked and ready to be published."""

    folder: Path
    edition: Edition
    files: Mapping[str, str]

    @property
    def slug(self) -> str:
        return self.edition.slug

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.files)


def fingerprint(files: Mapping[str, str]) -> str:
    """Names one state of a book: equal if and only if every byte of every file is."""
    return hashlib.sha256(json.dumps(dict(sorted(files.items())), ensure_ascii=False).encode()).hexdigest()


def read_sources(folders: Iterable[Path]) -> list[Source]:
    """Every folder read and checked, within itself and against the engine and each other; all or nothing."""
    sources, faults = [], []
    for folder in folders:
        try:
            edition = read_book(folder)
        except EditionError as fault:
            faults.append(str(fault))
        else:
            sources.append(Source(folder, edition, write_files(edition)))
    published = dict[str, set[str]]()
    names = PassageName.objects.filter(book__slug__in=[source.slug for source in sources])
    for book, name in names.values_list("book__slug", "name"):
        published.setdefault(book, set()).add(name)
    taken = dict(Variant.objects.values_list("slug", "book__slug"))
    pairs = [(source.folder, source.edition) for source in sources]
    faults += [str(fault) for fault in check_sources(pairs, published, taken)]
    faults += [sentence for source in sources for sentence in _scans_without_leaf(source)]
    if faults:
        raise PublishError(faults)
    return sources


def _scans_without_leaf(source: Source) -> list[str]:
    lost = PageImage.objects.filter(
        kind=PageImage.SCAN, leaf__book__slug=source.slug, leaf__number__gt=len(source.edition.leaves)
    )
    file = source.folder / "text.txt"
    return [
        f"{file}, line 1: leaf {image.leaf.number} has the scan {image.identifier}, so it must stay"
        for image in lost.select_related("leaf")
    ]


def load(folders: Iterable[Path], overwrite: bool = False, keep_edited: bool = False) -> list[str]:
    """Publish every book of these folders that has changed; what happened to each, in a sentence."""
    sources = read_sources(folders)
    books = {book.slug: book for book in Book.objects.filter(slug__in=[source.slug for source in sources])}
    plans = [(source, _plan(source, books.get(source.slug), overwrite, keep_edited)) for source in sources]
    refused = [sentence for _, (act, sentence) in plans if act == "refuse"]
    if refused:
        raise PublishError(refused)
    with transaction.atomic():
        for source, (act, _) in plans:
            if act == "publish":
                publish(source.edition, source.files, loaded=source.fingerprint)
            else:
                # The log of a book that was loaded before there was a log begins here.
                revisions.head_of(books[source.slug])
    return [sentence for _, (_, sentence) in plans]


def _plan(source: Source, book: Book | None, overwrite: bool, keep_edited: bool) -> tuple[str, str]:
    if book is None:
        return "publish", f"{source.slug}: loaded."
    if book.fingerprint == source.fingerprint:
        return "keep", f"{source.slug}: nothing has changed."
    if not book.was_edited:
        return "publish", f"{source.slug}: loaded, it has changed."
    if book.loaded_fingerprint == source.fingerprint and not overwrite:
        return "keep", f"{source.slug}: kept as curators have edited it; the folder has not changed."
    if overwrite:
        return "publish", f"{source.slug}: loaded over what curators had edited."
    if keep_edited:
        return "keep", (
            f"{source.slug}: kept as curators have edited it; the folder has changed too. "
            "Join the two: write theirs out with export_books, then load with --overwrite."
        )
    return "refuse", (
        f"{source.folder}: the folder has changed, and curators have edited {source.slug} here too. "
        "Write theirs out with export_books and join the two, or load with --overwrite: theirs stay in the "
        "history."
    )


@transaction.atomic
def publish(
    edition: Edition,
    files: Mapping[str, str],
    loaded: str | None = None,
    when: datetime | None = None,
    signed: revisions.Signature = revisions.LOADED,
) -> Book:
    """Make this edition the public state of its book and the next revision of its log. `loaded` is given when
    it comes from a folder."""
    catalogue = asdict(edition.catalogue)
    rights = catalogue.pop("rights")
    state = catalogue | {f"rights_{key}": value for key, value in rights.items()}
    state |= {"sources": [asdict(source) for source in edition.sources]}
    state |= {"loose": pack_lines(edition.loose), "files": dict(files), "fingerprint": fingerprint(files)}
    state |= {"declaration": edition.game, "declared_key": declared_key(edition)}
    state |= {"published": when or timezone.now()} | ({"loaded_fingerprint": loaded} if loaded else {})
    book, _ = Book.objects.update_or_create(slug=edition.slug, defaults=state)
    _write_leaves(book, edition)
    _write_passages(book, edition)
    _write_notes(book, edition)
    _write_variants(book, edition)
    book.brief_lines.all().delete()
    BriefLine.objects.bulk_create(
        BriefLine(book=book, game=brief.game, title=brief.title, order=order, **asdict(line))
        for brief in edition.briefs
        for order, line in enumerate(brief.lines, 1)
    )
    if book.is_public:
        search.index().add(book)
    revisions.record(book, signed)
    return book


def _fingerprint_of(lines: Packed) -> str:
    """Names the text of a leaf, wherever in the book it stands: what is changed elsewhere changes it not. So
    paragraphs are counted on the leaf itself, also one that goes on from the leaf before."""
    counted: dict[int, int] = {}
    text = [
        [number, style, counted.setdefault(paragraph, len(counted)), *rest]
        for _, number, style, paragraph, *rest in lines
    ]
    return hashlib.sha256(json.dumps(text).encode()).hexdigest()


def _write_leaves(book: Book, edition: Edition) -> None:
    rows = []
    for leaf in edition.leaves:
        lines = pack_lines(leaf.lines)
        rows.append(
            Leaf(
                book=book,
                number=leaf.number,
                label=leaf.label,
                title=leaf.title,
                break_certainty=leaf.break_certainty,
                source_lines=leaf.source_lines,
                lines=lines,
                fingerprint=_fingerprint_of(lines),
            )
        )
    # A leaf that goes takes its facsimile with it; read_sources has refused to lose a scan.
    gone = book.leaves.filter(number__gt=len(rows))
    PageImage.objects.filter(leaf__in=gone, kind=PageImage.FACSIMILE).delete()
    gone.delete()
    _upsert(Leaf, rows, ("book", "number"))


def _write_passages(book: Book, edition: Edition) -> None:
    rows = [
        Passage(
            book=book,
            order=order,
            anchor=passage.anchor,
            anchors=passage.anchors,
            aliases=passage.aliases,
            kind=passage.kind,
            section=passage.section,
            printed=passage.printed,
            reading=passage.reading,
            leaves=passage.leaves,
        )
        for order, passage in enumerate(edition.passages, 1)
    ]
    _upsert(Passage, rows, ("book", "anchor"))
    passages = {passage.anchor: passage for passage in book.passages.all()}
    names = [
        PassageName(book=book, name=name, passage=passages[passage.anchor])
        for passage in edition.passages
        for name in (*passage.anchors, *passage.aliases)
    ]
    _upsert(PassageName, names, ("book", "name"))
    book.passages.exclude(anchor__in=[passage.anchor for passage in edition.passages]).delete()


def _write_notes(book: Book, edition: Edition) -> None:
    passages = {name.name: name.passage_id for name in book.passage_names.all()}
    rows = []
    for number, (note, place) in enumerate(place_notes(edition), 1):
        fields = asdict(note)
        slug, anchor = fields.pop("id"), fields.pop("anchor")
        rows.append(
            Note(
                book=book,
                number=number,
                slug=slug,
                passage_id=passages.get(anchor),
                # A note of one line says it in the title.
                html=to_html(note.body) if note.body != note.title else "",
                place=astuple(place) if place else None,
                **fields,
            )
        )
    book.notes.exclude(slug__in=[row.slug for row in rows]).delete()
    _upsert(Note, rows, ("book", "slug"))


def _write_variants(book: Book, edition: Edition) -> None:
    rows = [
        Variant(book=book, order=order, html=to_html(variant.reasons), **asdict(variant))
        for order, variant in enumerate(edition.variants, 1)
    ]
    book.variants.exclude(slug__in=[row.slug for row in rows]).delete()
    _upsert(Variant, rows, ("slug",))


def _upsert(model: type[ModelRow], rows: list[ModelRow], key: tuple[str, ...]) -> None:
    """Rows keep their identity while their name stays, so that images and citations hold on to them."""
    if rows:
        names = [field.name for field in model._meta.concrete_fields if field.name not in ("id", *key)]
        manager: models.Manager[ModelRow] = model._default_manager
        manager.bulk_create(rows, update_conflicts=True, unique_fields=key, update_fields=names)


def export(folder: Path, slugs: Sequence[str] = ()) -> list[Path]:
    """Write the files of every published book, or of these; the folders written."""
    books = Book.objects.filter(slug__in=slugs) if slugs else Book.objects.all()
    written = []
    for book in books:
        target = folder / book.slug
        target.mkdir(parents=True, exist_ok=True)
        for name, text in book.files.items():
            (target / name).write_bytes(text.encode())
        written.append(target)
    return written
