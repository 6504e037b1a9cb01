"""A book's folder: read whole or not at all, and written back byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from archive.edition.declared_game import GAME, SHEETS, check_game
from archive.edition.errors import EditionError
from archive.edition.record_tables import (
    brief_table,
    catalogue_table,
    note_table,
    pair_table,
    read_brief,
    read_catalogue,
    read_note,
    read_pair,
    read_source,
    read_variant,
    source_table,
    variant_table,
)
from archive.edition.records import CERTAINTIES, Edition, Section, SentencePair
from archive.edition.text import Leaf, Passage
from archive.edition.toml import TomlTable, read_table, write_table
from archive.edition.transcript import TextBlock, read_text, write_text
from archive.edition.validation import check_edition

BOOK, TEXT, NOTES, VARIANTS, BRIEF, SOURCES, PARALLEL, WITNESS = (
    "book.toml",
    "text.txt",
    "notes.toml",
    "variants.toml",
    "brief.toml",
    "sources.toml",
    "parallel.toml",
    "witness.txt",
)
REQUIRED = (BOOK, TEXT, NOTES, VARIANTS, BRIEF)
OPTIONAL = (SOURCES, PARALLEL, GAME, SHEETS)


def read_book(folder: Path) -> Edition:
    """The edition in this folder. Raises EditionError, which names file and line, if anything is wrong."""
    files = {name: _read(folder / name) for name in REQUIRED}
    files |= {name: _read(folder / name) for name in OPTIONAL if (folder / name).exists()}
    witness = _read(folder / WITNESS) if (folder / WITNESS).exists() else ""
    try:
        edition = _assemble(folder.name, files, witness)
        check_edition(edition, files)
        check_game(edition)
        _check_canonical(files, write_files(edition))
    except EditionError as fault:
        raise EditionError(str(folder / fault.file), fault.line, fault.message) from None
    return edition


def read_files(slug: str, files: Mapping[str, str]) -> Edition:
    """The edition in the files of a book that was published: they were checked then. Raises EditionError."""
    for name in REQUIRED:
        if name not in files:
            raise EditionError(name, 1, "this file is missing")
    return _assemble(slug, files, files.get(WITNESS, ""))


def write_book(edition: Edition, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in write_files(edition).items():
        (folder / name).write_bytes(text.encode())


def write_files(edition: Edition) -> dict[str, str]:
    """The text of every file of a book, by name."""
    blocks = [TextBlock("leaf", leaf.number, leaf.lines) for leaf in edition.leaves]
    if edition.loose:
        ours = not all(line.furniture for line in edition.loose)
        blocks.insert(0, TextBlock("ours" if ours else "loose", 0, edition.loose))
    files = {
        BOOK: write_table(catalogue_table(edition)),
        TEXT: write_text(blocks, edition.passages),
        NOTES: write_table({"note": [note_table(note) for note in edition.notes]}),
        VARIANTS: write_table({"variant": [variant_table(variant) for variant in edition.variants]}),
        BRIEF: write_table({"brief": [brief_table(brief) for brief in edition.briefs]}),
    }
    if edition.sources:
        files[SOURCES] = write_table({"source": [source_table(source) for source in edition.sources]})
    if edition.pairs:
        files[PARALLEL] = write_table({"pair": [pair_table(pair) for pair in edition.pairs]})
    more = {GAME: edition.game, SHEETS: edition.golden_sheets, WITNESS: edition.witness}
    return files | {name: text for name, text in more.items() if text}


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        raise EditionError(str(path), 1, "this file is missing") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise EditionError(str(path), line, "this is not UTF-8") from None


def _check_canonical(files: Mapping[str, str], written: Mapping[str, str]) -> None:
    for name, source in files.items():
        if source == written.get(name, ""):
            continue
        have, want = source.split("\n"), written.get(name, "").split("\n")
        pairs = enumerate(zip(have, want, strict=False))
        line = next((number for number, (a, b) in pairs if a != b), min(len(have), len(want)))
        wanted = repr(want[line]) if line < len(want) else "nothing more"
        raise EditionError(name, line + 1, f"this would change when the book is written back; write {wanted}")


def _assemble(slug: str, files: Mapping[str, str], witness: str) -> Edition:
    text = read_text(files[TEXT])
    book = read_table(BOOK, files[BOOK])
    leaf_tables = {table.take("number", int): table for table in book.many("leaf")}
    leaves = tuple(_leaf(block, leaf_tables, book) for block in text.blocks if block.kind == "leaf")
    for number, table in leaf_tables.items():
        if number > len(leaves):
            raise table.fault(f"leaf {number} is not in {TEXT}", "number")
    catalogue = read_catalogue(book)
    return Edition(
        slug=slug,
        catalogue=catalogue,
        leaves=leaves,
        loose=tuple(line for block in text.blocks if block.kind != "leaf" for line in block.lines),
        passages=_name_sections(text.passages, catalogue.sections),
        notes=tuple(read_note(table) for table in _rows(NOTES, files, "note")),
        variants=tuple(read_variant(table) for table in _rows(VARIANTS, files, "variant")),
        briefs=tuple(read_brief(table) for table in _rows(BRIEF, files, "brief")),
        witness=witness,
        sources=tuple(read_source(table) for table in _rows(SOURCES, files, "source")),
        game=files.get(GAME, ""),
        golden_sheets=files.get(SHEETS, ""),
        pairs=tuple(pairs_in(files)),
    )


def pairs_in(files: Mapping[str, str]) -> list[SentencePair]:
    """The pairs in `parallel.toml`; none where there is no such file."""
    return [read_pair(table) for table in _rows(PARALLEL, files, "pair")]


def _rows(file: str, files: Mapping[str, str], key: str) -> list[TomlTable]:
    table = read_table(file, files.get(file, ""))
    rows = table.many(key)
    table.done()
    return rows


def _name_sections(passages: tuple[Passage, ...], sections: tuple[Section, ...]) -> tuple[Passage, ...]:
    """A passage belongs to the section that was last opened before it."""
    titles = {section.anchor: section.title for section in sections}
    current, named = "", []
    for passage in passages:
        current = next((titles[anchor] for anchor in passage.anchors if anchor in titles), current)
        named.append(replace(passage, section="" if passage.kind == "furniture" else current))
    return tuple(named)


def _leaf(block: TextBlock, tables: Mapping[int, TomlTable], book: TomlTable) -> Leaf:
    if block.leaf not in tables:
        raise book.fault(f"leaf {block.leaf} of {TEXT} has no [[leaf]] here")
    table = tables[block.leaf]
    leaf = Leaf(
        number=block.leaf,
        label=table.take("label", str, ""),
        title=table.take("title", str),
        break_certainty=table.one_of("break", CERTAINTIES),
        source_lines=table.take("source", str),
        lines=block.lines,
    )
    table.done()
    return leaf
