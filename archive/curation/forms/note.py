"""Form for a note: its fields read into a note, and the book's notes with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from django.utils.text import slugify

import engine
from archive.curation.book_files import NOTES, TEXT, notes_in, write_notes
from archive.curation.errors import NoteError
from archive.curation.forms.fields import MAX_SLUG, is_slug
from archive.curation.forms.note_region import fields_of_region, region_from
from archive.edition import AUTHORITIES, CERTAINTIES, NOTE_KINDS, Note, NoteReading
from archive.edition.region import read_region
from archive.edition.text import Layer
from archive.edition.transcript import read_text
from archive.edition.validation import count_quote
from archive.text_input import clean_line, clean_text

LINE_FIELDS = ("title", "anchor", "layer", "authority", "certainty", "option")
QUOTE_FIELDS = ("prefix", "quote", "suffix")
MAX_READINGS = 12
MAX_TITLE = 200


def fields_of(note: Note) -> dict[str, str]:
    fields = {
        name: str(getattr(note, name))
        for name in (*LINE_FIELDS, *QUOTE_FIELDS, "id", "kind", "body", "default")
    }
    for number, reading in enumerate(note.readings):
        fields |= {f"{part}-{number}": getattr(reading, part) for part in ("value", "title", "text")}
    return fields | {"sources": " ".join(note.sources)} | fields_of_region(read_region(note.region))


def _line(fields: Mapping[str, str], name: str) -> str:
    return clean_line(fields.get(name, ""))


def note_from(fields: Mapping[str, str], id: str, signed: str, dated: date) -> Note:
    """The note that the form describes; NoteError where it cannot be written down at all."""
    given = {name: _line(fields, name) for name in LINE_FIELDS}
    # Spaces at the seams of a quote are part of its context.
    given |= {name: re.sub(r"\s+", " ", clean_text(fields.get(name, ""))) for name in QUOTE_FIELDS}
    kind = fields.get("kind", "")
    if kind not in NOTE_KINDS:
        raise NoteError("Choose what kind of note it is.")
    if not 0 < len(given["title"]) <= MAX_TITLE:
        raise NoteError(f"Give the note a title of at most {MAX_TITLE} letters.")
    name = id or slugify(given["title"])[:MAX_SLUG].strip("-")
    if not is_slug(name):
        raise NoteError(
            "Give it a short name for addresses, of small letters, digits and hyphens; not “new”."
        )
    if given["authority"] not in (*AUTHORITIES, "") or given["certainty"] not in (*CERTAINTIES, ""):
        raise NoteError("Choose authority and certainty from their lists.")
    given["region"] = region_from(fields)
    body = clean_text(fields.get("body", "")).strip()
    if not body:
        raise NoteError("Write the note itself.")
    layer: Layer = "printed" if given.pop("layer") == "printed" else "reading"
    readings = _readings(fields)
    if kind == "ambiguity" and len(readings) < 2:
        raise NoteError(
            "An open question needs two readings at least. Write them under Readings, ours first."
        )
    if kind in ("mend", "lacuna") and not given["certainty"]:
        raise NoteError("Say how sure this is: choose its certainty.")
    default = _line(fields, "default") or (readings[0].value if readings else "")
    return Note(
        id=name,
        kind=kind,
        body=body,
        signed=signed,
        dated=dated,
        layer=layer,
        default=default,
        readings=readings,
        sources=tuple(dict.fromkeys(_line(fields, "sources").split())),
        **given,
    )


def _readings(fields: Mapping[str, str]) -> tuple[NoteReading, ...]:
    rows = [
        NoteReading(*(_line(fields, f"{part}-{number}") for part in ("value", "title", "text")))
        for number in range(MAX_READINGS)
    ]
    found = tuple(row for row in rows if row.title or row.text)
    if any(not (row.title and row.text) for row in found):
        raise NoteError("Each reading has a title and a sentence.")
    return found


def check_place(files: Mapping[str, str], note: Note) -> None:
    """NoteError unless the note's words stand once in its passage, in words for its author."""
    passages = read_text(files[TEXT]).passages
    passage = next((p for p in passages if note.anchor in (*p.anchors, *p.aliases)), None)
    if note.anchor and passage is None:
        raise NoteError(f"This rulebook has no passage “{note.anchor}”. Choose one from the list.")
    if note.quote and passage is None:
        raise NoteError("Choose the passage that contains these words.")
    if note.quote and passage is not None:
        found = count_quote(passage.text(note.layer), note)
        if not found:
            raise NoteError("These words are not in this passage. Copy them from the text shown here.")
        if found > 1:
            raise NoteError(
                "These words occur more than once in this passage. Add a word before or after them, in the "
                "fields for that."
            )


def with_note(files: Mapping[str, str], note: Note, old: str = "") -> dict[str, str]:
    """notes.toml with this note in the place of the old one, or behind the others."""
    notes = notes_in(files)
    if not old and any(other.id == note.id for other in notes):
        raise NoteError(f"There is a note {note.id} already; choose another name.")
    if old:
        return {NOTES: write_notes(note if other.id == old else other for other in notes)}
    return {NOTES: write_notes([*notes, note])}


def without_note(files: Mapping[str, str], id: str) -> dict[str, str]:
    return {NOTES: write_notes(note for note in notes_in(files) if note.id != id)}


def options_of(games: list[str]) -> list[tuple[str, str]]:
    """Every option a note of this book may explain, with its question."""
    known = [engine.GAMES[key] for key in games if key in engine.GAMES]
    return [(f"{game.key}/{option.key}", option.question) for game in known for option in game.options]
