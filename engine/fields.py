"""Fields of an entry: checks it against what its type declares, in the order the sheet promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.rules import Entry, EntryType, Field, Refused, listed

EVERY_ENTRY = ("type", "id")


def quote(value: object) -> str:
    """A value as a refusal quotes it: short, and never more than one line."""
    if isinstance(value, str) and value.isprintable():
        return f'"{value}"' if len(value) <= 50 else f'"{value[:50]}…"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple | dict):
        return "a list" if isinstance(value, list | tuple) else "an object"
    if isinstance(value, int) and value.bit_length() > 64:
        return "so large a number"  # Python refuses to spell out the largest ones.
    word = repr(value)
    return word if len(word) <= 50 else f"{word[:50]}…"


class Blank:
    """An entry type made ready to check entries: which fields, which names, which values."""

    def __init__(self, entry_type: EntryType) -> None:
        self.key = entry_type.key
        self.fields = entry_type.fields
        self.required = frozenset(("type", *(field.key for field in self.fields if field.required)))
        self.allowed = frozenset((*EVERY_ENTRY, *(field.key for field in self.fields)))
        self.naming = tuple(field for field in self.fields if field.kind in ("player", "each", "record"))
        self.valued = tuple(field for field in self.fields if field.kind != "player")

    def check_fields(self, entry: Entry) -> None:
        keys = entry.keys()
        if self.required <= keys <= self.allowed:
            return
        missing = [field.key for field in self.fields if field.required and field.key not in keys]
        if missing:
            raise Refused("bad-entry", f"A {self.key} entry needs {listed([quote(key) for key in missing])}.")
        unknown = next(key for key in keys if key not in self.allowed)
        raise Refused("bad-entry", f"A {self.key} entry has no field {quote(unknown)}. Take it out.")

    def check_names(self, entry: Entry, players: Sequence[str]) -> None:
        for field in self.naming:
            if field.key in entry:
                _check_names(field, entry[field.key], players)

    def check_kinds(self, entry: Entry, players: Sequence[str]) -> None:
        for field in self.valued:
            if field.key not in entry:
                continue
            value = entry[field.key]
            if value is None and field.nullable:
                continue
            if field.kind == "each":
                _check_each(field, value, players, entry[field.but] if field.but else None)
            else:
                _CHECKS[field.kind](field, value)


def check_part(field: Field, value: Any, players: Sequence[str]) -> None:
    """Check what stands in one blank while its entry is still being filled in; of an `each`, one share.

    What is there must be of its kind and of this game. Lists may still be too short and objects lack a part.
    """
    if value is None and field.nullable:
        return
    if field.kind == "player":
        _check_names(field, value, players)
    elif field.shapes:
        _check_record_so_far(field, value, players)
    elif field.kind in ("pieces", "each"):
        _check_pieces(field._replace(least=0), value)
    else:
        _CHECKS[field.kind](field, value)


def _check_record_so_far(field: Field, value: Any, players: Sequence[str]) -> None:
    shapes = [{part.key: part for part in shape} for shape in field.shapes]
    keys = value.keys() if type(value) is dict else set()
    parts = next((parts for parts in shapes if keys and keys <= parts.keys()), None)
    if parts is None:
        _check_record(field, value)  # It fits no shape, and this says so.
    else:
        for key in keys:
            check_part(parts[key], value[key], players)


def _check_names(field: Field, value: Any, players: Sequence[str]) -> None:
    if field.kind == "player":
        if value not in players and not (value is None and field.nullable):
            known = listed([*players])
            raise Refused("unknown-player", f"{quote(value)} is not at this table. The players are {known}.")
    elif type(value) is dict:
        for name in value if field.kind == "each" else ():
            _check_names(Field(field.key, "player", ""), name, players)
        for part in (part for shape in field.shapes for part in shape if part.kind == "player"):
            if part.key in value:
                _check_names(part, value[part.key], players)


def _check_each(field: Field, value: Any, players: Sequence[str], left_out: str | None) -> None:
    if type(value) is not dict:
        raise Refused("bad-entry", f'"{field.key}" must be an object with a value for each player.')
    check = _check_record if field.shapes else _check_pieces
    for name in players:
        if name == left_out and name in value:
            raise Refused(
                "bad-entry", f'{quote(name)} is the {field.but} and does not belong in "{field.key}".'
            )
        if name != left_out and name not in value:
            raise Refused("bad-entry", f'{quote(name)} is missing in "{field.key}".')
    for name in players:
        if name != left_out:
            check(field, value[name])


def _check_record(field: Field, value: Any) -> None:
    if type(value) is not dict:
        raise Refused("bad-entry", f'"{field.key}" must hold an object here, not {quote(value)}.')
    for shape in field.shapes:
        needed = {part.key for part in shape if part.required}
        if needed <= value.keys() <= {part.key for part in shape}:
            for part in shape:
                if part.key in value and not (value[part.key] is None and part.nullable):
                    _CHECKS[part.kind](part, value[part.key])
            return
    ways = " or ".join(listed([f'"{part.key}"' for part in shape if part.required]) for shape in field.shapes)
    raise Refused("bad-entry", f'In "{field.key}" give {ways}, and nothing else.')


def _check_pieces(field: Field, value: Any) -> None:
    if type(value) is not list:
        raise Refused("bad-entry", f'"{field.key}" must be a list, not {quote(value)}.')
    least, most = field.least or 0, field.most
    if len(value) < least or (most is not None and len(value) > most):
        number = (
            str(least) if least == most else f"at least {least}" if most is None else f"{least} to {most}"
        )
        raise Refused("bad-entry", f'"{field.key}" must list {number}; here are {len(value)}.')
    kind, values = type(field.values[0]), field.values
    for piece in value:
        if type(piece) is not kind or piece not in values:
            _check_piece(field, piece)


def _check_piece(field: Field, value: Any) -> None:
    first, last = field.values[0], field.values[-1]
    if type(value) is not type(first) or value not in field.values:
        raise Refused(
            field.code, f"{quote(value)} is not in this game, whose pieces run from {first} to {last}."
        )


def _check_choice(field: Field, value: Any) -> None:
    if type(value) is not str or value not in field.values:
        raise Refused(field.code, f'"{field.key}" must be one of {", ".join(map(str, field.values))}.')


def _check_flag(field: Field, value: Any) -> None:
    if type(value) is not bool:
        raise Refused(field.code, f'"{field.key}" must be true or false, not {quote(value)}.')


def _check_number(field: Field, value: Any) -> None:
    least, most = field.least or 0, field.most
    if (
        type(value) is int
        and value >= least
        and (most is None or value <= most)
        and not (value - least) % field.step
    ):
        return
    kind = "a whole number" if field.step == 1 else f"a multiple of {field.step}"
    limits = f"of {least} or more" if most is None else f"from {least} to {most}"
    raise Refused("bad-entry", f'"{field.key}" must be {kind} {limits}, not {quote(value)}.')


def _check_player(field: Field, value: Any) -> None:
    """Nothing is left to check: names come before kinds."""


_CHECKS = {
    "choice": _check_choice,
    "number": _check_number,
    "flag": _check_flag,
    "piece": _check_piece,
    "pieces": _check_pieces,
    "record": _check_record,
    "player": _check_player,
}
