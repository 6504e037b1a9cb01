"""Note repair: notes hold to their place by the words they quote. When those words change, a note does not
dangle: it stands at its whole passage, and is listed for repair with the revision that has its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from archive.curation.book_files import NOTES, TEXT, notes_in, write_notes
from archive.edition import Edition, EditionError, Note
from archive.edition.transcript import Transcript, read_text
from archive.edition.validation import count_quote
from archive.models import Book
from archive.models.history import Slip


def detach(files: dict[str, str], before: Mapping[str, str]) -> tuple[dict[str, str], list[Note]]:
    """The files with every note detached whose words went away with this change; those notes as they were.

    A note that is itself new or changed is left alone: if its words are wrong, its author is told.
    """
    if files[TEXT] == before[TEXT]:
        return files, []
    try:
        text, notes = read_text(files[TEXT]), notes_in(files)
    except EditionError:
        return files, []
    earlier = {note.id: note for note in notes_in(before)}
    detached = [note for note in notes if earlier.get(note.id) == note and not _has_quote(text, note)]
    if not detached:
        return files, []
    kept = [_without_quote(note) if note in detached else note for note in notes]
    return files | {NOTES: write_notes(kept)}, detached


def _without_quote(note: Note) -> Note:
    return replace(note, quote="", prefix="", suffix="", layer="reading")


def _has_quote(text: Transcript, note: Note) -> bool:
    if not note.quote:
        return True
    found = next((p for p in text.passages if note.anchor in (*p.anchors, *p.aliases)), None)
    return found is None or count_quote(found.text(note.layer), note) == 1


def record_detached(book: Book, detached: Iterable[Note], made_for: int, slipped_in: int) -> None:
    for note in detached:
        Slip.objects.create(
            book=book,
            note=note.id,
            made_for=made_for,
            slipped_in=slipped_in,
            layer=note.layer,
            prefix=note.prefix,
            quote=note.quote,
            suffix=note.suffix,
        )


def mark_repaired(book: Book, edition: Edition, revision: int) -> None:
    """A note that quotes again, or is gone, needs no repair any more."""
    without_quote = [note.id for note in edition.notes if not note.quote]
    Slip.objects.filter(book=book, repaired=None).exclude(note__in=without_quote).update(repaired=revision)


def waiting_for_repair(book: Book) -> list[Slip]:
    return list(Slip.objects.filter(book=book, repaired=None))
