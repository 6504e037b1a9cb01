"""The catalogue of a book as the answers of a form, and back; what was not touched stays byte for byte."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from django.http import QueryDict
from django.utils import timezone

import engine
from archive.curation.forms import fields as words
from archive.curation.forms.catalogue_fields import ASKS, LIST_MOST, NOT_KNOWN, STATEMENTS
from archive.edition import STYLES, Catalogue, CoverLine, Edition, Leaf, Rights, Section
from archive.edition.record_tables import catalogue_table, read_catalogue
from archive.edition.records import CERTAINTIES
from archive.edition.toml import Value, read_table, write_table

BOOK = "book.toml"
YEAR_LEAST = 1450
COVER_STYLES = tuple(name for name, style in STYLES.items() if not style.furniture and not style.flow)
LINE_MOST = 200
NO_YEAR = "Four figures, such as 1930. Write “the 1930s” under the date in words and leave this empty."
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
KEYS = (*(field.name for field in fields(Catalogue) if field.name != "sections"), "section", "leaf")
"""The keys of book.toml in the order in which they are written."""
Pair = tuple[str, str]


class CatalogueError(Exception):
    """What cannot be so, by the name of the field, in sentences."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = dict(faults)


@dataclass(frozen=True)
class Card:
    """The catalogue as a form has it, right or wrong: `cover` are rows of text and style, `sections` rows of
    anchor and title."""

    answers: Mapping[str, str]
    rights: str = ""
    games: tuple[str, ...] = ()
    cover: tuple[Pair, ...] = ()
    sections: tuple[Pair, ...] = ()


def catalogue_in(files: Mapping[str, str]) -> Catalogue:
    table = read_table(BOOK, files[BOOK])
    table.many("leaf")
    return read_catalogue(table)


def leaves_in(files: Mapping[str, str]) -> list[Leaf]:
    """What the catalogue says of each leaf, without its lines."""
    return [
        Leaf(
            number=table.take("number", int),
            label=table.take("label", str, ""),
            title=table.take("title", str),
            break_certainty=table.one_of("break", CERTAINTIES),
            source_lines=table.take("source", str),
            lines=(),
        )
        for table in read_table(BOOK, files[BOOK]).many("leaf")
    ]


def write_catalogue(catalogue: Catalogue, leaves: Iterable[Leaf]) -> str:
    return write_table(catalogue_table(Edition("", catalogue, tuple(leaves), (), (), (), (), ())))


def card_of(catalogue: Catalogue) -> Card:
    """What is written where nothing was answered is no answer, and is not shown as one."""
    answers = {name: str(getattr(catalogue, name, "") or "") for name in ASKS}
    for name, ask in ASKS.items():
        # Of a dated book an empty date in words says the year, so there the words must stay.
        is_written_again = ask.otherwise == NOT_KNOWN or (name == "date" and not catalogue.year)
        if is_written_again and answers[name] == NOT_KNOWN:
            answers[name] = ""
    answers |= {"unknown": "\n".join(catalogue.unknown), "reasons": catalogue.rights.reasons}
    return Card(
        answers=answers,
        rights=catalogue.rights.address,
        games=catalogue.games,
        cover=tuple((line.text, line.style) for line in catalogue.cover),
        sections=tuple((section.anchor, section.title) for section in catalogue.sections),
    )


def card_from(sent: QueryDict) -> Card:
    """What a form sent, tidied but not yet judged. A row that was emptied goes."""
    answers = {
        name: words.plain(sent.get(name, "")).strip() if ask.is_prose else words.line(sent.get(name, ""))
        for name, ask in ASKS.items()
    }
    return Card(
        answers=answers,
        rights=words.line(sent.get("rights", "")),
        games=tuple(key for key in engine.GAMES if key in sent.getlist("game")),
        cover=tuple(row for row in _rows(sent, "cover-text", "cover-style") if row[0]),
        sections=tuple(row for row in _rows(sent, "section-anchor", "section-title") if any(row)),
    )


def _rows(sent: QueryDict, one: str, two: str) -> list[Pair]:
    pairs = zip(sent.getlist(one), sent.getlist(two), strict=False)
    return [(words.line(first), words.line(second)) for first, second in pairs][: LIST_MOST + 1]


def moved(card: Card, index: int, by: int) -> Card:
    """With one line of the cover moved up or down."""
    rows, to = list(card.cover), index + by
    if 0 <= index < len(rows) and 0 <= to < len(rows):
        rows[index], rows[to] = rows[to], rows[index]
    return replace(card, cover=tuple(rows))


