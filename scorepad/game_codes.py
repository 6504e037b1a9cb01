"""Game codes: a whole game as an address in a QR code, or in several when it is long.

They are packed by `engine.packed_sheet` and written in base 32, so that a QR code needs only capitals and
digits. A part of several says which one it is, of how many, and to which game it belongs.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from typing import Any

import engine
from engine import packed_sheet
from engine.mixed_radix import unreadable
from scorepad import ledger
from scorepad.limits import limit
from scorepad.models import Pad

PART_BYTES = 1_100
"""Bytes in one QR code: larger ones are hard to read from a screen."""
TAG_LENGTH = 8
MAX_TEXT = 4_400
"""Characters of an address: no QR code holds more."""
MAX_PARTS = 8
"""Codes of one game: enough for 390 hands of the largest kind. Nobody takes more with a camera."""
CODE = re.compile(r"(?:.*/q/)?(?:(\d+)\.(\d+)\.(\w+)\.)?([a-z2-7]+)/?\s*", re.I)


def texts(pad: Pad, most: int = MAX_PARTS) -> list[str]:
    """The last part of the addresses that hold the whole log of a pad, at most so many; raises Refused if it
    is too long for them."""
    return parts(packed_sheet.pack(ledger.sheet(pad), pad.code, most * PART_BYTES))


def parts(data: bytes) -> list[str]:
    """A packed game as the text of one code, or of several."""
    parts = [data[start : start + PART_BYTES] for start in range(0, len(data), PART_BYTES)]
    if len(parts) == 1:
        return [_base32(data)]
    tag = _tag(data)
    return [f"{number}.{len(parts)}.{tag}.{_base32(part)}" for number, part in enumerate(parts, start=1)]


def sheet(sent: Iterable[str]) -> dict[str, Any]:
    """The tally sheet in codes or in their addresses, in any order; raises Refused if one is missing."""
    found = [CODE.fullmatch(text) for text in sent if len(text) <= MAX_TEXT]
    if not found or None in found or len(found) > MAX_PARTS:
        raise unreadable()
    parts = {int(match[1] or 1): _bytes(match[4]) for match in found if match}
    counts = {(int(match[2] or 1), match[3]) for match in found if match}
    if len(counts) > 1:
        raise engine.Refused("bad-code", "These codes are of different games. Take those of one game.")
    count, tag = counts.pop()
    missing = [number for number in range(1, count + 1) if number not in parts] if count <= MAX_PARTS else [1]
    if missing:
        raise _missing(missing, count)
    data = b"".join(parts[number] for number in range(1, count + 1))
    if tag is not None and tag.upper() != _tag(data):
        raise unreadable()
    unpacked = packed_sheet.unpack(data)
    if len(unpacked["entries"]) > limit("ENTRIES_PER_PAD_MOST"):
        raise engine.Refused("pad-full", f"A pad holds {limit('ENTRIES_PER_PAD_MOST')} entries at most.")
    return unpacked


def _missing(missing: list[int], count: int) -> engine.Refused:
    numbers = ", ".join(map(str, missing))
    return engine.Refused("code-missing", f"This game has {count} codes. Take number {numbers} as well.")


def _tag(data: bytes) -> str:
    return _base32(hashlib.sha256(data).digest())[:TAG_LENGTH]


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    try:
        return base64.b32decode(text.upper() + "=" * (-len(text) % 8))
    except binascii.Error:
        raise unreadable() from None
