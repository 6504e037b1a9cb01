"""A typeset page: its image, and the box of every word on it."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from archive.images.boxes import Box

COLOPHON = "Facsimile typeset from the transcription. No scan of this page is held."


@dataclass(frozen=True)
class WordBox:
    """One printed word and where it stands. `line` is the number of its line on the leaf, `index` its place
    among the words of that line, `offset` the place of its first character in the line's printed text.
    `row` counts the rows we set: a long line fills several of them."""

    line: int
    index: int
    offset: int
    text: str
    passage: str
    row: int
    box: Box


@dataclass(frozen=True)
class FacsimilePage:
    """`colophon` is the box of the line on the margin that says what this page is."""

    image: Image.Image
    words: tuple[WordBox, ...]
    colophon: Box
    body_size: int

    @property
    def width(self) -> int:
        return self.image.width

    @property
    def height(self) -> int:
        return self.image.height
