"""A typeset page: its image, and the box of every word on it."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from archive.images.boxes import Box

COLOPHON = "Typeset by Tallyroom from the transcription; not a scan"
GUESS = "Layout, colours and frames are our guess"
"""Stands below the colophon of a page that has a colour or a frame."""


@dataclass(frozen=True)
class WordBox:
    """One word and where it stands. `line` is the number of its line on the leaf, `index` its place
    among the words of that line, `offset` the place of its first character in the line's text as it is set.
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
    """`words` are those of the reading text, `printed` those of the source text where they would stand.
    `colophon` is the box of the lines on the margin that say what this page is."""

    image: Image.Image
    words: tuple[WordBox, ...]
    printed: tuple[WordBox, ...]
    colophon: Box
    body_size: int

    @property
    def width(self) -> int:
        return self.image.width

    @property
    def height(self) -> int:
        return self.image.height
