"""The parts of a PNG file: chunks, each with its own checksum."""

from __future__ import annotations

import struct
import zlib

from archive.scans.errors import Refused
from archive.scans.formats import PNG, PNG_HEAD, PROFILE_MOST, Anatomy, Notes, turned_in


def read_png(content: bytes, notes_max: int) -> Anatomy:
    notes = Notes(notes_max)
    kept, profile, turned, at = [PNG_HEAD], b"", 1, 8
    size: tuple[int, int] | None = None
    kind = b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if end > len(content):
            raise Refused("short")
        body = content[at + 8 : end - 4]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", content, end - 4)[0]:
            raise Refused("damaged")
        if (kind == b"IHDR") != (at == 8):
            raise Refused("damaged")
        if kind == b"acTL":
            raise Refused("animated")
        if kind == b"IHDR":
            size = struct.unpack_from(">II", body)
        if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            kept.append(content[at:end])
        else:
            notes.add(body)
            turned = turned_in(body) if kind == b"eXIf" else turned
            profile = _unpacked(body) if kind == b"iCCP" else profile
        at = end
    if content[at:].strip(b"\x00"):
        raise Refused("behind")
    if size is None or not any(part[4:8] == b"IDAT" for part in kept):
        raise Refused("damaged")
    return Anatomy(PNG, *size, b"".join(kept), turned, profile)


def _unpacked(body: bytes) -> bytes:
    """A profile, which a PNG keeps compressed; a bomb in its place is not unpacked."""
    packed = body.partition(b"\x00")[2][1:]
    opener = zlib.decompressobj()
    try:
        profile = opener.decompress(packed, PROFILE_MOST)
    except zlib.error:
        return b""
    if opener.unconsumed_tail:
        raise Refused("notes")
    return profile
