"""Each record of a book as a table of its TOML file, and back."""

from __future__ import annotations

from datetime import date
from typing import cast

from archive.edition.records import (
    AUTHORITIES,
    CERTAINTIES,
    NOTE_KINDS,
    PAIR_CHANGES,
    SOURCE_STATES,
    Brief,
    BriefLine,
    Catalogue,
    CitedSource,
    CoverLine,
    Edition,
    Note,
    NoteReading,
    QuotedSentence,
    Rights,
    Section,
    SentencePair,
    Subject,
    Variant,
)
from archive.edition.text import Layer
from archive.edition.toml import TomlTable, Value


def read_catalogue(book: TomlTable) -> Catalogue:
    rights = book.one("rights")
    covers, subjects, sections = book.many("cover"), book.many("subject"), book.many("section")
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
        blurb=book.prose("blurb"),
        provenance=book.prose("provenance"),
        holding=book.prose("holding"),
        unknown=book.strings("unknown"),
        cover_leaf=book.take("cover_leaf", int, 0) or None,
        rights=Rights(rights.take("address", str), rights.take("label", str), rights.prose("reasons")),
        cover=tuple(CoverLine(row.take("text", str), row.take("style", str)) for row in covers),
        subjects=tuple(_subject(row) for row in subjects),
        sections=tuple(Section(row.take("anchor", str), row.take("title", str)) for row in sections),
    )
    for table in (book, rights, *covers, *subjects, *sections):
        table.done()
    return catalogue


def _subject(row: TomlTable) -> Subject:
    subject = Subject(row.take("term", str), row.take("address", str, ""))
    if subject.address and not subject.address.startswith(("http://", "https://")):
        raise row.fault("write an address with http or https", "address")
    return subject


def _subject_table(subject: Subject) -> dict[str, Value]:
    table: dict[str, Value] = {"term": subject.term}
    return table | ({"address": subject.address} if subject.address else {})


def catalogue_table(edition: Edition) -> dict[str, Value]:
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
    table |= {"date": book.date, "copyright": book.copyright, "language": book.language}
    table |= {"players": book.players, "pieces": book.pieces, "games": book.games, "blurb": book.blurb}
    table |= {
        "provenance": book.provenance,
        "holding": book.holding,
        "unknown": book.unknown,
        **({"cover_leaf": book.cover_leaf} if book.cover_leaf else {}),
        "rights": rights,
    }
    table |= {"rights": rights, "cover": [{"text": line.text, "style": line.style} for line in book.cover]}
    if book.subjects:
        table["subject"] = [_subject_table(subject) for subject in book.subjects]
    table |= {"section": [{"anchor": section.anchor, "title": section.title} for section in book.sections]}
    return table | {"leaf": leaves}


def read_note(table: TomlTable) -> Note:
    readings = table.many("reading")
    note = Note(
        id=table.take("id", str),
        kind=table.one_of("kind", NOTE_KINDS),
        title=table.take("title", str),
        body=table.prose("body"),
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
        readings=tuple(_reading(row) for row in readings),
        sources=table.strings("sources"),
    )
    for row in (table, *readings):
        row.done()
    return note


def _reading(row: TomlTable) -> NoteReading:
    return NoteReading(row.take("value", str, ""), row.take("title", str), row.take("text", str))


def note_table(note: Note) -> dict[str, Value]:
    table: dict[str, Value] = {"id": note.id, "kind": note.kind, "title": note.title}
    given = {"anchor": note.anchor, "prefix": note.prefix, "quote": note.quote, "suffix": note.suffix}
    given |= {"layer": "printed" if note.layer == "printed" else "", "region": note.region}
    given |= {"authority": note.authority, "certainty": note.certainty}
    given |= {"option": note.option, "default": note.default}
    table |= {key: value for key, value in given.items() if value}
    table |= {"sources": note.sources} if note.sources else {}
    table |= {"body": note.body, "signed": note.signed, "dated": note.dated}
    if note.readings:
        table["reading"] = [
            ({"value": row.value} if row.value else {}) | {"title": row.title, "text": row.text}
            for row in note.readings
        ]
    return table


def read_variant(table: TomlTable) -> Variant:
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
        reasons=table.prose("reasons"),
        cites=table.strings("cites"),
        options=cast(dict[str, str | int], options),
        pad={key: tuple(cast(list[int], value)) for key, value in pad.items()},
        who=table.take("who", str, ""),
        since=table.take("since", str, ""),
        retired=table.take("retired", str, ""),
    )
    table.done()
    return variant


def variant_table(variant: Variant) -> dict[str, Value]:
    table: dict[str, Value] = {"slug": variant.slug, "game": variant.game, "title": variant.title}
    given = {"who": variant.who, "since": variant.since, "retired": variant.retired}
    table |= {key: value for key, value in given.items() if value}
    table |= {"reasons": variant.reasons, "cites": variant.cites}
    if variant.options:
        table["options"] = dict(variant.options)
    return table | ({"pad": dict(variant.pad)} if variant.pad else {})


def read_brief(table: TomlTable) -> Brief:
    rows = table.many("line")
    lines = tuple(BriefLine(row.take("text", str), row.strings("cites")) for row in rows)
    brief = Brief(table.take("game", str), table.take("title", str), lines)
    for row in (table, *rows):
        row.done()
    return brief


def brief_table(brief: Brief) -> dict[str, Value]:
    lines = [{"text": line.text, "cites": line.cites} for line in brief.lines]
    return {"game": brief.game, "title": brief.title, "line": lines}


def read_source(table: TomlTable) -> CitedSource:
    source = CitedSource(
        key=table.take("key", str),
        title=table.take("title", str),
        state=table.one_of("state", SOURCE_STATES),
        author=table.take("author", str, ""),
        publisher=table.take("publisher", str, ""),
        date=table.take("date", str, ""),
        address=table.take("address", str, ""),
        remark=table.prose("remark") if "remark" in table.table else "",
    )
    table.done()
    return source


def source_table(source: CitedSource) -> dict[str, Value]:
    given = {"author": source.author, "title": source.title, "publisher": source.publisher}
    given |= {"date": source.date, "address": source.address, "state": source.state, "remark": source.remark}
    table: dict[str, Value] = {"key": source.key}
    return table | {key: value for key, value in given.items() if value}


def read_pair(table: TomlTable) -> SentencePair:
    sides = {side: table.many(side) for side in ("here", "there")}
    here, there = (
        tuple(
            QuotedSentence(row.take("anchor", str), row.take("text", str), row.take("number", int, 0))
            for row in rows
        )
        for rows in sides.values()
    )
    pair = SentencePair(
        id=table.take("id", str),
        other=table.take("with", str),
        signed=table.take("signed", str),
        dated=table.take("dated", date),
        here=here,
        there=there,
        change=table.one_of("change", PAIR_CHANGES, ""),
    )
    for row in (table, *sides["here"], *sides["there"]):
        row.done()
    return pair


def pair_table(pair: SentencePair) -> dict[str, Value]:
    table: dict[str, Value] = {"id": pair.id, "with": pair.other}
    table |= {"change": pair.change} if pair.change else {}
    table |= {"signed": pair.signed, "dated": pair.dated}
    for side, sentences in (("here", pair.here), ("there", pair.there)):
        if sentences:
            table[side] = [
                {"anchor": one.anchor, "text": one.text} | ({"number": one.number} if one.number else {})
                for one in sentences
            ]
    return table
