"""Outline of a declared game for its form: pieces in plain words with their faults, beside the rulebook."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core.validators import slug_re

import engine
from archive.curation.game_places import HEAD, new_name, place_name
from archive.curation.game_text import CHILDREN, kind_of, own_keys, piece_at, rows_of, with_piece
from archive.edition import Edition
from archive.edition.toml import write_table
from engine.declared import Draft
from engine.declared.errors import DeclarationError, Path

LETTERS_MOST = 300
SHOWN_MOST = 40
"""Pieces of one list that are shown: more than a game can have; a pasted text may have a thousand."""
KINDS = {
    "player": "which player?",
    "flag": "yes or no?",
    "choice": "which of these?",
    "pieces": "which cards or pieces?",
    "each": "asked of each player",
    "number": "how many?",
}


@dataclass(frozen=True)
class Addition:
    """A piece that can be added: what the link says, and the place and kind that it leads to."""

    words: str
    place: str
    kind: str = ""


@dataclass(frozen=True)
class Piece:
    """One piece of the game, and those within it."""

    place: str
    label: str
    text: str
    cites: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    additions: tuple[Addition, ...] = ()


@dataclass(frozen=True)
class Sentence:
    """A sentence of the rulebook: how many rules name it. A heading scores nothing by itself, nor
    does one that the declaration names as silent."""

    anchor: str
    words: str
    names: frozenset[str]
    rules: int = 0
    is_heading: bool = False
    is_silent: bool = False
    is_ticked: bool = False


@dataclass(frozen=True)
class Outline:
    """The whole game as it grows."""

    head: Piece
    options: tuple[Piece, ...]
    tables: tuple[Piece, ...]
    entries: tuple[Piece, ...]
    end: Piece | None
    sentences: tuple[Sentence, ...]

    @property
    def lacks(self) -> str:
        """What the game needs before it can be played, where a whole piece is missing."""
        if not self.entries:
            return "Nothing can happen yet: say what scores points."
        return "The game has no end yet." if self.end is None else ""

    @property
    def silent(self) -> list[Sentence]:
        return [one for one in self.sentences if not (one.rules or one.is_heading or one.is_silent)]


def skeleton(slug: str, title: str, by: str) -> str:
    """The first lines of a declaration, for a book that has none."""
    key = slug[:40].strip("-")
    key = f"{key[:31]}-declared" if key in engine.GAMES else key
    named = {"key": key, "title": _line(title), "book": slug, "by": _line(by)}
    return f"{write_table(named)}seats = [2, 6]\n"


def _line(words: str) -> str:
    return " ".join(words.split())[:80].strip() or "A game"


def outline(draft: Draft, edition: Edition) -> Outline:
    data, shown = draft.data, Shown(draft, faults_by_piece(draft))
    return Outline(
        head=_piece(shown, (), "Players"),
        options=tuple(_piece(shown, path, "To choose") for path in paths_in(data, (), "option")),
        tables=tuple(_piece(shown, path, f"Table {path[-1]}") for path in paths_in(data, (), "table")),
        entries=tuple(_entry(shown, path) for path in paths_in(data, (), "entry")),
        end=_piece(shown, ("end",), "The end") if piece_at(data, ("end",)) is not None else None,
        sentences=tuple(sentences(data, edition)),
    )


class Shown(NamedTuple):
    """A draft with its faults, each at the piece it is in."""

    draft: Draft
    faults: Mapping[Path, list[DeclarationError]]


def faults_by_piece(draft: Draft) -> dict[Path, list[DeclarationError]]:
    """The faults at the piece they are in; that a piece is still missing is no fault of what is there."""
    found: dict[Path, list[DeclarationError]] = {}
    for fault in draft.faults:
        owner: Path = ()
        while True:
            rest = fault.path[len(owner) :]
            steps = 1 if rest[:1] == ("end",) else 2
            if not rest or rest[0] not in CHILDREN.get(kind_of(owner), ()) or len(rest) < steps:
                break
            owner = (*owner, *rest[:steps])
        if fault.missing not in CHILDREN.get(kind_of(owner), ()):
            found.setdefault(owner, []).append(fault)
    return found


def paths_in(data: Mapping[str, Any], parent: Path, kind: str) -> list[Path]:
    """The places of the pieces of one kind."""
    rows = (piece_at(data, parent) or {}).get(kind)
    if kind == "table":
        # What is no name has no address, and is mended as text.
        names = [name for name in rows if slug_re.fullmatch(name)] if isinstance(rows, dict) else []
        return [(kind, name) for name in names[:SHOWN_MOST]]
    return [(*parent, kind, at) for at in range(len(rows[:SHOWN_MOST]))] if isinstance(rows, list) else []


def own_faults(draft: Draft, path: Path, nested: bool = False) -> list[DeclarationError]:
    """The faults of a piece itself; `nested`: and of what stands in it."""
    inner = CHILDREN.get(kind_of(path), ())

    def is_own(fault: DeclarationError) -> bool:
        rest = fault.path[len(path) :]
        is_inner = bool(rest and rest[0] in inner) or (not rest and fault.missing in inner)
        return fault.path[: len(path)] == path and (nested or not is_inner)

    return [fault for fault in draft.faults if is_own(fault)]


def plain_fault(fault: DeclarationError) -> str:
    """What is wrong, without the name of the piece that it stands beside."""
    _, _, says = fault.sentence.partition(": ")
    says = says or fault.sentence
    return f"{says[:1].upper()}{says[1:]}"


def cited(table: Mapping[str, Any]) -> tuple[str, ...]:
    cites = table.get("cites")
    return tuple(str(anchor)[:80] for anchor in cites) if isinstance(cites, list) else ()


def _piece(shown: Shown, path: Path, label: str, **more: Any) -> Piece:
    table = piece_at(shown.draft.data, path) or {}
    faults = tuple(plain_fault(fault) for fault in shown.faults.get(path, []))
    text = _text(shown, path, table)[:LETTERS_MOST]
    return Piece(place_name(path) or HEAD, label, text, cited(table), faults, **more)


def _text(shown: Shown, path: Path, table: Mapping[str, Any]) -> str:
    kind, statement = kind_of(path), shown.draft.statement(path)
    if statement is not None:
        lead = str((piece_at(shown.draft.data, path[:2]) or {}).get("question", "")).rstrip(".?!")
        text = statement.text.removeprefix(f"{lead}: ") if path[0] == "entry" else statement.text
        return f"{text[:1].upper()}{text[1:]}"
    if kind == "":
        seats = table.get("seats")
        least, most = seats if isinstance(seats, list) and len(seats) == 2 else ("?", "?")
        return f"{table.get('title')}, for {least} to {most}, declared by {table.get('by')}."
    if kind == "table":
        return ", ".join(f"{word} {number}" for word, number in table.items())
    if kind == "entry":
        over = ". A hand or round is over with it." if table.get("hand") is True else ""
        return f"{str(table.get('question', '')).rstrip('.') if over else table.get('question', '')}{over}"
    if kind in ("field", "share"):
        return _question(table)
    return ", ".join(
        f"{key} {value}" for key, value in table.items() if key not in ("cites", "why", "symbol")
    )


def _question(table: Mapping[str, Any]) -> str:
    kind, bounds = str(table.get("kind")), ""
    if kind == "number":
        bounds = f" {table.get('from')} to {table.get('to')}"
    if kind in ("choice", "pieces") and isinstance(table.get("values"), list):
        bounds = f" {', '.join(map(str, table['values']))}"
    optional = ", may be left out" if table.get("required") is False else ""
    return f"{table.get('question', '')} ({table.get('key')}: {KINDS.get(kind, kind)}{bounds}{optional})"


def _entry(shown: Shown, path: Path) -> Piece:
    found = [*_fields(shown, path)]
    for kind, label in (("check", "Must hold"), ("award", "Points")):
        found += [_piece(shown, inner, label) for inner in paths_in(shown.draft.data, path, kind)]
    place, asked = place_name(path), questions(piece_at(shown.draft.data, path) or {}, path)
    more = (
        Addition("Points", f"{place}-award-new"),
        Addition("Something that must hold", f"{place}-check-new"),
    )
    return _piece(shown, path, "When it happens", pieces=tuple(found), additions=(*more, *asked))


def questions(entry: Mapping[str, Any], path: Path) -> tuple[Addition, ...]:
    """What the pad can be made to ask in this entry; only once of each player."""
    asks_each = any(row.get("kind") == "each" for row in rows_of(entry, "field"))
    place = f"{place_name(path)}-field-new"
    return tuple(
        Addition(words, place, kind) for kind, words in KINDS.items() if not (asks_each and kind == "each")
    )


def asked_names(data: Mapping[str, Any], entry: Mapping[str, Any], total: bool) -> Iterator[str]:
    """The names that sums of an entry can use, each with its question; of points also the `total`."""
    for field in rows_of(entry, "field"):
        for row in (field, *rows_of(field, "share")):
            if row.get("kind") != "each":
                yield f"{row.get('key')}: {row.get('question')}"
    for option in rows_of(data, "option"):
        yield f"{option.get('key')}: {option.get('question')}"
    for path in paths_in(data, (), "table"):
        yield f"{path[-1]}[…]: the table {path[-1]}"
    yield "players: how many play"
    yield "hands_played: how many hands were over before"
    if total:
        yield "total: the points, before this, of whoever gets some"


def shared_number(entry: Mapping[str, Any]) -> str:
    """The name of a number that is asked of each player; "" if there is none."""
    shares = [share for field in rows_of(entry, "field") for share in rows_of(field, "share")]
    return next((str(share.get("key")) for share in shares if share.get("kind") == "number"), "")


def _fields(shown: Shown, path: Path) -> Iterator[Piece]:
    for inner in paths_in(shown.draft.data, path, "field"):
        is_each = (piece_at(shown.draft.data, inner) or {}).get("kind") == "each"
        if not is_each:
            yield _piece(shown, inner, "Asked")
            continue
        shares = [_piece(shown, share, "Each") for share in paths_in(shown.draft.data, inner, "share")]
        place = new_name((*inner, "share", 0))
        asked = [
            Addition(words, place, kind) for kind, words in KINDS.items() if kind not in ("each", "player")
        ]
        yield _piece(shown, inner, "Asked of each", pieces=tuple(shares), additions=tuple(asked))


def sentences(data: Mapping[str, Any], edition: Edition, ticked: tuple[str, ...] = ()) -> Iterator[Sentence]:
    """The sentences of the rulebook in their order, with the rules that name them."""
    named = Counter(_cites_in(data))
    headings = {section.anchor for section in edition.catalogue.sections}
    silent = silent_in(data)
    for passage in edition.passages:
        if passage.reading:
            names = frozenset((*passage.anchors, *passage.aliases))
            rules = sum(named[name] for name in names)
            is_ticked = not names.isdisjoint(ticked)
            heading = passage.anchor in headings
            is_silent = not names.isdisjoint(silent)
            yield Sentence(passage.anchor, passage.reading, names, rules, heading, is_silent, is_ticked)


def silent_in(data: Mapping[str, Any]) -> list[str]:
    """The passages that a declaration says score nothing."""
    listed = data.get("silent")
    return [str(anchor)[:80] for anchor in listed] if isinstance(listed, list) else []


def with_silent(text: str, sentence: Sentence) -> str:
    """The declaration with this sentence among those that score nothing, or without it where it was one."""
    data = tomllib.loads(text)
    silent = [anchor for anchor in silent_in(data) if anchor not in sentence.names]
    own = {key: value for key, value in own_keys(data, "").items() if key != "silent"}
    silent += [] if sentence.is_silent else [sentence.anchor]
    return with_piece(text, (), own | ({"silent": silent} if silent else {}))


def _cites_in(data: Mapping[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [data]
    while waiting:
        table = waiting.pop()
        if isinstance(table, dict):
            yield from cited(table)
            waiting += [table[kind] for kind in ("option", "entry", "check", "award", "end") if kind in table]
        elif isinstance(table, list):
            waiting += table
