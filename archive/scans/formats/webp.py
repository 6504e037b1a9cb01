"""The parts of a WebP file: chunks in a RIFF frame, which says how long it is."""

from __future__ import annotations

import struct

from archive.scans.errors import Refused
from archive.scans.formats import PROFILE_MOST, WEBP, Anatomy, Notes, turned_in


def read_webp(content: bytes, notes_max: int) -> Anatomy:
    notes = Notes(notes_max)
    (length,) = struct.unpack_from("<I", content, 4)
    whole = length + 8
    if whole > len(content):
        raise Refused("short")
    if content[whole:].strip(b"\x00"):
        raise Refused("behind")
    size: tuple[int, int] | None = None
    kept, profile, turned, at = b"", b"", 1, 12
    while at + 8 <= whole:
        kind, length = struct.unpack_from("<4sI", content, at)
        body = content[at + 8 : at + 8 + length]
        following = at + 8 + length + length % 2
        if at + 8 + length > whole:
            raise Refused("damaged")
        if kind in (b"ANIM", b"ANMF"):
            raise Refused("animated")
        if kind == b"VP8X":
            size = int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
            # Of all it promises only transparency is kept; profile and notes stay behind.
            kept += struct.pack("<4sI", kind, length) + bytes([body[0] & 0x10]) + body[1:]
        elif kind in (b"VP8 ", b"VP8L", b"ALPH"):
            size = size or _webp_size(kind, body)
            kept += content[at:following]
        else:
            notes.add(body)
            turned = turned_in(body.removeprefix(b"Exif\x00\x00")) if kind == b"EXIF" else turned
            profile = body[:PROFILE_MOST] if kind == b"ICCP" else profile
        at = following
    if size is None:
        raise Refused("damaged")
    return Anatomy(WEBP, *size, b"RIFF" + struct.pack("<I", len(kept) + 4) + b"WEBP" + kept, turned, profile)


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", body, 1)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None
