"""Revisions: the log of every book. Each published state is one, and none is ever changed or lost.

Names of passages that were once published lead somewhere for ever, also when an old text is restored.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from archive.edition import Passage
from archive.edition.transcript import read_text
from archive.models import Book
from archive.models.history import FileText, Revision
from people.models import Person

FOLDER_NAME = "Imported files"
FIRST_SEAL = ""
TEXT = "text.txt"


@dataclass(frozen=True)
class Signature:
    """Signature of a change: who publishes it and why. Without a person it is the folder that books are
    loaded from."""

    reason: str
    person: Person | None = None
    restores: int | None = None
    name: str = ""
    """The author of the change, where another person publishes it."""
    moved: tuple[int, ...] | None = None
    """The number each leaf had before, 0 for a new one; None where the leaves stay as they are."""

    @property
    def signed(self) -> str:
        """The name under the revision."""
        return self.name or (self.person.name if self.person else FOLDER_NAME)


LOADED = Signature("First import.")


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def store_texts(files: Mapping[str, str]) -> dict[str, str]:
    """Store these texts; the digest of each by its file's name."""
    rows = [FileText(digest=digest_of(text), text=text) for text in files.values()]
    FileText.objects.bulk_create(rows, ignore_conflicts=True)
    return {name: digest_of(text) for name, text in sorted(files.items())}


def texts_of(digests: Mapping[str, str]) -> dict[str, str]:
    found = dict(FileText.objects.filter(digest__in=digests.values()).values_list("digest", "text"))
    return {name: found[digest] for name, digest in digests.items()}


def head_of(book: Book) -> Revision:
    """The latest revision. A book that was loaded before there was a log begins its log now."""
    found = Revision.objects.filter(book=book).order_by("-number").first()
    return found or record(book, LOADED)


def files_at(book: Book, number: int) -> dict[str, str]:
    """Every file of a book as it was then, by name."""
    return texts_of(Revision.objects.get(book=book, number=number).files)


def record(book: Book, signed: Signature) -> Revision:
    """The book as it now stands, as a revision; the latest one if it is just that. Call it in the transaction
    that publishes, so that the two are never apart."""
    latest = Revision.objects.filter(book=book).order_by("-number").first()
    if latest is not None and latest.fingerprint == book.fingerprint:
        return latest
    before = latest.number if latest else None
    revision = Revision(
        book=book,
        number=(before or 0) + 1,
        parent=before,
        author=signed.person,
        signed=signed.signed,
        reason=signed.reason,
        files=store_texts(book.files),
        fingerprint=book.fingerprint,
        restores=signed.restores,
        moved=signed.moved,
    )
    revision.seal = seal(latest.seal if latest else FIRST_SEAL, revision)
    revision.save(force_insert=True)
    return revision


def seal(before: str, revision: Revision) -> str:
    """A hash over a revision and the seal of the one before it."""
    told = [before, revision.book.slug, revision.number, revision.parent, revision.signed]
    told += [revision.made.astimezone(UTC).isoformat(), revision.reason, revision.files, revision.fingerprint]
    told += [revision.restores, revision.moved]
    words = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(words.encode()).hexdigest()


def _names(passage: Passage) -> tuple[str, ...]:
    return (*passage.anchors, *passage.aliases)


def keep_names(old: Mapping[str, str], head: Mapping[str, str]) -> dict[str, str]:
    """The old files, with every name that the present text has. A passage the old text did not have yet lends
    its names to the passage before it, where the old text had its words."""
    present, past = read_text(head[TEXT]).passages, read_text(old[TEXT]).passages
    known = {name: passage.anchor for passage in past for name in _names(passage)}
    wanting: dict[str, list[str]] = {}
    for index, passage in enumerate(present):
        missing = [name for name in _names(passage) if name not in known]
        if missing:
            wanting.setdefault(_nearest_passage(present, index, known), []).extend(missing)
    text = old[TEXT]
    for passage in past:
        extra = "".join(f" ={name}" for name in wanting.get(passage.anchor, ()))
        mark = "{#" + " ".join([*passage.anchors, *(f"={alias}" for alias in passage.aliases)])
        text = text.replace(mark + "}", mark + extra + "}", 1)
    return dict(old) | {TEXT: text}


def _nearest_passage(present: Sequence[Passage], index: int, known: Mapping[str, str]) -> str:
    """The nearest passage of the old text, at this one or before it; else after it."""
    for passage in [*reversed(present[: index + 1]), *present[index + 1 :]]:
        for name in _names(passage):
            if name in known:
                return known[name]
    return next(iter(known.values()), "")
