"""The sizes (thumbnails to full width) and tiles that every page image is cut into, and their file names.

Arithmetic alone; `derivatives` cuts the pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TILE_SIZE = 512
"""Pixels of a side of a tile."""
PAGE_WIDTHS = (160, 240, 360, 480, 640, 960, 1280)


@dataclass(frozen=True)
class Size:
    width: int
    height: int


@dataclass(frozen=True)
class Tile:
    """A tile: its region of the full image, and the size it is kept at."""

    scale: int
    column: int
    row: int
    x: int
    y: int
    w: int
    h: int
    size: Size


def sizes_of(width: int, height: int) -> list[Size]:
    """The fixed sizes of an image, the smallest first; the last is the image itself."""
    smaller = [Size(w, max(round(height * w / width), 1)) for w in PAGE_WIDTHS if w < width]
    return [*smaller, Size(width, height)]


def scales_of(width: int, height: int) -> list[int]:
    """1, 2, 4, … up to the scale at which the whole image is one tile."""
    scales = [1]
    while max(width, height) > TILE_SIZE * scales[-1]:
        scales.append(scales[-1] * 2)
    return scales


def level_size(width: int, height: int, scale: int) -> Size:
    return Size(-(-width // scale), -(-height // scale))


def tile_at(width: int, height: int, scale: int, column: int, row: int) -> Tile:
    """The tile in this place; at the right and lower edge it is what is left."""
    x, y = column * TILE_SIZE * scale, row * TILE_SIZE * scale
    w, h = min(TILE_SIZE * scale, width - x), min(TILE_SIZE * scale, height - y)
    return Tile(scale, column, row, x, y, w, h, level_size(w, h, scale))


def tiles_of(width: int, height: int) -> Iterator[Tile]:
    for scale in scales_of(width, height):
        step = TILE_SIZE * scale
        for row in range(-(-height // step)):
            for column in range(-(-width // step)):
                yield tile_at(width, height, scale, column, row)


def folder_of(identifier: str, checksum: str) -> str:
    """Names carry the content's hash: a file under a name never changes, so it may be kept for ever."""
    return f"{identifier}/{checksum[:16]}"


def size_name(width: int) -> str:
    return f"full/{width}.jpg"


def tile_name(scale: int, column: int, row: int) -> str:
    return f"{scale}/{column}-{row}.jpg"
