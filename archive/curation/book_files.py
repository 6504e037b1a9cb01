"""Files of a book (text.txt, book.toml, notes.toml, brief.toml, variants.toml) as records."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields

from archive.edition import Brief, Catalogue, Edition, Leaf, Note, Variant
from archive.edition.record_tables import (
    brief_table,
    catalogue_table,
    note_table,
    read_brief,
    read_catalogue,
    read_note,
    read_variant,
    variant_table,
)
from archive.edition.records import CERTAINTIES
from archive.edition.toml import Value, read_table, write_table
from archive.edition.transcript import read_text

TEXT = "text.txt"
CATALOGUE = "book.toml"
NOTES = "notes.toml"
BRIEFS = "brief.toml"
VARIANTS = "variants.toml"
TABLES = {"subjects": "subject", "sections": "section"}
"""Fields of a catalogue that are written as tables of another name."""
CATALOGUE_KEYS = (*(TABLES.get(field.name, field.name) for field in fields(Catalogue)), "leaf")
"""The keys of book.toml in the order in which they are written."""


def passages_in(files: Mapping[str, str]) -> list[str]:
    """The name of every passage, in the order of the text."""
    return [passage.anchor for passage in read_text(files[TEXT]).passages]


def passage_names(files: Mapping[str, str]) -> list[str]:
    """Every name of every passage, also those it had before."""
    return [
        name for passage in read_text(files[TEXT]).passages for name in (*passage.anchors, *passage.aliases)
    ]


def notes_in(files: Mapping[str, str]) -> list[Note]:
    return [read_note(table) for table in read_table(NOTES, files[NOTES]).many("note")]


def write_notes(notes: Iterable[Note]) -> str:
    return write_table({"note": [note_table(note) for note in notes]})


def briefs_in(files: Mapping[str, str]) -> list[Brief]:
    return [read_brief(table) for table in read_table(BRIEFS, files[BRIEFS]).many("brief")]


def write_briefs(briefs: Iterable[Brief]) -> str:
    return write_table({"brief": [brief_table(brief) for brief in briefs]})


def variants_in(files: Mapping[str, str]) -> list[Variant]:
    return [read_variant(table) for table in read_table(VARIANTS, files[VARIANTS]).many("variant")]


def write_variants(variants: Iterable[Variant]) -> str:
    return write_table({"variant": [variant_table(variant) for variant in variants]})


def catalogue_in(files: Mapping[str, str]) -> Catalogue:
    table = read_table(CATALOGUE, files[CATALOGUE])
    table.many("leaf")
    return read_catalogue(table)


def leaves_in(files: Mapping[str, str]) -> list[Leaf]:
    """The leaves as the catalogue describes them, without their lines."""
    return [
        Leaf(
            number=table.take("number", int),
            label=table.take("label", str, ""),
            title=table.take("title", str),
            break_certainty=table.one_of("break", CERTAINTIES),
            source_lines=table.take("source", str),
            lines=(),
        )
        for table in read_table(CATALOGUE, files[CATALOGUE]).many("leaf")
    ]


def write_catalogue(catalogue: Catalogue, leaves: Iterable[Leaf]) -> str:
    return write_table(catalogue_table(Edition("", catalogue, tuple(leaves), (), (), (), (), ())))


def catalogue_entries_in(text: str) -> dict[str, tuple[str, Value]]:
    """Every key of book.toml with its value; rights, cover, sections and leaves each as one."""
    return {key: (key, _without_last_line_end(value)) for key, value in tomllib.loads(text).items()}


def _without_last_line_end(value: Value) -> Value:
    """The value without the line end that only closes its quotes."""
    if isinstance(value, str):
        return value.removesuffix("\n")
    if isinstance(value, Mapping):
        return {key: _without_last_line_end(inner) for key, inner in value.items()}
    return value


def write_catalogue_entries(entries: Iterable[tuple[str, Value]]) -> str:
    return write_table(dict(sorted(entries, key=lambda entry: CATALOGUE_KEYS.index(entry[0]))))
