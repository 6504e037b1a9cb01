"""Conversion of entries between stored seat numbers and players' names.

Which values of an entry name a player is read from the engine's own declaration of the entry, so this holds
for any game. The coding is total and reversible: what is not a name of this table is kept as it was sent.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Field, Game

STRANGER = "not-at-table"
STRANGER_SIGN = "="


@dataclass(frozen=True)
class _Coding:
    value: Callable[[Any], Any]
    key: Callable[[str], str]


def to_seats(game: Game, entry: Mapping[str, Any], seats: Mapping[str, int]) -> dict[str, Any]:
    """The entry with every player's name replaced by the seat; `seats` maps name to seat."""

    def value(name: Any) -> Any:
        if name is None:
            return None
        return seats[name] if isinstance(name, str) and name in seats else {STRANGER: name}

    def key(name: str) -> str:
        return str(seats[name]) if name in seats else STRANGER_SIGN + name

    return _coded(game, entry, _Coding(value, key))


def to_names(game: Game, body: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
    """The stored entry as people read it, with the names the seats have now."""

    def value(seat: Any) -> Any:
        if isinstance(seat, dict):
            return seat[STRANGER]
        return None if seat is None else players[seat]

    def key(seat: str) -> str:
        return seat[1:] if seat.startswith(STRANGER_SIGN) else players[int(seat)]

    return _coded(game, body, _Coding(value, key))


def renamed(game: Game, entry: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The entry with other players in it: each name that `names` has is replaced."""

    def value(name: Any) -> Any:
        return names.get(name, name) if isinstance(name, str) else name

    return _coded(game, entry, _Coding(value, lambda name: names.get(name, name)))


def players_in(game: Game, entry: Mapping[str, Any]) -> list[str]:
    """The names in an entry, each once, as it has them."""
    found: dict[str, None] = {}

    def note(name: Any) -> Any:
        if isinstance(name, str):
            found[name] = None
        return name

    _coded(game, entry, _Coding(note, note))
    return [*found]


def value_to_names(field: Field, value: Any, players: Sequence[str]) -> Any:
    """The stored value of one field, or of one share of it, as people read it; None where a seat is gone."""

    def name(seat: Any) -> Any:
        return players[seat] if type(seat) is int and 0 <= seat < len(players) else None

    return name(value) if field.kind == "player" else _record(field, value, _Coding(name, str))


def seats_by_name(pad_players: Sequence[str], former_names: Mapping[str, int]) -> dict[str, int]:
    """Name to seat. A name given up still leads to its seat, unless another player has it now."""
    return {**former_names, **{name: seat for seat, name in enumerate(pad_players)}}


def _coded(game: Game, entry: Mapping[str, Any], coding: _Coding, inner: bool = False) -> dict[str, Any]:
    kind = entry.get("type")
    if kind in ("amend", "insert") and not inner and isinstance(entry.get("entry"), dict):
        return {**entry, "entry": _coded(game, entry["entry"], coding, inner=True)}
    if kind == "revise" and not inner and isinstance(entry.get("changes"), list):
        return {**entry, "changes": [_change_coded(game, change, coding) for change in entry["changes"]]}
    declared = next((entry_type for entry_type in game.entries if entry_type.key == kind), None)
    fields = {field.key: field for field in declared.fields} if declared else {}
    return _fields_coded(fields, entry, coding)


def _change_coded(game: Game, change: Any, coding: _Coding) -> Any:
    if not isinstance(change, dict) or not isinstance(change.get("entry"), dict):
        return change
    return {**change, "entry": _coded(game, change["entry"], coding, inner=True)}


def _fields_coded(fields: Mapping[str, Field], values: Mapping[str, Any], coding: _Coding) -> dict[str, Any]:
    return {
        key: _value(fields[key], value, coding) if key in fields else value for key, value in values.items()
    }


def _value(field: Field, value: Any, coding: _Coding) -> Any:
    if field.kind == "player":
        return coding.value(value)
    if field.kind == "each" and isinstance(value, dict):
        return {coding.key(name): _record(field, part, coding) for name, part in value.items()}
    if field.kind == "record":
        return _record(field, value, coding)
    return value


def _record(field: Field, value: Any, coding: _Coding) -> Any:
    if not isinstance(value, dict) or not _names_players(field):
        return value
    parts = {part.key: part for shape in field.shapes for part in shape}
    return _fields_coded(parts, value, coding)


def _names_players(field: Field) -> bool:
    """False for a record of numbers and pieces, as most are: it is the same with seats and with names."""
    return any(part.kind == "player" or part.shapes for shape in field.shapes for part in shape)
