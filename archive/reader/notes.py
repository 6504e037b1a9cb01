"""Notes as pages show them: their kind by name, their readings with the way to play them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

import engine
from archive.images.pictures import Picture
from archive.models import Note

KIND_NAMES = {
    "mend": "Correction",
    "lacuna": "Lacuna",
    "gloss": "Gloss",
    "ambiguity": "Open question",
    "history": "History",
    "example": "Example",
    "silence": "Not covered by the rulebook",
}
# Who stands behind a default, said so that our choice never looks like the printed rule.
DEFAULT_WORDS = {
    "text": "Stated in the text",
    "reading": "Our default: open to interpretation",
    "sample": "Our default: shown only by an example",
    "editor": "Our choice: not covered by the rulebook",
}


@dataclass(frozen=True)
class ShownReading:
    title: str
    text: str
    play: str
    is_default: bool


@dataclass(frozen=True)
class ShownSource:
    """A source that a note cites: its short name, its place in the bibliography, whether we looked it up."""

    name: str
    place: str
    looked_up: bool


@dataclass(frozen=True)
class ShownNote:
    """A note with what its page needs: its kind by name, its readings with the way to play them."""

    note: Note
    kind: str
    readings: tuple[ShownReading, ...]
    default_words: str
    question: str
    sources: tuple[ShownSource, ...] = ()

    folded: bool = False
    clip: Picture | None = None
    """The crop of its rectangle on the page, where it has one."""

    @property
    def slug(self) -> str:
        return self.note.slug

    @property
    def title(self) -> str:
        return self.note.title

    @property
    def tell_query(self) -> str:
        """The end of the address where a reader tells us something about it."""
        return f"?note={self.note.slug}"

    @property
    def letters(self) -> int:
        return len(self.note.body) + sum(len(reading.text) for reading in self.readings)

    @property
    def rows(self) -> int:
        return len(self.readings)

    @property
    def is_open(self) -> bool:
        return self.note.kind in ("ambiguity", "silence")


def play_address(game: str, **choices: object) -> str:
    return f"/pads/new/?{urlencode({'game': game} | choices)}"


def show_note(note: Note) -> ShownNote:
    game, _, option = note.option.partition("/")
    readings = tuple(
        ShownReading(
            reading["title"],
            reading["text"],
            play_address(game, **{option: reading["value"]}) if option and reading["value"] else "",
            bool(note.default) and reading["value"] == note.default,
        )
        for reading in note.readings
    )
    question = next((o.question for o in engine.GAMES[game].options if o.key == option), "") if option else ""
    words = DEFAULT_WORDS.get(note.authority, "")
    return ShownNote(note, KIND_NAMES[note.kind], readings, words, question, _sources(note))


def _sources(note: Note) -> tuple[ShownSource, ...]:
    if not note.sources:
        return ()
    known = {source["key"]: source for source in note.book.sources}
    return tuple(
        ShownSource(
            ", ".join(part for part in (known[key]["author"], known[key]["title"]) if part),
            f"{note.book.slug}.{key}",
            known[key]["state"] == "looked-up",
        )
        for key in note.sources
        if key in known
    )
