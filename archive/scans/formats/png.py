"""Parser of PNG files: chunks, each with its own checksum."""

from __future__ import annotations

import struct
import zlib

from archive.scans.errors import ScanError
from archive.scans.formats import MAX_PROFILE, PNG, PNG_HEAD, MetadataCheck, ParsedFile, exif_orientation


def parse_png(content: bytes, metadata_max: int) -> ParsedFile:
    metadata = MetadataCheck(metadata_max)
    kept, profile, orientation, at = [PNG_HEAD], b"", 1, 8
    size: tuple[int, int] | None = None
    kind = b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if end > len(content):
            raise ScanError("short")
        body = content[at + 8 : end - 4]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", content, end - 4)[0]:
            raise ScanError("damaged")
        if (kind == b"IHDR") != (at == 8):
            raise ScanError("damaged")
        if kind == b"acTL":
            raise ScanError("animated")
        if kind == b"IHDR":
            size = struct.unpack_from(">II", body)
        if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            kept.append(content[at:end])
        else:
            metadata.add(body)
            orientation = exif_orientation(body) if kind == b"eXIf" else orientation
            profile = _decompressed_profile(body) if kind == b"iCCP" else profile
        at = end
    if content[at:].strip(b"\x00"):
        raise ScanError("behind")
    if size is None or not any(part[4:8] == b"IDAT" for part in kept):
        raise ScanError("damaged")
    return ParsedFile(PNG, *size, b"".join(kept), orientation, profile)


def _decompressed_profile(body: bytes) -> bytes:
    """The colour profile, which a PNG keeps compressed; a decompression bomb in its place is refused."""
    packed = body.partition(b"\x00")[2][1:]
    opener = zlib.decompressobj()
    try:
        profile = opener.decompress(packed, MAX_PROFILE)
    except zlib.error:
        return b""
    if opener.unconsumed_tail:
        raise ScanError("notes")
    return profile
