"""A whole game in a few bytes, to be shown as a code: packed by the fields that its game declares.

Every answer is one of so many, so a log is a number in mixed radix, and nothing here knows a game. A long log
is several numbers: to read one costs by the square of its length. Ids are not packed: they follow from an id
of the whole and the place of an entry, so that two who read the same code have the same log. An entry that
does not fit the fields of its game, as one that was struck out may not, is packed as JSON. docs/codes.md
describes the format.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.head import read_head
from engine.mixed_radix import Reader, UnfitError, Writer, unreadable
from engine.packed_fields import get_field, put_field
from engine.rules import Entry, Field, Game, Refused
from engine.strict_json import read

VERSION = 1
MAX_ENTRIES = 10_000
MAX_HEAD = 60_000
"""Bytes of a head that is unpacked: names, title, notes, a declaration."""
BLOCK_BITS = 2_048
"""A block of entries ends with the one that makes it longer than this."""
MAX_BLOCK = 8_000
"""Bytes of a block with a very long entry at its end."""
TOO_LONG = "This game is too long for a code. Download it as a file."
CORRECTIONS = ("void", "amend", "revise", "insert")
HEADING = ("title", "date", "notes", "declaration")
DICTIONARY = (
    b'"notes":"title":"date":"2026-01-01","hands":"stake":100,"target":"sets":2,"when_short":"pay-what-you-can",'
    b'thumbs","victor-or-"-victim"-1916","rap"-1926"victory"-rummy",'
    b'["Anna","Bert","Cora","Dora"],0,{},{},"'
)
"""What heads have in common. It is part of the format: a change needs a new version."""


class _Sheet(NamedTuple):
    """What the entries of one sheet are packed by."""

    game: Game
    players: Sequence[str]

    @property
    def kinds(self) -> list[str]:
        return [*(entry_type.key for entry_type in self.game.entries), *CORRECTIONS, ""]


def pack(sheet: Mapping[str, Any], of: str = "", most: int = 1_000_000) -> bytes:
    """Pack a sheet that stands into so many bytes at most. `of` is what its ids will follow from."""
    game, table = read_head(sheet)
    defaults = {option.key: option.default for option in game.options}
    options = {key: value for key, value in table.options.items() if value != defaults[key]}
    heading = {key: sheet[key] for key in HEADING if key in sheet}
    head = [of, heading, options, table.dealer, list(table.players), game.key]
    packed = _deflate(json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode())
    data = bytes([VERSION]) + _with_length(packed)
    for block in _put_entries(_Sheet(game, table.players), sheet.get("entries", [])):
        data += _with_length(block)
        if len(data) > most or len(block) > MAX_BLOCK:
            raise Refused("too-long", TOO_LONG)
    return data


def unpack(data: bytes) -> dict[str, Any]:
    """The sheet that was packed, with ids; raises Refused for what is none."""
    if not data or data[0] != VERSION:
        raise unreadable()
    try:
        head, *blocks = _blocks(data[1:])
        return _unpack(read(_inflate(head)), blocks)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, zlib.error):
        raise unreadable() from None


def _unpack(head: Any, blocks: Sequence[bytes]) -> dict[str, Any]:
    of, heading, options, dealer, players, key = head
    sheet = {"tally": 1, "game": key, "options": options, "players": players, "dealer": players[dealer]}
    sheet |= {name: words for name, words in heading.items() if name in HEADING}
    game, table = read_head(sheet)
    return {**sheet, "entries": _get_entries(_Sheet(game, table.players), blocks, str(of))}


def _with_length(block: bytes) -> bytes:
    """A block behind its length: seven bits a byte, the least first, the eighth while more follow."""
    length, prefix = len(block), bytearray()
    while length >= 128:
        prefix.append(128 + length % 128)
        length //= 128
    return bytes([*prefix, length]) + block


def _blocks(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        length = shift = 0
        while data[at] >= 128:
            length += (data[at] - 128) << shift
            at, shift = at + 1, shift + 7
        at, length = at + 1, length + (data[at] << shift)
        if length > min(MAX_BLOCK, len(data) - at):
            raise unreadable()
        yield data[at : at + length]
        at += length


def _put_entries(known: _Sheet, entries: Sequence[Entry]) -> Iterator[bytes]:
    """Blocks of entries, each with their number before them."""
    block, count, places = Writer(), 0, dict[str, int]()
    for place, entry in enumerate(entries):
        _put_entry(block, known, entry, place, places)
        count += 1
        if "id" in entry:
            places[entry["id"]] = place
        if block.radix.bit_length() > BLOCK_BITS or place == len(entries) - 1:
            counted = Writer()
            counted.count(count)
            counted.add(block)
            yield counted.bytes()
            block, count = Writer(), 0


def _get_entries(known: _Sheet, blocks: Sequence[bytes], of: str) -> list[Entry]:
    entries: list[Entry] = []
    ids: list[str] = []
    for block in blocks:
        reader = Reader(block)
        count = reader.count()
        if count > MAX_ENTRIES - len(entries):
            raise unreadable()
        for place in range(len(entries), len(entries) + count):
            ids.append(entry_id(of, place))
            entries.append({"id": ids[place], **_get_entry(reader, known, place, ids)})
    return entries


def entry_id(of: str, place: int) -> str:
    """The id of the entry at this place of a log that was packed."""
    return hashlib.sha256(f"{of} {place}".encode()).hexdigest()[:32]


def _deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=DICTIONARY)
    return packer.compress(data) + packer.flush()


def _inflate(data: bytes) -> bytes:
    opener = zlib.decompressobj(-15, zdict=DICTIONARY)
    found = opener.decompress(data, MAX_HEAD)
    if opener.unconsumed_tail or not opener.eof:
        raise unreadable()
    return found


def _put_entry(writer: Writer, known: _Sheet, entry: Entry, place: int, places: Mapping[str, int]) -> None:
    kind = entry["type"]
    if kind not in CORRECTIONS:
        _put_plain(writer, known, entry)
        return
    writer.put(known.kinds.index(kind), len(known.kinds))
    if kind == "revise":
        writer.count(len(entry["changes"]))
        for change in entry["changes"]:
            writer.count(place - places[change["of"]])
            writer.put(change["entry"] is None, 2)
            if change["entry"] is not None:
                _put_plain(writer, known, change["entry"])
        return
    target = entry["after"] if kind == "insert" else entry["of"]
    # An entry stands at least one place before its correction: 0 is the beginning of the log.
    writer.count(0 if target is None else place - places[target])
    if kind != "void":
        _put_plain(writer, known, entry["entry"])


def _get_entry(reader: Reader, known: _Sheet, place: int, ids: Sequence[str]) -> Entry:
    kind = known.kinds[reader.get(len(known.kinds))]
    if kind not in CORRECTIONS:
        return _get_plain(reader, known, kind)

    def target() -> str | None:
        back = reader.count()
        if back > place:
            raise unreadable()
        return ids[place - back] if back else None

    if kind == "revise":
        changes = []
        for _ in range(reader.count()):
            changes.append({"of": target(), "entry": None if reader.get(2) else _get_next(reader, known)})
        return {"type": kind, "changes": changes}
    entry = {"type": kind, "after" if kind == "insert" else "of": target()}
    return entry if kind == "void" else {**entry, "entry": _get_next(reader, known)}


def _get_next(reader: Reader, known: _Sheet) -> Entry:
    kind = known.kinds[reader.get(len(known.kinds))]
    if kind in CORRECTIONS:
        raise unreadable()
    return _get_plain(reader, known, kind)


def _put_plain(writer: Writer, known: _Sheet, entry: Entry) -> None:
    """Pack an entry by its fields; if they cannot tell it, as JSON."""
    body = {key: value for key, value in entry.items() if key != "id"}
    trial = Writer()
    try:
        trial.put(known.kinds.index(body["type"]), len(known.kinds))
        for field in _fields(known, body["type"]):
            put_field(trial, field, body, known.players, body)
        if _as_text(_get_next(Reader(trial.bytes() + b"\0"), known)) != _as_text(body):
            raise UnfitError
    except (UnfitError, Refused, ValueError, KeyError, TypeError, AttributeError):
        trial = Writer()
        trial.put(len(known.kinds) - 1, len(known.kinds))
        trial.text(_as_text(body))
    writer.add(trial)


def _get_plain(reader: Reader, known: _Sheet, kind: str) -> Entry:
    if not kind:
        found = read(reader.text().encode())
        if not isinstance(found, dict):
            raise unreadable()
        return found
    entry: Entry = {"type": kind}
    for field in _fields(known, kind):
        get_field(reader, field, entry, known.players, entry)
    return entry


def _fields(known: _Sheet, kind: str) -> tuple[Field, ...]:
    return next(entry_type.fields for entry_type in known.game.entries if entry_type.key == kind)


def _as_text(entry: Any) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
