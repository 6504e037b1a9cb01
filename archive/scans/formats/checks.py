"""Checks of a foreign file before any decoder is even loaded: most hostile files are refused here."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

from archive.scans.errors import ScanError
from archive.scans.formats import DOCUMENTS, HEAD_BYTES, JPEG, PNG, WEBP, ParsedFile, kind_of
from archive.scans.formats.jpeg import parse_jpeg
from archive.scans.formats.png import parse_png
from archive.scans.formats.webp import parse_webp

PARSERS = {JPEG: parse_jpeg, PNG: parse_png, WEBP: parse_webp}


@dataclass(frozen=True)
class FileLimits:
    """The largest file that is taken; `sandbox` fills it from the settings."""

    pixels: int
    side: int
    side_least: int
    metadata: int
    frames: int


def check_file(file: BinaryIO, limits: FileLimits) -> ParsedFile:
    """The parts of this file, if it may be opened at all; of a TIFF or a PDF only that it is one."""
    kind = kind_of(file.read(HEAD_BYTES))
    file.seek(0)
    if kind in DOCUMENTS:
        return ParsedFile(kind, 0, 0, b"")
    found = parse_file(file.read(), limits.metadata)
    check_size(found.width, found.height, limits)
    return found


def parse_file(content: bytes, metadata_max: int) -> ParsedFile:
    """The parts of a JPEG, PNG or WebP file."""
    try:
        return PARSERS[kind_of(content[:HEAD_BYTES])](content, metadata_max)
    except (struct.error, IndexError):
        raise ScanError("short") from None


def check_size(width: int, height: int, limits: FileLimits) -> None:
    if min(width, height) < 1:
        raise ScanError("damaged")
    if max(width, height) > limits.side:
        raise ScanError("side")
    if width * height > limits.pixels:
        raise ScanError("pixels")
    if min(width, height) < limits.side_least:
        raise ScanError("small")
