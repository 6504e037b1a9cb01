"""Fields of an entry as digits: every value takes its place among those that its field allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine.mixed_radix import Reader, UnfitError, Writer, unreadable
from engine.rules import Entry, Field

SMALL_RANGE = 64
"""A number with so few values takes its place among them; of others small ones are short."""


def put_field(writer: Writer, field: Field, holder: Entry, players: Sequence[str], entry: Entry) -> None:
    if not field.required:
        writer.put(field.key in holder, 2)
        if field.key not in holder:
            return
    value = holder[field.key]
    if field.nullable:
        writer.put(value is None, 2)
        if value is None:
            return
    _CODINGS[field.kind].put(writer, field, value, players, entry)


def get_field(reader: Reader, field: Field, holder: Entry, players: Sequence[str], entry: Entry) -> None:
    if not field.required and not reader.get(2):
        return
    if field.nullable and reader.get(2):
        holder[field.key] = None
        return
    holder[field.key] = _CODINGS[field.kind].get(reader, field, players, entry)


class _Coding(NamedTuple):
    """How the values of one kind of field are packed and unpacked."""

    put: Callable[[Writer, Field, Any, Sequence[str], Entry], None]
    get: Callable[[Reader, Field, Sequence[str], Entry], Any]


def _put_number(writer: Writer, field: Field, value: Any, players: Sequence[str], entry: Entry) -> None:
    steps = (value - (field.least or 0)) // field.step
    values = _number_of_values(field)
    if values is not None:
        writer.put(steps, values)
    else:
        writer.count(steps)


def _get_number(reader: Reader, field: Field, players: Sequence[str], entry: Entry) -> int:
    values = _number_of_values(field)
    steps = reader.count() if values is None else reader.get(values)
    return (field.least or 0) + steps * field.step


def _number_of_values(field: Field) -> int | None:
    """How many values a number can have, if they are few."""
    if field.most is None:
        return None
    values = (field.most - (field.least or 0)) // field.step + 1
    return values if values <= SMALL_RANGE else None


def _put_pieces(writer: Writer, field: Field, value: Any, players: Sequence[str], entry: Entry) -> None:
    least = field.least or 0
    if field.most is None:
        writer.count(len(value) - least)
    else:
        writer.put(len(value) - least, field.most - least + 1)
    for piece in value:
        writer.put(list(field.values).index(piece), len(field.values))


def _get_pieces(reader: Reader, field: Field, players: Sequence[str], entry: Entry) -> list[Any]:
    least = field.least or 0
    more = reader.count() if field.most is None else reader.get(field.most - least + 1)
    if more > max(reader.bits, 0):
        raise unreadable()
    return [field.values[reader.get(len(field.values))] for _ in range(least + more)]


def _put_record(writer: Writer, field: Field, value: Any, players: Sequence[str], entry: Entry) -> None:
    for number, shape in enumerate(field.shapes):
        if {part.key for part in shape if part.required} <= value.keys() <= {part.key for part in shape}:
            writer.put(number, len(field.shapes))
            for part in shape:
                put_field(writer, part, value, players, entry)
            return
    raise UnfitError


def _get_record(reader: Reader, field: Field, players: Sequence[str], entry: Entry) -> Entry:
    found: Entry = {}
    for part in field.shapes[reader.get(len(field.shapes))]:
        get_field(reader, part, found, players, entry)
    return found


def _put_each(writer: Writer, field: Field, value: Any, players: Sequence[str], entry: Entry) -> None:
    put = _put_record if field.shapes else _put_pieces
    for name in _each(field, players, entry):
        put(writer, field, value[name], players, entry)


def _get_each(reader: Reader, field: Field, players: Sequence[str], entry: Entry) -> Entry:
    get: Any = _get_record if field.shapes else _get_pieces
    return {name: get(reader, field, players, entry) for name in _each(field, players, entry)}


def _each(field: Field, players: Sequence[str], entry: Entry) -> list[str]:
    left_out = entry.get(field.but) if field.but else None
    return [name for name in players if name != left_out]


_CODINGS = {
    "player": _Coding(
        lambda writer, field, value, players, entry: writer.put(players.index(value), len(players)),
        lambda reader, field, players, entry: players[reader.get(len(players))],
    ),
    "flag": _Coding(
        lambda writer, field, value, players, entry: writer.put(int(value), 2),
        lambda reader, field, players, entry: bool(reader.get(2)),
    ),
    "choice": _Coding(
        lambda writer, field, value, players, entry: writer.put(
            list(field.values).index(value), len(field.values)
        ),
        lambda reader, field, players, entry: field.values[reader.get(len(field.values))],
    ),
    "number": _Coding(_put_number, _get_number),
    "pieces": _Coding(_put_pieces, _get_pieces),
    "record": _Coding(_put_record, _get_record),
    "each": _Coding(_put_each, _get_each),
}
_CODINGS["piece"] = _CODINGS["choice"]
