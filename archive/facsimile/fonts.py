"""The fonts: Old Standard for text, Oswald for display lines, from the @fontsource packages."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PIL import ImageFont

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


class FontSet:
    """Fonts at their sizes, and the widths of words, each measured once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._fonts: dict[tuple[Face, int], ImageFont.FreeTypeFont] = {}
        self._widths: dict[tuple[str, Face, int], float] = {}

    def font(self, face: Face, size: int) -> ImageFont.FreeTypeFont:
        key = (face, size)
        if key not in self._fonts:
            self._fonts[key] = ImageFont.truetype(self.folder / FONT_FILES[face], size)
        return self._fonts[key]

    def width(self, text: str, face: Face, size: int) -> float:
        key = (text, face, size)
        if key not in self._widths:
            self._widths[key] = self.font(face, size).getlength(text)
        return self._widths[key]
