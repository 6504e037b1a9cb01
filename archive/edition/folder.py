"""A book's folder: read whole or not at all, and written back byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import cast

from archive.edition.check import check_edition
from archive.edition.fault import EditionFault
from archive.edition.marks import Block, read_text, write_text
from archive.edition.records import (
    AUTHORITIES,
    CERTAINTIES,
    NOTE_KINDS,
    Brief,
    BriefLine,
    Catalogue,
    CoverLine,
    Edition,
    Note,
    Reading,
    Rights,
    Section,
    Variant,
)
from archive.edition.tables import Table, Value, read_table, write_table
from archive.edition.text import Layer, Leaf, Passage

BOOK, TEXT, NOTES, VARIANTS, BRIEF, WITNESS = (
    "book.toml",
    "text.txt",
    "notes.toml",
    "variants.toml",
    "brief.toml",
    "witness.txt",
)
REQUIRED = (BOOK, TEXT, NOTES, VARIANTS, BRIEF)


def read_book(folder: Path) -> Edition:
    """The edition in this folder. Raises EditionFault, which names file and line, if anything is wrong."""
    files = {name: _read(folder / name) for name in REQUIRED}
    witness = _read(folder / WITNESS) if (folder / WITNESS).exists() else ""
    try:
        edition = _assemble(folder.name, files, witness)
        check_edition(edition, files)
        _check_canonical(files, write_files(edition))
    except EditionFault as fault:
        raise EditionFault(str(folder / fault.file), fault.line, fault.message) from None
    return edition


def write_book(edition: Edition, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in write_files(edition).items():
        (folder / name).write_bytes(text.encode())


def write_files(edition: Edition) -> dict[str, str]:
    """The text of every file of a book, by name."""
    blocks = [Block("leaf", leaf.number, leaf.lines) for leaf in edition.leaves]
    if edition.loose:
        kind = "ours" if any(passage.kind == "ours" for passage in edition.passages) else "loose"
        blocks.insert(0, Block(cast("str", kind), 0, edition.loose))  # type: ignore[arg-type]
    files = {
        BOOK: write_table(_catalogue_table(edition)),
        TEXT: write_text(blocks, edition.passages),
        NOTES: write_table({"note": [_note_table(note) for note in edition.notes]}),
        VARIANTS: write_table({"variant": [_variant_table(variant) for variant in edition.variants]}),
        BRIEF: write_table({"brief": [_brief_table(brief) for brief in edition.briefs]}),
    }
    return files | ({WITNESS: edition.witness} if edition.witness else {})


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        raise EditionFault(str(path), 1, "this file is missing") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise EditionFault(str(path), line, "this is not UTF-8") from None


def _check_canonical(files: Mapping[str, str], written: Mapping[str, str]) -> None:
    for name, source in files.items():
        if source == written[name]:
            continue
        have, want = source.split("\n"), written[name].split("\n")
        line = next((i for i, (a, b) in enumerate(zip(have, want, strict=False)) if a != b), min(len(have), len(want)))
        wanted = want[line] if line < len(want) else "nothing more"
        raise EditionFault(name, line + 1, f"not in the form we write, so it would change on export; write: {wanted!r}")


def _assemble(slug: str, files: Mapping[str, str], witness: str) -> Edition:
    text = read_text(files[TEXT])
    book = read_table(BOOK, files[BOOK])
    leaf_tables = {table.take("number", int): table for table in book.many("leaf")}
    leaves = tuple(_leaf(block, leaf_tables, book) for block in text.blocks if block.kind == "leaf")
    for number, table in leaf_tables.items():
        if number > len(leaves):
            raise table.fault(f"leaf {number} is not in {TEXT}", "number")
    catalogue = _catalogue(book)
    return Edition(
        slug=slug,
        catalogue=catalogue,
        leaves=leaves,
        loose=tuple(line for block in text.blocks if block.kind != "leaf" for line in block.lines),
        passages=_name_sections(text.passages, catalogue.sections),
        notes=tuple(_note(table) for table in _rows(NOTES, files, "note")),
        variants=tuple(_variant(table) for table in _rows(VARIANTS, files, "variant")),
        briefs=tuple(_brief(table) for table in _rows(BRIEF, files, "brief")),
        witness=witness,
    )


def _rows(file: str, files: Mapping[str, str], key: str) -> list[Table]:
    table = read_table(file, files[file])
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


def _leaf(block: Block, tables: Mapping[int, Table], book: Table) -> Leaf:
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


def _catalogue(book: Table) -> Catalogue:
    rights = book.one("rights")
    covers, sections = book.many("cover"), book.many("section")
    catalogue = Catalogue(
        title=book.take("title", str),
        short_title=book.take("short_title", str),
        maker=book.take("maker", str),
        place=book.take("place", str),
        year=book.take("year", int, 0) or None,
        date=book.take("date", str),
        copyright=book.take("copyright", str),
        language=book.take("language", str),
        players=book.take("players", str),
        pieces=book.take("pieces", str),
        games=book.strings("games"),
        blurb=book.take("blurb", str),
        provenance=book.take("provenance", str),
        holding=book.take("holding", str),
        unknown=book.strings("unknown"),
        rights=Rights(rights.take("address", str), rights.take("label", str), rights.take("reasons", str)),
        cover=tuple(CoverLine(row.take("text", str), row.take("style", str)) for row in covers),
        sections=tuple(Section(row.take("anchor", str), row.take("title", str)) for row in sections),
    )
    for table in (book, rights, *covers, *sections):
        table.done()
    return catalogue


def _catalogue_table(edition: Edition) -> dict[str, Value]:
    book = edition.catalogue
    rights = {"address": book.rights.address, "label": book.rights.label, "reasons": book.rights.reasons}
    leaves = [
        {"number": leaf.number}
        | ({"label": leaf.label} if leaf.label else {})
        | {"title": leaf.title, "break": leaf.break_certainty, "source": leaf.source_lines}
        for leaf in edition.leaves
    ]
    table: dict[str, Value] = {"title": book.title, "short_title": book.short_title, "maker": book.maker}
    table |= {"place": book.place} | ({"year": book.year} if book.year else {})
    table |= {"date": book.date, "copyright": book.copyright, "language": book.language, "players": book.players}
    table |= {"pieces": book.pieces, "games": book.games, "blurb": book.blurb, "provenance": book.provenance}
    table |= {"holding": book.holding, "unknown": book.unknown, "rights": rights}
    table |= {"cover": [{"text": line.text, "style": line.style} for line in book.cover]}
    table |= {"section": [{"anchor": section.anchor, "title": section.title} for section in book.sections]}
    return table | {"leaf": leaves}


def _note(table: Table) -> Note:
    readings = table.many("reading")
    note = Note(
        id=table.take("id", str),
        kind=table.one_of("kind", NOTE_KINDS),
        title=table.take("title", str),
        body=table.take("body", str),
        signed=table.take("signed", str),
        dated=table.take("dated", date),
        anchor=table.take("anchor", str, ""),
        quote=table.take("quote", str, ""),
        prefix=table.take("prefix", str, ""),
        suffix=table.take("suffix", str, ""),
        layer=cast(Layer, table.one_of("layer", ("printed", "reading"), "reading")),
        region=table.take("region", str, ""),
        authority=table.one_of("authority", AUTHORITIES, ""),
        certainty=table.one_of("certainty", CERTAINTIES, ""),
        option=table.take("option", str, ""),
        default=table.take("default", str, ""),
        readings=tuple(Reading(row.take("value", str, ""), row.take("title", str), row.take("text", str)) for row in readings),
    )
    for row in (table, *readings):
        row.done()
    return note


def _note_table(note: Note) -> dict[str, Value]:
    table: dict[str, Value] = {"id": note.id, "kind": note.kind, "title": note.title}
    given = {"anchor": note.anchor, "prefix": note.prefix, "quote": note.quote, "suffix": note.suffix}
    given |= {"layer": "printed" if note.layer == "printed" else "", "region": note.region}
    given |= {"authority": note.authority, "certainty": note.certainty}
    given |= {"option": note.option, "default": note.default}
    table |= {key: value for key, value in given.items() if value}
    table |= {"body": note.body, "signed": note.signed, "dated": note.dated}
    if note.readings:
        table["reading"] = [
            ({"value": row.value} if row.value else {}) | {"title": row.title, "text": row.text} for row in note.readings
        ]
    return table


def _variant(table: Table) -> Variant:
    options, pad = table.maybe("options"), table.maybe("pad")
    for key, value in options.items():
        if not isinstance(value, (str, int)) or isinstance(value, bool):
            raise table.fault(f"the option {key} must be a string or a whole number", key)
    for key, value in pad.items():
        if not isinstance(value, list) or not all(isinstance(number, int) for number in value):
            raise table.fault(f"the pad setting {key} must be a list of whole numbers", key)
    variant = Variant(
        slug=table.take("slug", str),
        game=table.take("game", str),
        title=table.take("title", str),
        reasons=table.take("reasons", str),
        cites=table.strings("cites"),
        options=cast(dict[str, str | int], options),
        pad={key: tuple(cast(list[int], value)) for key, value in pad.items()},
        who=table.take("who", str, ""),
        since=table.take("since", str, ""),
    )
    table.done()
    return variant


def _variant_table(variant: Variant) -> dict[str, Value]:
    table: dict[str, Value] = {"slug": variant.slug, "game": variant.game, "title": variant.title}
    table |= {key: value for key, value in {"who": variant.who, "since": variant.since}.items() if value}
    table |= {"reasons": variant.reasons, "cites": variant.cites}
    if variant.options:
        table["options"] = dict(variant.options)
    return table | ({"pad": dict(variant.pad)} if variant.pad else {})


def _brief(table: Table) -> Brief:
    rows = table.many("line")
    lines = tuple(BriefLine(row.take("text", str), row.strings("cites")) for row in rows)
    brief = Brief(table.take("game", str), table.take("title", str), lines)
    for row in (table, *rows):
        row.done()
    return brief


def _brief_table(brief: Brief) -> dict[str, Value]:
    lines = [{"text": line.text, "cites": line.cites} for line in brief.lines]
    return {"game": brief.game, "title": brief.title, "line": lines}
