"""Typefaces for pictures drawn by the site: its fonts with their other scripts behind them.

Our fonts know Latin, Cyrillic and Vietnamese. What none of them has is not drawn at all: never a box.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from django.conf import settings
from PIL import ImageDraw, ImageFont

CHAINS = {
    "head": (
        "oswald/files/oswald-latin-500-normal.woff2",
        "oswald/files/oswald-latin-ext-500-normal.woff2",
        "oswald/files/oswald-cyrillic-500-normal.woff2",
        "oswald/files/oswald-cyrillic-ext-500-normal.woff2",
        "oswald/files/oswald-vietnamese-500-normal.woff2",
    ),
    "text": (
        "libre-caslon-text/files/libre-caslon-text-latin-400-normal.woff2",
        "libre-caslon-text/files/libre-caslon-text-latin-ext-400-normal.woff2",
        "oswald/files/oswald-cyrillic-500-normal.woff2",
        "oswald/files/oswald-vietnamese-500-normal.woff2",
    ),
    "bold": ("libre-caslon-text/files/libre-caslon-text-latin-700-normal.woff2",),
}
NOWHERE = "\U0010fffe"
"""A character that no font has."""


@lru_cache(maxsize=256)
def font(file: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(settings.NODE_MODULES / "@fontsource" / file, size)


@lru_cache(maxsize=4096)
def _file_of(face: str, letter: str) -> str:
    """The first font of this face that has the letter; empty where none has."""
    return next((file for file in CHAINS[face] if _has(file, letter)), "")


def _has(file: str, letter: str) -> bool:
    tried = font(file, 20)
    missing, drawn = tried.getmask(NOWHERE), tried.getmask(letter)
    return letter.isspace() or (drawn.size, bytes(drawn)) != (missing.size, bytes(missing))


def can_write(face: str, text: str) -> bool:
    return all(_file_of(face, letter) for letter in text)


def _runs(face: str, size: int, text: str) -> Iterator[tuple[ImageFont.FreeTypeFont, str]]:
    """The text in pieces of one font each, without what no font has."""
    for file, letters in groupby(text, lambda letter: _file_of(face, letter)):
        if file:
            yield font(file, size), "".join(letters)


def width(face: str, size: int, text: str) -> float:
    return sum(used.getlength(letters) for used, letters in _runs(face, size, text))


def write(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    face: str,
    size: int,
    fill: str,
    right: bool = False,
) -> None:
    """Write on a baseline, to the right of a place or, with `right`, up to it."""
    x, y = place
    x -= width(face, size, text) if right else 0
    for used, letters in _runs(face, size, text):
        draw.text((x, y), letters, font=used, fill=fill, anchor="ls")
        x += used.getlength(letters)
