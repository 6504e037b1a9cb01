"""An entry being made, blank by blank: what is still to be asked, and where an answer goes.

The questions are the engine's own fields, so any game can be asked this way. The entry being made is a plain
object like the one the log will hold, only with gaps. What players have said they are through with, although
more could be added, stands beside the fields under `DONE`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import EntryType, Field

DONE = "done"

Path = tuple[str, ...]
Made = dict[str, Any]


@dataclass(frozen=True)
class Ask:
    """One question: where its answer goes, whom it is about, and what has been answered so far."""

    path: Path
    field: Field
    seat: str | None = None
    ways: tuple[Field, ...] = ()
    answer: Any = None
    answered: bool = False

    @property
    def place(self) -> str:
        return "/".join(self.path)

    @property
    def about(self) -> str:
        """The part of the entry this belongs to: a player's hand, or the field itself."""
        return "/".join(self.path[:2]) if self.seat else self.path[0]


def wanted(field: Field) -> bool:
    """A field is asked for if the entry needs it, or if `none` is an answer to it."""
    return field.required or field.nullable


def asks(
    entry_type: EntryType, players: Sequence[str], made: Mapping[str, Any], by: str = "", anew: str = ""
) -> list[Ask]:
    """Every question of an entry in order. `by` names the way a phone prefers where there are several.

    What was answered one way is asked that way again, unless it is the part to be answered `anew`.
    """
    questions: list[Ask] = []
    for field in entry_type.fields:
        if not wanted(field) and field.key not in made:
            continue
        if field.kind == "each":
            without = made.get(field.but) if field.but else None
            for name in players:
                if name != without:
                    questions += _asks_of(field, name, made, by, anew)
        elif field.kind == "record" and not (
            field.nullable and field.key in made and made[field.key] is None
        ):
            questions += _asks_in(field, (field.key,), None, made.get(field.key), made, by, anew)
        else:
            questions.append(_ask(field, (field.key,), None, (), made))
    return questions


def _asks_of(field: Field, name: str, made: Mapping[str, Any], by: str, anew: str) -> list[Ask]:
    given = made.get(field.key) or {}
    if field.shapes:
        return _asks_in(field, (field.key, name), name, given.get(name), made, by, anew)
    return [_ask(field._replace(kind="pieces"), (field.key, name), name, (), made)]


def _asks_in(
    field: Field, path: Path, name: str | None, given: Any, made: Mapping[str, Any], by: str, anew: str
) -> list[Ask]:
    is_anew = f"{anew}/".startswith("/".join(path) + "/")
    shape = _shape(field, None if is_anew and by else given, by)
    ways = tuple(other[0] for other in field.shapes if other is not shape)
    leaves = [leaf for leaf in shape if leaf.required or leaf.key in (given or {})]
    return [_ask(leaf, (*path, leaf.key), name, ways, made) for leaf in leaves]


def _shape(field: Field, given: Any, by: str) -> tuple[Field, ...]:
    keys = set(given or {})
    for shape in field.shapes:
        if keys and keys <= {leaf.key for leaf in shape}:
            return shape
    for shape in field.shapes:
        if by in {leaf.key for leaf in shape}:
            return shape
    return field.shapes[0]


def _ask(field: Field, path: Path, name: str | None, ways: tuple[Field, ...], made: Mapping[str, Any]) -> Ask:
    there, answer = found(made, path)
    return Ask(path, field, name, ways, answer, there and _is_whole(field, answer, "/".join(path), made))


def _is_whole(field: Field, answer: Any, place: str, made: Mapping[str, Any]) -> bool:
    if field.kind != "pieces" or answer is None:
        return True
    if field.most is not None and len(answer) >= field.most:
        return True
    return place in made.get(DONE, ())


def found(made: Mapping[str, Any], path: Path) -> tuple[bool, Any]:
    value: Any = made
    for step in path:
        if not isinstance(value, Mapping) or step not in value:
            return False, None
        value = value[step]
    return True, value


