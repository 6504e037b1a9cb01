"""Records beside the text: catalogue, notes, variants, rules in brief, sources, pairs of parallel texts; and
the whole, an Edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from archive.edition.text import Layer, Leaf, Line, Passage, join

NOTE_KINDS = ("mend", "lacuna", "gloss", "ambiguity", "history", "example", "silence")
AUTHORITIES = ("text", "reading", "sample", "editor")
CERTAINTIES = ("certain", "high", "medium", "low", "unknown")
SOURCE_STATES = ("looked-up", "not-looked-up")
PAIR_CHANGES = ("kept", "changed")
JOINED_MAX = 4
"""So many sentences of one book may be joined in a pair."""


@dataclass(frozen=True)
class NoteReading:
    """One way to read an open sentence; `value` is the engine's option value, where there is an option."""

    value: str
    title: str
    text: str


@dataclass(frozen=True)
class Note:
    """A note holds to its place by the words it speaks about. Without a quote it speaks of the whole passage,
    without an anchor of the whole book."""

    id: str
    kind: str
    title: str
    body: str
    signed: str
    dated: date
    anchor: str = ""
    quote: str = ""
    prefix: str = ""
    suffix: str = ""
    layer: Layer = "reading"
    region: str = ""
    authority: str = ""
    certainty: str = ""
    option: str = ""
    default: str = ""
    readings: tuple[NoteReading, ...] = ()
    sources: tuple[str, ...] = ()
    """Keys of the sources that its statements about history rest on."""


@dataclass(frozen=True)
class Variant:
    """A named set of options: only what differs from the defaults. `pad` holds settings of the pad.
    `retired` is the day since which it is no longer offered."""

    slug: str
    game: str
    title: str
    reasons: str
    cites: tuple[str, ...]
    options: Mapping[str, str | int] = field(default_factory=dict)
    pad: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    who: str = ""
    since: str = ""
    retired: str = ""


@dataclass(frozen=True)
class BriefLine:
    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Brief:
    """The rules of one game in our words, one phone screen long."""

    game: str
    title: str
    lines: tuple[BriefLine, ...]


@dataclass(frozen=True)
class CitedSource:
    """A work, a record or a page that notes cite by its `key`. `state` says whether we have looked it up;
    `remark` what of it we used, or why we could not."""

    key: str
    title: str
    state: str
    author: str = ""
    publisher: str = ""
    date: str = ""
    address: str = ""
    remark: str = ""


@dataclass(frozen=True)
class QuotedSentence:
    """A sentence by its words and by the passage that it stands in."""

    anchor: str
    text: str
    number: int = 0
    """Which sentence of its passage it is, from 1, where these words stand there more than once."""


@dataclass(frozen=True)
class SentencePair:
    """What a person decided about sentences of this book, `here`, and of the `other`, `there`: that they
    belong together, and whether they say the same. Sentences of one book alone have no counterpart."""

    id: str
    other: str
    signed: str
    dated: date
    here: tuple[QuotedSentence, ...] = ()
    there: tuple[QuotedSentence, ...] = ()
    change: str = ""
    """One of PAIR_CHANGES where there are sentences on both sides, else empty."""


@dataclass(frozen=True)
class Section:
    anchor: str
    title: str


@dataclass(frozen=True)
class CoverLine:
    text: str
    style: str


@dataclass(frozen=True)
class Subject:
    """A term for what the book is about; `address` identifies it in a vocabulary, if it is known."""

    term: str
    address: str = ""


@dataclass(frozen=True)
class Rights:
    address: str
    label: str
    reasons: str


@dataclass(frozen=True)
class Catalogue:
    """The facts known of a book, and a list of those that are not."""

    title: str
    short_title: str
    maker: str
    place: str
    year: int | None
    date: str
    copyright: str
    language: str
    players: str
    pieces: str
    games: tuple[str, ...]
    blurb: str
    provenance: str
    holding: str
    unknown: tuple[str, ...]
    cover_leaf: int | None
    """The page whose scan is the cover on the shelf; None for one typeset from the lines of `cover`."""
    rights: Rights
    cover: tuple[CoverLine, ...]
    subjects: tuple[Subject, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Edition:
    """One book, whole. `loose` lines belong to no leaf: a slip laid on the copy, or our own statements.
    `witness` is the machine-read text as it came, untouched; empty where none may be shown."""

    slug: str
    catalogue: Catalogue
    leaves: tuple[Leaf, ...]
    loose: tuple[Line, ...]
    passages: tuple[Passage, ...]
    notes: tuple[Note, ...]
    variants: tuple[Variant, ...]
    briefs: tuple[Brief, ...]
    witness: str = ""
    sources: tuple[CitedSource, ...] = ()
    game: str = ""
    """The declaration of its game, as it was written; empty where it declares none."""
    golden_sheets: str = ""
    pairs: tuple[SentencePair, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.loose + tuple(line for leaf in self.leaves for line in leaf.lines)

    @property
    def printed(self) -> str:
        return join((line for leaf in self.leaves for line in leaf.lines), "printed")

    @property
    def reading(self) -> str:
        return join((line for line in self.lines if not line.furniture), "reading")

    def passage(self, anchor: str) -> Passage | None:
        """The passage an anchor leads to, by any of its names, old ones too."""
        return next((p for p in self.passages if anchor in p.anchors or anchor in p.aliases), None)

    def note(self, id: str) -> Note | None:
        return next((note for note in self.notes if note.id == id), None)
