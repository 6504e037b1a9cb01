"""Files of a book (text.txt, book.toml, notes.toml, brief.toml, variants.toml, parallel.toml) as records."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import TypeVar

from archive.edition import Brief, Catalogue, Edition, Leaf, Note, SentencePair, Variant
from archive.edition.record_tables import (
    brief_table,
    catalogue_table,
    note_table,
    pair_table,
    read_brief,
    read_catalogue,
    read_note,
    read_variant,
    variant_table,
)
from archive.edition.records import CERTAINTIES
from archive.edition.toml import TomlTable, Value, read_table, write_table
from archive.edition.transcript import read_text

Record = TypeVar("Record")
TEXT = "text.txt"
CATALOGUE = "book.toml"
NOTES = "notes.toml"
BRIEFS = "brief.toml"
VARIANTS = "variants.toml"
PAIRS = "parallel.toml"
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
    return _records(files, NOTES, "note", read_note)


def write_notes(notes: Iterable[Note]) -> str:
    return write_table({"note": [note_table(note) for note in notes]})


def briefs_in(files: Mapping[str, str]) -> list[Brief]:
    return _records(files, BRIEFS, "brief", read_brief)


def write_briefs(briefs: Iterable[Brief]) -> str:
    return write_table({"brief": [brief_table(brief) for brief in briefs]})


def variants_in(files: Mapping[str, str]) -> list[Variant]:
    return _records(files, VARIANTS, "variant", read_variant)


def write_variants(variants: Iterable[Variant]) -> str:
    return write_table({"variant": [variant_table(variant) for variant in variants]})


def write_pairs(pairs: Iterable[SentencePair]) -> str:
    return write_table({"pair": [pair_table(pair) for pair in pairs]})


def _records(
    files: Mapping[str, str], name: str, key: str, read: Callable[[TomlTable], Record]
) -> list[Record]:
    return [read(table) for table in read_table(name, files.get(name, "")).many(key)]


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
