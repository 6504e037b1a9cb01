"""Parser of JPEG files: segments, coded pixels, and the trailers that phones add."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from archive.scans.errors import ScanError
from archive.scans.formats import (
    ACTIVE_CONTENT,
    JPEG,
    JPEG_HEAD,
    MAX_PROFILE,
    MetadataCheck,
    ParsedFile,
    exif_orientation,
)

MAX_PASSES = 60
"""Progressive pictures come in about ten passes; thousands are a way to keep a decoder busy."""
PLAIN_JFIF = b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]", re.S)
FILM_PARTS = {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"uuid", b"meta", b"mpvd", b"moof"}


def _segments(content: bytes, start: int) -> Iterator[tuple[int, int, int]]:
    """Marker, begin and end of each segment of a JPEG; the coded pixels belong to the SOS before them."""
    at = start + 2
    while True:
        if content[at] != 0xFF:
            raise ScanError("damaged")
        while content[at + 1] == 0xFF:
            at += 1
        marker, begin = content[at + 1], at
        if marker == 0xD9:
            yield marker, begin, at + 2
            return
        (length,) = struct.unpack_from(">H", content, at + 2)
        at += 2 + length
        if length < 2 or at > len(content):
            raise ScanError("short" if length >= 2 else "damaged")
        if marker == 0xDA:
            found = MARKER.search(content, at)
            if found is None:
                raise ScanError("short")
            at = found.start()
        yield marker, begin, at


def parse_jpeg(content: bytes, metadata_max: int) -> ParsedFile:
    metadata = MetadataCheck(metadata_max)
    size: tuple[int, int] | None = None
    kept, profile, orientation, passes, end = [b"\xff\xd8"], b"", 1, 0, 0
    for marker, begin, end in _segments(content, 0):
        body = content[begin + 4 : end] if 0xE0 <= marker <= 0xEF or marker == 0xFE else b""
        if body:
            metadata.add(body)
        if marker == 0xE0 and body.startswith(b"JFIF\x00"):
            kept.append(PLAIN_JFIF)
        elif marker == 0xEE and body.startswith(b"Adobe"):
            kept.append(content[begin:end])
        elif marker == 0xE1 and body.startswith(b"Exif\x00\x00"):
            orientation = exif_orientation(body[6:])
        elif marker == 0xE2 and body.startswith(b"ICC_PROFILE\x00"):
            profile += body[14:]
        elif not body:
            kept.append(content[begin:end])
        if marker in (0xC0, 0xC1, 0xC2):
            if size is not None:
                raise ScanError("damaged")
            depth, height, width = struct.unpack_from(">BHH", content, begin + 4)
            if depth != 8:
                raise ScanError("unreadable")
            size = width, height
        passes += marker == 0xDA
    if size is None or not passes:
        raise ScanError("damaged")
    if passes > MAX_PASSES:
        raise ScanError("slow")
    _check_trailer(content, end)
    return ParsedFile(JPEG, *size, b"".join(kept), orientation, profile[:MAX_PROFILE])


def _check_trailer(content: bytes, end: int) -> None:
    """Refuse a trailer, unless it is one that phones add to a JPEG: smaller copies of it, a short film, the
    maker's notes."""
    while (tail := content[end:].lstrip(b"\x00\xff") if end < len(content) else b"") != b"":
        at = len(content) - len(tail)
        if content.startswith(JPEG_HEAD, at - 1):
            at -= 1
        if content.startswith(JPEG_HEAD, at):
            for marker, begin, end in _segments(content, at):
                if (marker >= 0xE0) and ACTIVE_CONTENT.search(content, begin, end):
                    raise ScanError("behind")
        elif tail.endswith(b"SEFT") and b"SEFH" in tail[-4_000:]:
            if ACTIVE_CONTENT.search(tail):
                raise ScanError("behind")
            return
        else:
            end = _film_end(content, content.rfind(b"ftyp", end, at + 8) - 4)


def _film_end(content: bytes, at: int) -> int:
    while 0 <= at < len(content):
        size, kind = struct.unpack_from(">I4s", content, at)
        if size == 1 and kind in FILM_PARTS:
            (size,) = struct.unpack_from(">Q", content, at + 8)
        if kind not in FILM_PARTS or size < 8 or at + size > len(content):
            break
        at += size
    else:
        if at == len(content):
            return at
    raise ScanError("behind")
