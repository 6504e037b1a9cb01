"""The fonts: Old Standard for text, Oswald for display lines, from the @fontsource packages."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PIL import ImageDraw, ImageFont

from archive.facsimile.diacritics import SMALL, Piece, pieces

Face = Literal["roman", "italic", "bold", "display"]

FONT_FILES: dict[Face, str] = {
    "roman": "old-standard-tt/files/old-standard-tt-latin-400-normal.woff2",
    "italic": "old-standard-tt/files/old-standard-tt-latin-400-italic.woff2",
    "bold": "old-standard-tt/files/old-standard-tt-latin-700-normal.woff2",
    "display": "oswald/files/oswald-latin-600-normal.woff2",
}

# Above and below the baseline, in ems: no letter of ours reaches farther, and rows never touch.
ASCENT: dict[Face, float] = {"roman": 0.77, "italic": 0.77, "bold": 0.77, "display": 0.86}
DESCENT: dict[Face, float] = {"roman": 0.24, "italic": 0.24, "bold": 0.24, "display": 0.24}


FURTHER = ("latin-ext", "vietnamese", "cyrillic", "cyrillic-ext")
"""Other files of the same face, for letters that the first one does not have."""
NO_LETTER = "\uffff"
PROBE_SIZE = 24
"""The size at which it is looked up whether a font has a letter."""


class FontSet:
    """Fonts at their sizes, and the widths of words, each measured once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._fonts: dict[tuple[str, int], ImageFont.FreeTypeFont] = {}
        self._widths: dict[tuple[str, Face, int], float] = {}
        self._known: dict[tuple[str, str], bool] = {}

    def font(self, face: Face, size: int) -> ImageFont.FreeTypeFont:
        return self._open(FONT_FILES[face], size)

    def width(self, text: str, face: Face, size: int) -> float:
        key = (text, face, size)
        if key not in self._widths:
            self._widths[key] = self._pieces(text, face, size)[1]
        return self._widths[key]

    def draw(
        self, pen: ImageDraw.ImageDraw, place: tuple[float, float], text: str, face: Face, size: int
    ) -> None:
        """Draw a text that begins at this place of its baseline."""
        for piece in self._pieces(text, face, size)[0]:
            x, y = place[0] + piece.x, place[1] + piece.y
            pen.text((x, y), piece.text, font=piece.font, fill=255, anchor="ls")

    def _pieces(self, text: str, face: Face, size: int) -> tuple[list[Piece], float]:
        """In one piece wherever the font has every letter, so that its own spacing counts."""
        font = self.font(face, size)
        if all(self._has(FONT_FILES[face], letter) for letter in text):
            return [Piece(text, font, 0.0)], font.getlength(text)
        return pieces(text, lambda letters: self._find(letters, face, size), self.font(face, _small(size)))

    def _find(self, letters: str, face: Face, size: int) -> ImageFont.FreeTypeFont | None:
        first = FONT_FILES[face]
        for name in (first, *(first.replace("-latin-", f"-{other}-") for other in FURTHER)):
            if (self.folder / name).exists() and all(self._has(name, letter) for letter in letters):
                return self._open(name, size)
        return None

    def _has(self, name: str, letter: str) -> bool:
        """Pillow does not tell which letters a font has, only what it draws: for those it has not, a box."""
        key = (name, letter)
        if key not in self._known:
            font = self._open(name, PROBE_SIZE)
            drawn, box = font.getmask(letter), font.getmask(NO_LETTER)
            self._known[key] = drawn.size != box.size or bytes(drawn) != bytes(box)
        return self._known[key]

    def _open(self, name: str, size: int) -> ImageFont.FreeTypeFont:
        key = (name, size)
        if key not in self._fonts:
            self._fonts[key] = ImageFont.truetype(self.folder / name, size)
        return self._fonts[key]


def _small(size: int) -> int:
    return max(round(size * SMALL), 1)
