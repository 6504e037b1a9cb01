"""Sentences with blanks, `{who} took {points}`: read into pieces, filled without Python's formatting."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from engine.rules import listed

BLANKS_MOST = 8
FILLED_MOST = 600
_BLANK = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class BlankError(Exception):
    """A sentence whose blanks cannot be filled."""


class Sentence(NamedTuple):
    """Words and blanks in turn: the words stand at the even places."""

    pieces: tuple[str, ...]

    @property
    def blanks(self) -> tuple[str, ...]:
        return self.pieces[1::2]

    def filled(self, words: Mapping[str, Any]) -> str:
        if len(self.pieces) == 1:
            return self.pieces[0]
        filled = "".join(
            [spoken(words[piece]) if place % 2 else piece for place, piece in enumerate(self.pieces)]
        )
        return filled if len(filled) <= FILLED_MOST else f"{filled[: FILLED_MOST - 1]}…"


def read_sentence(text: str, known: Collection[str]) -> Sentence:
    """The sentence with these blanks allowed, or a BlankError."""
    pieces = tuple(_BLANK.split(text))
    if any(sign in words for words in pieces[::2] for sign in "{}"):
        raise BlankError("A brace stands only around a name, as in {points}.")
    sentence = Sentence(pieces)
    for blank in sentence.blanks:
        if blank not in known:
            raise BlankError(f"Nothing here is called {{{blank}}}. There is {listed(sorted(known))}.")
    if len(sentence.blanks) > BLANKS_MOST:
        raise BlankError(f"A sentence has at most {BLANKS_MOST} blanks.")
    return sentence


def spoken(value: Any) -> str:
    """A value as it stands in a sentence."""
    if value is True or value is False:
        return "yes" if value else "no"
    if value in ("", (), []):
        return "nothing"
    if isinstance(value, list):
        return listed([str(piece) for piece in value])
    return "none" if value is None else str(value)
