"""Search and replace over the text of a book: every place is shown before anything changes.

Only plain words are replaced. Marks, names of passages and what stands inside a correction or a supplied word
stay as they are; places there are counted, and corrected on their page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from archive.curation.diff import Piece
from archive.edition import EditionError
from archive.edition.marks import BLOCK, PREFIX, TOKEN, escape, guard, unescape
from archive.edition.transcript import read_text, write_text
from archive.publication.errors import EditError
from archive.text_input import clean_line

MAX_LETTERS = 100
"""Letters of what is looked for, and of what takes its place."""
MAX_PLACES = 500
"""Places that are shown, and replaced, at once."""


@dataclass(frozen=True)
class Replacement:
    """What is looked for, and what takes its place."""

    find: str
    put: str
    match_case: bool = False
    whole_words: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        words = re.escape(self.find)
        if self.whole_words:
            words = rf"(?<!\w){words}(?!\w)"
        return re.compile(words, 0 if self.match_case else re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """One place in a line. `key` names it in this text; `pieces` are the line, what goes and what comes."""

    key: str
    leaf: int
    line: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Preview:
    """The places, as many as are shown at once; how many there are, and how many stand inside marks."""

    places: tuple[Place, ...]
    count: int
    inside_marks: int


def replacement_from(form: Mapping[str, str]) -> Replacement:
    """What a form asks for; EditError at the field that cannot be meant."""
    find, put = clean_line(form.get("find", "")), clean_line(form.get("put", ""))
    for field, words in (("find", find), ("put", put)):
        if len(words) > MAX_LETTERS:
            raise EditError(f"This is too long: at most {MAX_LETTERS} letters.", field=field)
    if not find:
        raise EditError("Write what is to be found.", field="find")
    if find == put:
        raise EditError("The text already says this.", field="put")
    return Replacement(find, put, bool(form.get("match_case")), bool(form.get("whole_words")))


def preview(text: str, asked: Replacement) -> Preview:
    """Every place in a text.txt, with the line as it would become."""
    places: list[Place] = []
    count = inside = 0
    for number, (leaf, line, written) in enumerate(_lines(text)):
        parts = _parts(written)
        inside += sum(len(asked.pattern.findall(part)) for part, is_plain in parts if not is_plain)
        for at, (start, end) in _found(parts, asked):
            count += 1
            if len(places) < MAX_PLACES:
                words = _shown(parts, at, start, end, asked.put)
                places.append(Place(f"{number}:{at}:{start}", leaf, line, words))
    return Preview(tuple(places), count, inside)


def replaced(text: str, asked: Replacement, chosen: Collection[str]) -> str:
    """The text with the chosen places replaced; EditError if it cannot be read any more."""
    if len(chosen) > MAX_PLACES:
        raise EditError(f"At most {MAX_PLACES} places at once.")
    lines = []
    done = 0
    for number, line in enumerate(text.split("\n")):
        parts = _parts(line)
        places = [place for place in _found(parts, asked) if f"{number}:{place[0]}:{place[1][0]}" in chosen]
        done += len(places)
        written = _put(parts, places, asked.put) if places else line
        # A line that lost its last word goes: left empty it would divide its paragraph.
        if written or not line:
            lines.append(written)
    if not done:
        raise EditError("Choose at least one place.")
    try:
        # As the one form in which texts are written: a line that lost its last word is no line.
        read = read_text("\n".join(lines))
    except EditionError as fault:
        raise EditError(f"The text could not be read any more: {fault.message}") from None
    return write_text(read.blocks, read.passages)


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Every line of a text.txt, with its page and its number there; 0 and 0 where it is none of a page."""
    leaf = line = 0
    for written in text.split("\n"):
        mark = BLOCK.match(written)
        if mark:
            leaf, line = int(mark[1] or 0), 0
        line += bool(written) and not mark
        yield leaf, line, written


def _parts(written: str) -> list[tuple[str, bool]]:
    """A line in its parts, plain words unescaped, marks as they are written."""
    if BLOCK.match(written):
        return [(written, False)]
    mark = PREFIX.match(written)
    head = mark.end() if mark else 0
    parts: list[tuple[str, bool]] = [(written[:head], False)] if head else []
    for token in TOKEN.finditer(written, head):
        is_plain = token.lastgroup in ("plain", "escape")
        words = unescape(token[0]) if is_plain else token[0]
        if parts and parts[-1][1] and is_plain:
            parts[-1] = (parts[-1][0] + words, True)
        else:
            parts.append((words, is_plain))
    return parts


def _found(parts: list[tuple[str, bool]], asked: Replacement) -> Iterator[tuple[int, tuple[int, int]]]:
    """The places: the number of the part, and the letters in it from and to."""
    for at, (words, is_plain) in enumerate(parts):
        if is_plain:
            yield from ((at, found.span()) for found in asked.pattern.finditer(words))


def _shown(parts: list[tuple[str, bool]], at: int, start: int, end: int, put: str) -> tuple[Piece, ...]:
    words = parts[at][0]
    before = "".join(_read(*part) for part in parts[:at]) + words[:start]
    after = words[end:] + "".join(_read(*part) for part in parts[at + 1 :])
    pieces: list[Piece] = [("same", before), ("out", words[start:end]), ("in", put), ("same", after)]
    return tuple(piece for piece in pieces if piece[1])


def _read(words: str, is_plain: bool) -> str:
    """A part as the preview has it: without how the line is set, and without names of passages."""
    return "" if not is_plain and (words.startswith("{#") or PREFIX.fullmatch(words)) else words


def _put(parts: list[tuple[str, bool]], places: list[tuple[int, tuple[int, int]]], put: str) -> str:
    """The line with its places replaced; empty if no word is left of it."""
    written = []
    for at, (words, is_plain) in enumerate(parts):
        for _, (start, end) in reversed([place for place in places if place[0] == at]):
            words = words[:start] + put + words[end:]
        written.append(escape(words) if is_plain else words)
    head = written.pop(0) if not parts[0][1] and PREFIX.fullmatch(parts[0][0]) else ""
    bare = re.sub(r" {2,}", " ", "".join(written)).strip(" ")
    if not bare:
        return ""
    # What was put in is words, and no mark of the line.
    return head + (bare if head.endswith("+ ") else guard(bare, after_style=bool(head)))