def catalogue_from(card: Card, anchors: Sequence[str], old: Catalogue | None = None) -> Catalogue:
    """The catalogue a form describes, or BadCatalogue. `anchors` are the names of the passages in the order
    of the text; sections follow that order by themselves."""
    faults = {name: fault for name in ASKS if (fault := _fault(name, card.answers.get(name, "")))}
    faults |= _faults_of_rows(card, anchors)
    if card.rights not in STATEMENTS and (old is None or card.rights != old.rights.address):
        faults["rights"] = "Choose one of the statements."
    if faults:
        raise CatalogueError(faults)
    answers = {name: card.answers.get(name, "") or ask.otherwise or "" for name, ask in ASKS.items()}
    year = int(answers["year"]) if answers["year"] else None
    same_rights = old is not None and card.rights == old.rights.address
    label = old.rights.label if old is not None and same_rights else STATEMENTS[card.rights]
    order = {anchor: place for place, anchor in enumerate(anchors)}
    return Catalogue(
        title=answers["title"],
        short_title=answers["short_title"],
        maker=answers["maker"],
        place=answers["place"],
        year=year,
        date=answers["date"] or (str(year) if year else NOT_KNOWN),
        copyright=answers["copyright"],
        language=answers["language"],
        players=answers["players"],
        pieces=answers["pieces"],
        games=_in_order(card.games, old),
        blurb=answers["blurb"],
        provenance=answers["provenance"],
        holding=answers["holding"],
        unknown=tuple(line for line in map(words.line, answers["unknown"].split("\n")) if line),
        rights=Rights(card.rights, label, answers["reasons"]),
        cover=tuple(CoverLine(text, style) for text, style in card.cover),
        sections=tuple(Section(*row) for row in sorted(card.sections, key=lambda row: order[row[0]])),
    )


def _in_order(games: Collection[str], old: Catalogue | None) -> tuple[str, ...]:
    """The games as they were listed before, then new ones: ticking nothing changes nothing."""
    before = [key for key in (old.games if old else ()) if key in games]
    return (*before, *(key for key in games if key not in before))


def is_year(written: str) -> bool:
    return len(written) == 4 and written.isascii() and written.isdecimal()


def _fault(name: str, written: str) -> str:
    ask = ASKS[name]
    if not written:
        return "" if ask.otherwise is not None else "This needs an answer."
    if name == "year":
        if not is_year(written):
            return NO_YEAR
        latest = timezone.localdate().year
        if not YEAR_LEAST <= int(written) <= latest:
            return f"Write the year in four figures, from {YEAR_LEAST} to {latest}, or leave it empty."
    if name == "language" and not LANGUAGE.fullmatch(written):
        return "Write the language as a code: en, en-US, de."
    if len(written) > ask.most:
        return f"This is too long: at most {ask.most} letters, and it has {len(written)}."
    return ""


def _faults_of_rows(card: Card, anchors: Sequence[str]) -> dict[str, str]:
    faults: dict[str, str] = {}
    for text, style in card.cover:
        if style not in COVER_STYLES or len(text) > LINE_MOST:
            faults["cover"] = f"Choose how “{text[:30]}” is set; a line has at most {LINE_MOST} letters."
    seen: set[str] = set()
    for anchor, title in card.sections:
        if anchor not in anchors:
            faults["sections"] = f"No passage is called “{anchor[:60]}”. Choose one from the list."
        elif not title or len(title) > LINE_MOST:
            faults["sections"] = f"Give the section at {anchor} a title of at most {LINE_MOST} letters."
        elif anchor in seen:
            faults["sections"] = f"Two sections begin at {anchor}; take one away."
        seen.add(anchor)
    for name, rows in (("cover", card.cover), ("sections", card.sections)):
        if len(rows) > LIST_MOST:
            faults[name] = f"At most {LIST_MOST} rows."
    return faults


def with_catalogue(files: Mapping[str, str], catalogue: Catalogue) -> dict[str, str]:
    return {BOOK: write_catalogue(catalogue, leaves_in(files))}


def entries_in(text: str) -> dict[str, tuple[str, Value]]:
    """Every key of book.toml with its value; rights, cover, sections and leaves each as one."""
    return {key: (key, _unclosed(value)) for key, value in tomllib.loads(text).items()}


def _unclosed(value: Value) -> Value:
    """Of several lines, the last line end only closes the quotes."""
    if isinstance(value, str):
        return value.removesuffix("\n")
    if isinstance(value, Mapping):
        return {key: _unclosed(inner) for key, inner in value.items()}
    return value


def write_entries(entries: Iterable[tuple[str, Value]]) -> str:
    return write_table(dict(sorted(entries, key=lambda entry: KEYS.index(entry[0]))))


def joined(base: Card, mine: Card, theirs: Card) -> Card:
    """For a form that clashed: what I changed stays mine, everything else is as others have it now."""
    answers = {
        name: mine.answers[name] if mine.answers[name] != base.answers[name] else theirs.answers[name]
        for name in ASKS
    }
    rest = {
        name: getattr(mine if getattr(mine, name) != getattr(base, name) else theirs, name)
        for name in ("rights", "games", "cover", "sections")
    }
    return Card(answers=answers, **rest)
