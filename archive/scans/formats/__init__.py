"""What stands where in a picture's file, read byte by byte before any decoder sees it.

The picture alone is handed on. Notes, thumbnails, profiles and whatever follows the end are left behind,
after a look at them: a file that is also something else (a page, an archive, a program) is refused.
`jpeg_parts`, `png_parts` and `webp_parts` know the three kinds of file.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

from archive.scans.errors import Refused

JPEG, PNG, WEBP, TIFF = "jpg", "png", "webp", "tif"
JPEG_HEAD, PNG_HEAD = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
PROFILE_MOST = 2_000_000

ACTIVE = re.compile(
    rb"<script[\s>]|<html[\s>]|<!doctype\s|<svg[\s>]|<iframe[\s>]|<\?php|<%@|%PDF-\d|PK\x03\x04|\x7fELF|Rar!\x1a",
    re.I,
)


@dataclass(frozen=True)
class Anatomy:
    """`plain` is the picture without its notes; `turned` is how the camera was held, as Exif counts it."""

    kind: str
    width: int
    height: int
    plain: bytes
    turned: int = 1
    profile: bytes = b""

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height of the picture as it was seen, however the camera was held."""
        return (self.height, self.width) if self.turned in (5, 6, 7, 8) else (self.width, self.height)


def kind_of(head: bytes) -> str:
    """What a file is by its first bytes, never by its name; Refused if it is nothing we take."""
    if not head:
        raise Refused("empty")
    if head.startswith(JPEG_HEAD):
        return JPEG
    if head.startswith(PNG_HEAD):
        return PNG
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return WEBP
    if head[:4] in (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+"):
        return TIFF
    if head[4:8] == b"ftyp":
        raise Refused("heic")
    if b"<svg" in head[:512].lower():
        raise Refused("drawing")
    raise Refused("kind")


class Notes:
    """What a file says beside its picture: counted, and looked at for anything that could be run."""

    def __init__(self, most: int) -> None:
        self.most = most

    def add(self, note: bytes) -> None:
        self.most -= len(note)
        if self.most < 0:
            raise Refused("notes")
        if ACTIVE.search(note):
            raise Refused("inside")


def turned_in(exif: bytes) -> int:
    """How the camera was held, from the first directory of Exif data; 1 (upright) if it does not say."""
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