def first_open(questions: Sequence[Ask]) -> Ask | None:
    return next((ask for ask in questions if not ask.answered), None)


def entry_of(made: Mapping[str, Any]) -> dict[str, Any]:
    """The entry as the log takes it."""
    return {key: copy.deepcopy(value) for key, value in made.items() if key != DONE}


class PartError(ValueError):
    """An answer that fits nowhere in the entry being made."""


def apply(made: Mapping[str, Any], part: Any, entry_type: EntryType, players: Sequence[str]) -> Made:
    """The entry with one answer more. A part says `at` which place, and what to put, add or drop there."""
    path, field = _checked(part, entry_type, players)
    new: Made = copy.deepcopy(dict(made))
    if "clear" in part:
        _clear(new, path)
        return new
    if "put" in part and len(path) == 1 and field.kind == "player":
        _forget_others(new, entry_type, field, part["put"])
    within = _reach(new, path, entry_type)
    key, place = path[-1], "/".join(path)
    if "put" in part:
        within[key] = part["put"]
    elif "add" in part:
        pieces = within.get(key, [])
        if field.most is not None and len(pieces) >= field.most:
            raise PartError(f"There are {field.most} already. Take one back first.")
        within[key] = [*pieces, part["add"]]
    elif "drop" in part:
        kept = list(within.get(key, []))
        if type(part["drop"]) is not int or not 0 <= part["drop"] < len(kept):
            raise PartError("That piece is gone already.")
        del kept[part["drop"]]
        within[key] = kept
        new[DONE] = [other for other in new.get(DONE, []) if other != place]
    else:
        new[DONE] = sorted({*new.get(DONE, []), place})
    return new


def _checked(part: Any, entry_type: EntryType, players: Sequence[str]) -> tuple[Path, Field]:
    """Where a part goes. Its worth is the engine's to judge; here only its place must exist."""
    path = tuple(part["at"]) if isinstance(part, dict) and isinstance(part.get("at"), list) else ()
    fields = {field.key: field for field in entry_type.fields}
    if not path or not all(isinstance(step, str) for step in path) or path[0] not in fields:
        raise PartError("This does not belong to the entry that is being made. Load the pad again.")
    field, rest = fields[path[0]], path[1:]
    if field.kind == "each":
        if not rest or rest[0] not in players:
            raise PartError("Nobody of that name sits at this table. Load the pad again.")
        rest = rest[1:]
    leaves = {leaf.key: leaf for shape in field.shapes for leaf in shape}
    if len(rest) > 1 or (rest and rest[0] not in leaves):
        raise PartError("This does not belong to the entry that is being made. Load the pad again.")
    return path, leaves[rest[0]] if rest else field


def _reach(new: Made, path: Path, entry_type: EntryType) -> Made:
    """The object that holds the last step of the path; another way of answering makes room for this one."""
    within = new
    for step in path[:-1]:
        if not isinstance(within.get(step), dict):
            within[step] = {}
        within = within[step]
    field = next(field for field in entry_type.fields if field.key == path[0])
    for shape in field.shapes:
        keys = {leaf.key for leaf in shape}
        if path[-1] in keys:
            for other in set(within) - keys:
                del within[other]
    return within


def _forget_others(new: Made, entry_type: EntryType, field: Field, name: Any) -> None:
    """Whoever is named here has no hand to show where the others show theirs."""
    for other in entry_type.fields:
        if other.but == field.key and isinstance(new.get(other.key), dict):
            new[other.key].pop(name, None)


def _clear(new: Made, path: Path) -> None:
    place = "/".join(path)
    new[DONE] = [other for other in new.get(DONE, []) if not (other + "/").startswith(place + "/")]
    within: Any = new
    for step in path[:-1]:
        within = within.get(step, {})
    if isinstance(within, dict):
        within.pop(path[-1], None)
