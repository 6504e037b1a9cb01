"""Letters of old print that the fonts do not have: signs above and below letters, small letters above them.

A letter with its signs is a cluster. What a font has is drawn by the font; the rest is put together here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from PIL import ImageFont

SMALL = 0.5
"""A letter above another has this share of its size."""
GAP = 0.05
"""Ems between a letter and the sign above or below it."""
LETTERS_ABOVE = dict(zip(range(0x363, 0x370), "aeioucdhmrtvx", strict=True))
SIGNS = {0x300: "`", 0x301: "´", 0x302: "ˆ", 0x303: "˜", 0x304: "¯", 0x305: "¯", 0x307: ".", 0x308: "¨"}
SIGNS |= {0x30A: "˚", 0x30B: "˝", 0x30C: "ˇ", 0x30F: "¨", 0x311: "ˆ"}
SIGNS_BELOW = {0x323: ".", 0x324: "¨", 0x327: "¸", 0x328: ",", 0x331: "¯", 0x332: "¯"}
SUBSTITUTES = {"ſ": "s", "ꝛ": "r", "⸗": "="}
"""Letters that no font here has, and the nearest that one has."""

Find = Callable[[str], ImageFont.FreeTypeFont | None]
"""The font that has these letters, at the size of the line."""


@dataclass(frozen=True)
class Piece:
    """Letters drawn in one font, so far right of and below the beginning of the word on its baseline."""

    text: str
    font: ImageFont.FreeTypeFont
    x: float
    y: float = 0.0


def clusters(text: str) -> list[str]:
    """The letters of a text, each with the signs that belong to it, composed where Unicode can."""
    found: list[str] = []
    for sign in unicodedata.normalize("NFC", text):
        if found and unicodedata.category(sign) in ("Mn", "Me"):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def pieces(text: str, find: Find, small: ImageFont.FreeTypeFont) -> tuple[list[Piece], float]:
    """The pieces of a text, and its width. `small` is the font of letters above others."""
    found: list[Piece] = []
    x = 0.0
    for cluster in clusters(text):
        whole = find(cluster)
        if whole is not None:
            found.append(Piece(cluster, whole, x))
            x += whole.getlength(cluster)
            continue
        base = SUBSTITUTES.get(cluster[0], cluster[0])
        font = find(base)
        if font is None:
            base, font = "?", find("?") or small
        found.append(Piece(base, font, x))
        found += _signs(cluster[1:], Piece(base, font, x), find, small)
        x += font.getlength(base)
    return found, x


def _signs(signs: str, base: Piece, find: Find, small: ImageFont.FreeTypeFont) -> list[Piece]:
    """The signs of a letter, the first nearest to it. One that is none of ours stays in the text alone."""
    left, top, right, bottom = _ink(base.text, base.font)
    found, gap = [], GAP * base.font.size
    for code in map(ord, signs):
        below = code in SIGNS_BELOW
        text = LETTERS_ABOVE.get(code) or SIGNS.get(code) or SIGNS_BELOW.get(code)
        font = small if code in LETTERS_ABOVE else find(text) if text else None
        if text is None or font is None:
            continue
        west, north, east, south = _ink(text, font)
        x = base.x + (left + right) / 2 - (west + east) / 2
        found.append(Piece(text, font, x, bottom + gap - north if below else top - gap - south))
        if below:
            bottom += gap + south - north
        else:
            top -= gap + south - north
    return found


def _ink(text: str, font: ImageFont.FreeTypeFont) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is drawn, as seen from the baseline."""
    mask, (x, y) = font.getmask2(text, anchor="ls")
    return x, y, x + mask.size[0], y + mask.size[1]
