"""A look at a foreign file before any decoder is even loaded: most that mean no good are turned away here."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

from archive.scans.errors import Refused
from archive.scans.formats import JPEG, PNG, TIFF, WEBP, Anatomy, kind_of
from archive.scans.formats.jpeg import read_jpeg
from archive.scans.formats.png import read_png
from archive.scans.formats.webp import read_webp

READERS = {JPEG: read_jpeg, PNG: read_png, WEBP: read_webp}


@dataclass(frozen=True)
class Limits:
    """What a file may be at most; the names of the settings they come from are in `door`."""

    pixels: int
    side: int
    side_least: int
    notes: int
    frames: int
    tiff: bool


def look_at(file: BinaryIO, limits: Limits) -> Anatomy:
    """What stands where in this file, if it may be opened at all; of a TIFF only that it is one."""
    kind = kind_of(file.read(512))
    file.seek(0)
    if kind != TIFF:
        found = anatomy(file.read(), limits.notes)
        check_size(found.width, found.height, limits)
        return found
    if not limits.tiff:
        raise Refused("tiff")
    return Anatomy(TIFF, 0, 0, b"")


def anatomy(content: bytes, notes_max: int) -> Anatomy:
    """What stands where in a JPEG, PNG or WebP file."""
    try:
        return READERS[kind_of(content[:512])](content, notes_max)
    except (struct.error, IndexError):
        raise Refused("short") from None


def check_size(width: int, height: int, limits: Limits) -> None:
    if min(width, height) < 1:
        raise Refused("damaged")
    if max(width, height) > limits.side:
        raise Refused("side")
    if width * height > limits.pixels:
        raise Refused("pixels")
    if min(width, height) < limits.side_least:
        raise Refused("small")
