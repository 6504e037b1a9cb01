"""Notes hold to their place by the words they quote. When those words change, a note does not dangle: it
stands at its whole passage, and is listed for repair with the revision in which its words are still found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from archive.edition import Edition, EditionError, Note
from archive.edition.record_tables import note_table, read_note
from archive.edition.toml import read_table, write_table
from archive.edition.transcript import Transcript, read_text
from archive.edition.validation import count_quote
from archive.models import Book
from archive.models.history import Slip

TEXT, NOTES = "text.txt", "notes.toml"


def notes_in(files: Mapping[str, str]) -> list[Note]:
    return [read_note(table) for table in read_table(NOTES, files[NOTES]).many("note")]


def passage_names(files: Mapping[str, str]) -> list[str]:
    """Every name of a passage, also those it had before."""
    return [
        name for passage in read_text(files[TEXT]).passages for name in (*passage.anchors, *passage.aliases)
    ]


def write_notes(notes: Iterable[Note]) -> str:
    return write_table({"note": [note_table(note) for note in notes]})


def loosen(files: dict[str, str], before: Mapping[str, str]) -> tuple[dict[str, str], list[Note]]:
    """The files with every note loosened whose words went away with this change; those notes as they were.

    A note that is itself new or changed is left alone: if its words are wrong, its author is told.
    """
    if files[TEXT] == before[TEXT]:
        return files, []
    try:
        text, notes = read_text(files[TEXT]), notes_in(files)
    except EditionError:
        return files, []
    earlier = {note.id: note for note in notes_in(before)}
    slipped = [note for note in notes if earlier.get(note.id) == note and not _holds(text, note)]
    if not slipped:
        return files, []
    loose = [_without_words(note) if note in slipped else note for note in notes]
    return files | {NOTES: write_notes(loose)}, slipped


def _without_words(note: Note) -> Note:
    return replace(note, quote="", prefix="", suffix="", layer="reading")


def _holds(text: Transcript, note: Note) -> bool:
    if not note.quote:
        return True
    found = next((p for p in text.passages if note.anchor in (*p.anchors, *p.aliases)), None)
    return found is None or count_quote(found.text(note.layer), note) == 1


def remember(book: Book, slipped: Iterable[Note], made_for: int, slipped_in: int) -> None:
    for note in slipped:
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
    loose = [note.id for note in edition.notes if not note.quote]
    Slip.objects.filter(book=book, repaired=None).exclude(note__in=loose).update(repaired=revision)


def waiting(book: Book) -> list[Slip]:
    return list(Slip.objects.filter(book=book, repaired=None))
