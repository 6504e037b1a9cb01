"""Parsers of image files, which read them byte by byte before any decoder does.

Only the picture is handed on. Metadata, thumbnails, profiles and all that follows the end are dropped, after
a check: a polyglot, which is also something else (a page, an archive, a program), is refused.

- this module: kinds of files by their first bytes, orientation, metadata
- `jpeg`, `png`, `webp`: the parts of each kind of picture; `pdf`: the pages of a document
- `checks`: a file as a whole, its size against the limits
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from archive.scans.errors import ScanError

JPEG, PNG, WEBP, TIFF, PDF = "jpg", "png", "webp", "tif", "pdf"
DOCUMENTS = (TIFF, PDF)
"""Kinds of files that may have many pages."""
JPEG_HEAD, PNG_HEAD, PDF_HEAD = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"%PDF-"
HEAD_BYTES = 512
"""So many first bytes of a file tell its kind."""
MAX_PROFILE = 2_000_000

ACTIVE_CONTENT = re.compile(
    rb"<script[\s>]|<html[\s>]|<!doctype\s|<svg[\s>]|<iframe[\s>]|<\?php|<%@|%PDF-\d|PK\x03\x04|\x7fELF|Rar!\x1a",
    re.I,
)


@dataclass(frozen=True)
class ParsedFile:
    """A file in its parts: `pixels_only` is the file without metadata; `orientation` is how the camera was
    held, as Exif counts it."""

    kind: str
    width: int
    height: int
    pixels_only: bytes
    orientation: int = 1
    profile: bytes = b""

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height of the picture after it was turned upright."""
        return (self.height, self.width) if self.orientation in (5, 6, 7, 8) else (self.width, self.height)


def kind_of(head: bytes) -> str:
    """The kind of a file by its first bytes, never by its name; ScanError if it is none that we take."""
    if not head:
        raise ScanError("empty")
    if head.startswith(JPEG_HEAD):
        return JPEG
    if head.startswith(PNG_HEAD):
        return PNG
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return WEBP
    if head[:4] in (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+"):
        return TIFF
    if head.startswith(PDF_HEAD):
        return PDF
    if head[4:8] == b"ftyp":
        raise ScanError("heic")
    if b"<svg" in head[:512].lower():
        raise ScanError("drawing")
    raise ScanError("kind")


class MetadataCheck:
    """Metadata of a file: its length is counted, and it is searched for anything that could be run."""

    def __init__(self, most: int) -> None:
        self.most = most

    def add(self, part: bytes) -> None:
        self.most -= len(part)
        if self.most < 0:
            raise ScanError("notes")
        if ACTIVE_CONTENT.search(part):
            raise ScanError("inside")


def exif_orientation(exif: bytes) -> int:
    """The orientation of the camera, from the first directory of Exif data; 1 (upright) if it does not
    say."""
    order = {b"II*\x00": "<", b"MM\x00*": ">"}.get(exif[:4])
    if order is None:
        return 1
    try:
        (at,) = struct.unpack_from(f"{order}I", exif, 4)
        (count,) = struct.unpack_from(f"{order}H", exif, at)
        for entry in range(min(count, 200)):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", exif, at + 2 + 12 * entry)
            if tag == 0x0112:
                return value if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1
