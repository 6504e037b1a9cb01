"""The sizes and tiles every page image is cut into, and the names of their files. Arithmetic alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TILE = 512
WIDTHS = (160, 240, 360, 480, 640, 960, 1280)


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
    smaller = [Size(w, max(round(height * w / width), 1)) for w in WIDTHS if w < width]
    return [*smaller, Size(width, height)]


def scales_of(width: int, height: int) -> list[int]:
    """1, 2, 4, … up to the scale at which the whole image is one tile."""
    scales = [1]
    while max(width, height) > TILE * scales[-1]:
        scales.append(scales[-1] * 2)
    return scales


def level_size(width: int, height: int, scale: int) -> Size:
    return Size(-(-width // scale), -(-height // scale))


def tile_at(width: int, height: int, scale: int, column: int, row: int) -> Tile:
    """The tile in this place; at the right and lower edge it is what is left."""
    x, y = column * TILE * scale, row * TILE * scale
    w, h = min(TILE * scale, width - x), min(TILE * scale, height - y)
    return Tile(scale, column, row, x, y, w, h, level_size(w, h, scale))


def tiles_of(width: int, height: int) -> Iterator[Tile]:
    for scale in scales_of(width, height):
        step = TILE * scale
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
