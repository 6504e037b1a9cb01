"""Parser of WebP files: chunks in a RIFF frame, which says how long it is."""

from __future__ import annotations

import struct

from archive.scans.errors import ScanError
from archive.scans.formats import MAX_PROFILE, WEBP, MetadataCheck, ParsedFile, exif_orientation


def parse_webp(content: bytes, metadata_max: int) -> ParsedFile:
    metadata = MetadataCheck(metadata_max)
    (length,) = struct.unpack_from("<I", content, 4)
    whole = length + 8
    if whole > len(content):
        raise ScanError("short")
    if content[whole:].strip(b"\x00"):
        raise ScanError("behind")
    size: tuple[int, int] | None = None
    kept, profile, orientation, at = b"", b"", 1, 12
    while at + 8 <= whole:
        kind, length = struct.unpack_from("<4sI", content, at)
        body = content[at + 8 : at + 8 + length]
        following = at + 8 + length + length % 2
        if at + 8 + length > whole:
            raise ScanError("damaged")
        if kind in (b"ANIM", b"ANMF"):
            raise ScanError("animated")
        if kind == b"VP8X":
            size = int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
            # Of all it promises only transparency is kept; profile and metadata are dropped.
            kept += struct.pack("<4sI", kind, length) + bytes([body[0] & 0x10]) + body[1:]
        elif kind in (b"VP8 ", b"VP8L", b"ALPH"):
            size = size or _webp_size(kind, body)
            kept += content[at:following]
        else:
            metadata.add(body)
            orientation = (
                exif_orientation(body.removeprefix(b"Exif\x00\x00")) if kind == b"EXIF" else orientation
            )
            profile = body[:MAX_PROFILE] if kind == b"ICCP" else profile
        at = following
    if size is None:
        raise ScanError("damaged")
    return ParsedFile(
        WEBP, *size, b"RIFF" + struct.pack("<I", len(kept) + 4) + b"WEBP" + kept, orientation, profile
    )


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 1)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None
