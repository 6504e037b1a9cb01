"""Validation between the files of a book: names lead somewhere, quotes are found, mends have notes."""

from __future__ import annotations

from collections.abc import Mapping

from archive.edition.errors import EditionError
from archive.edition.records import JOINED_MAX, Edition, Note, QuotedSentence, SentencePair
from archive.edition.region import read_region
from archive.edition.text import Line
from archive.edition.toml import TomlTable, read_table


def check_edition(edition: Edition, files: Mapping[str, str]) -> None:
    _check_sections(edition, read_table("book.toml", files["book.toml"]))
    notes = read_table("notes.toml", files["notes.toml"]).many("note")
    for note, table in zip(edition.notes, notes, strict=True):
        _check_note(edition, note, table)
    _check_unique(notes, "id")
    _check_marks(edition, files["text.txt"])
    _check_unique(read_table("sources.toml", files.get("sources.toml", "")).many("source"), "key")
    pairs = read_table("parallel.toml", files.get("parallel.toml", "")).many("pair")
    _check_unique(pairs, "id")
    taken: set[tuple[str, str, QuotedSentence]] = set()
    for pair, table in zip(edition.pairs, pairs, strict=True):
        _check_pair(edition, pair, table, taken)
    variants = read_table("variants.toml", files["variants.toml"]).many("variant")
    _check_unique(variants, "slug")
    briefs = read_table("brief.toml", files["brief.toml"]).many("brief")
    for table in [*variants, *(line for brief in briefs for line in brief.many("line"))]:
        _check_cites(edition, table)
    for table in variants + briefs:
        game = table.take("game", str)
        if game not in edition.catalogue.games:
            raise table.fault(f"{game} is not among the games of book.toml", "game")


def _check_sections(edition: Edition, book: TomlTable) -> None:
    cover = edition.catalogue.cover_leaf
    if cover is not None and not 1 <= cover <= len(edition.leaves):
        raise book.fault(f"the cover is page {cover}, and there is no such page", "cover_leaf")
    for table in book.many("section"):
        anchor = table.take("anchor", str)
        if edition.passage(anchor) is None:
            raise table.fault(f"no passage of text.txt has the anchor {anchor}", "anchor")
    if not edition.catalogue.rights.address.startswith("http://rightsstatements.org/vocab/"):
        raise book.one("rights").fault("write an address of rightsstatements.org, with http", "address")


def _check_note(edition: Edition, note: Note, table: TomlTable) -> None:
    passage = edition.passage(note.anchor)
    if note.anchor and passage is None:
        raise table.fault(f"no passage of text.txt has the anchor {note.anchor}", "anchor")
    if note.quote and not note.anchor:
        raise table.fault("a quote needs the anchor of its passage", "quote")
    if note.quote and passage is not None:
        found = count_quote(passage.text(note.layer), note)
        if found != 1:
            where = f"{passage.anchor} ({note.layer} layer)"
            raise table.fault(f"prefix, quote and suffix stand {found} times in {where}, not once", "quote")
    region = read_region(note.region)
    if note.region and (region is None or region.leaf not in {leaf.number for leaf in edition.leaves}):
        raise table.fault("write leaf/pct:left,top,width,height, for a leaf that there is", "region")
    if (note.option or note.readings) and note.default not in {r.value for r in note.readings if r.value}:
        raise table.fault("default must be the value of one of the readings", "default")
    if note.option and not note.authority:
        raise table.fault("a note on an option says by what authority its default stands", "option")
    if note.kind == "ambiguity" and len(note.readings) < 2:
        raise table.fault("an ambiguity lists at least two readings, ours first", "kind")
    for key in note.sources:
        if key not in {source.key for source in edition.sources}:
            raise table.fault(f"sources.toml has no source with the key {key}", "sources")
    if note.kind in ("mend", "lacuna") and not note.certainty:
        raise table.fault(f"a {note.kind} needs its certainty")


def _check_pair(
    edition: Edition, pair: SentencePair, table: TomlTable, taken: set[tuple[str, str, QuotedSentence]]
) -> None:
    """That its sentences still stand in the two texts is asked when the texts are compared, not here. `taken`
    are the sentences of the pairs before it, by book and side."""
    if pair.other >= edition.slug:
        raise table.fault(f"a pair with {pair.other} stands in the folder of that rulebook", "with")
    if not pair.here and not pair.there:
        raise table.fault("a pair has at least one sentence")
    if max(len(pair.here), len(pair.there)) > JOINED_MAX:
        raise table.fault(f"at most {JOINED_MAX} sentences of a rulebook stand in one pair")
    if bool(pair.change) != bool(pair.here and pair.there):
        raise table.fault(
            "change is written where there are sentences on both sides, and only there", "change"
        )
    own = {(pair.other, side, one) for side in ("here", "there") for one in getattr(pair, side)}
    for *_, sentence in own & taken:
        words = sentence.text if len(sentence.text) <= 60 else f"{sentence.text[:60]}…"
        raise table.fault(f"two corrections speak of “{words}”; open this page again and correct it once")
    taken |= own


def count_quote(text: str, note: Note) -> int:
    """The number of times the quote stands in a text within its context, wherever lines end."""
    wanted = " ".join(f"{note.prefix}{note.quote}{note.suffix}".split())
    return " ".join(text.split()).count(wanted)


def _check_unique(tables: list[TomlTable], key: str) -> None:
    seen: set[str] = set()
    for table in tables:
        name = table.take(key, str)
        if name in seen:
            raise table.fault(f"{key} {name} is used twice", key)
        seen.add(name)


def _check_cites(edition: Edition, table: TomlTable) -> None:
    cites = table.strings("cites")
    if not cites:
        raise table.fault("cites must name at least one passage", "cites")
    for cite in cites:
        book, _, anchor = cite.partition("/")
        if book != edition.slug or edition.passage(anchor) is None:
            raise table.fault(f"{cite} is not a passage of this rulebook", "cites")


def _check_marks(edition: Edition, source: str) -> None:
    """Every mend and every supplied word is tied to a note of its kind."""
    notes = {note.id: note for note in edition.notes}
    for line in edition.lines:
        for name in _names(line):
            if name not in notes or notes[name].kind not in ("mend", "lacuna", "example"):
                number = next(i for i, text in enumerate(source.split("\n"), 1) if _mentions(text, name))
                raise EditionError("text.txt", number, f"notes.toml has no mend or lacuna with the id {name}")


def _names(line: Line) -> list[str]:
    return [name for name in (line.note, *(run.note for run in line.runs)) if name]


def _mentions(text: str, name: str) -> bool:
    return any(text.find(f" {name}{end}") >= 0 for end in "}⟩]")
