"""Questions of an entry that is being filled in: which are still open, and where an answer goes.

The questions are the engine's own fields, so any game can be asked this way. A partial entry is a plain
object like the one the log will hold, only with gaps. Lists that players have finished, although more could
be added, are named beside the fields under `DONE`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import EntryType, Field

DONE = "done"

Path = tuple[str, ...]
Partial = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """One question: where its answer goes, whom it is about, and the answer so far."""

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
    def is_optional(self) -> bool:
        """True for what may be left out: nothing is an answer too."""
        return self.field.nullable and not self.field.required

    @property
    def about(self) -> str:
        """The part of the entry this belongs to: a player's hand, or the field itself."""
        return "/".join(self.path[:2]) if self.seat else self.path[0]


def is_asked(field: Field) -> bool:
    """A field is asked for if the entry needs it, or if `none` is an answer to it."""
    return field.required or field.nullable


def list_questions(
    entry_type: EntryType, players: Sequence[str], partial: Mapping[str, Any], by: str = "", anew: str = ""
) -> list[Question]:
    """Every question of an entry in order. `by` names the way a phone prefers where there are several.

    What was answered one way is asked that way again, unless it is the part to be answered `anew`.
    """
    questions: list[Question] = []
    for field in entry_type.fields:
        if not is_asked(field) and field.key not in partial:
            continue
        if field.kind == "each":
            without = partial.get(field.but) if field.but else None
            for name in players:
                if name != without:
                    questions += _questions_of(field, name, partial, by, anew)
        elif field.kind == "record" and not (
            field.nullable and field.key in partial and partial[field.key] is None
        ):
            questions += _questions_in(field, (field.key,), None, partial.get(field.key), partial, by, anew)
        else:
            questions.append(_question(field, (field.key,), None, (), partial))
    return questions


def _questions_of(field: Field, name: str, partial: Mapping[str, Any], by: str, anew: str) -> list[Question]:
    given = partial.get(field.key) or {}
    if field.shapes:
        return _questions_in(field, (field.key, name), name, given.get(name), partial, by, anew)
    return [_question(field._replace(kind="pieces"), (field.key, name), name, (), partial)]


def _questions_in(
    field: Field, path: Path, name: str | None, given: Any, partial: Mapping[str, Any], by: str, anew: str
) -> list[Question]:
    is_anew = f"{anew}/".startswith("/".join(path) + "/")
    shape = _shape(field, None if is_anew and by else given, by)
    ways = tuple(other[0] for other in field.shapes if other is not shape)
    leaves = [leaf for leaf in shape if is_asked(leaf) or leaf.key in (given or {})]
    return [_question(leaf, (*path, leaf.key), name, ways, partial) for leaf in leaves]


def _shape(field: Field, given: Any, by: str) -> tuple[Field, ...]:
    keys = set(given or {})
    for shape in field.shapes:
        if keys and keys <= {leaf.key for leaf in shape}:
            return shape
    for shape in field.shapes:
        if by in {leaf.key for leaf in shape}:
            return shape
    return field.shapes[0]


def _question(
    field: Field, path: Path, name: str | None, ways: tuple[Field, ...], partial: Mapping[str, Any]
) -> Question:
    there, answer = lookup(partial, path)
    return Question(
        path, field, name, ways, answer, there and _is_whole(field, answer, "/".join(path), partial)
    )


def _is_whole(field: Field, answer: Any, place: str, partial: Mapping[str, Any]) -> bool:
    if field.kind != "pieces" or answer is None:
        return True
    if field.most is not None and len(answer) >= field.most:
        return True
    return place in partial.get(DONE, ())


def lookup(partial: Mapping[str, Any], path: Path) -> tuple[bool, Any]:
    value: Any = partial
    for step in path:
        if not isinstance(value, Mapping) or step not in value:
            return False, None
        value = value[step]
    return True, value


def places_of(field: Field, player: str | None) -> list[str]:
    """The place of a field, or of a player's share of it, and every place inside."""
    start = field.key if player is None else f"{field.key}/{player}"
    return [start, *(f"{start}/{leaf.key}" for shape in field.shapes for leaf in shape)]


def first_open(questions: Sequence[Question]) -> Question | None:
    return next((question for question in questions if not question.answered), None)


def complete_entry(partial: Mapping[str, Any]) -> dict[str, Any]:
    """The entry as the log takes it."""
    return {key: copy.deepcopy(value) for key, value in partial.items() if key != DONE}


class PartError(ValueError):
    """An answer that fits nowhere in the entry being partial."""


def apply_part(
    partial: Mapping[str, Any], part: Any, entry_type: EntryType, players: Sequence[str]
) -> Partial:
    """The entry with one answer more. A part says `at` which place, and what to put, add or drop there."""
    path, field = _checked(part, entry_type, players)
    new: Partial = copy.deepcopy(dict(partial))
    if "clear" in part:
        _clear(new, path)
        return new
    if "put" in part and len(path) == 1 and field.kind == "player":
        _drop_share_of(new, entry_type, field, part["put"])
    within = _reach(new, path, entry_type)
    key, place = path[-1], "/".join(path)
    if "put" in part:
        within[key] = part["put"]
    elif "add" in part:
        pieces = within.get(key, [])
        if field.most is not None and len(pieces) >= field.most:
            raise PartError(f"There are {field.most} already. Take one back first.")
        within[key] = [*pieces, part["add"]]
        if not pieces:
            # A list that is begun anew is not finished, whatever was there before it was answered otherwise.
            new[DONE] = [other for other in new.get(DONE, []) if other != place]
    elif "drop" in part:
        within[key] = _without(within.get(key, []), part)
        new[DONE] = [other for other in new.get(DONE, []) if other != place]
    elif "open" in part:
        new[DONE] = [other for other in new.get(DONE, []) if other != place]
    else:
        if field.kind == "pieces" or (field.kind == "each" and not field.shapes):
            within.setdefault(key, [])
        new[DONE] = sorted({*new.get(DONE, []), place})
    return new


def answer_rest(
    partial: Mapping[str, Any], asked: Sequence[Question], entry_type: EntryType, players: Sequence[str]
) -> Partial:
    """The entry with nothing as the answer to all that is open and may be left out."""
    new: Partial = dict(partial)
    for question in asked:
        if question.is_optional and not question.answered:
            new = apply_part(new, {"at": list(question.path), "put": None}, entry_type, players)
    return new


def _without(pieces: Sequence[Any], part: Mapping[str, Any]) -> list[Any]:
    """The pieces without the one that was taken back, which may have moved since its key was drawn:
    a quick thumb takes back two, and the first moves the second."""
    kept, place = list(pieces), part["drop"]
    named = "piece" in part
    places = [at for at, piece in enumerate(kept) if not named or piece == part["piece"]]
    if type(place) is int and named and place not in places and places:
        place = max([at for at in places if at < place], default=places[0])
    if type(place) is not int or place not in places:
        raise PartError("That piece is gone already.")
    del kept[place]
    return kept


def _checked(part: Any, entry_type: EntryType, players: Sequence[str]) -> tuple[Path, Field]:
    """The place a part goes to. Its worth is the engine's to judge; here only its place must exist."""
    path = tuple(part["at"]) if isinstance(part, dict) and isinstance(part.get("at"), list) else ()
    fields = {field.key: field for field in entry_type.fields}
    if not path or not all(isinstance(step, str) for step in path) or path[0] not in fields:
        raise PartError("This does not belong to the entry that is being made. Load the pad again.")
    field, rest = fields[path[0]], path[1:]
    if field.kind == "each":
        if not rest or rest[0] not in players:
            raise PartError("There is no player of that name at this table. Load the pad again.")
        rest = rest[1:]
    leaves = {leaf.key: leaf for shape in field.shapes for leaf in shape}
    if len(rest) > 1 or (rest and rest[0] not in leaves):
        raise PartError("This does not belong to the entry that is being made. Load the pad again.")
    return path, leaves[rest[0]] if rest else field


def _reach(new: Partial, path: Path, entry_type: EntryType) -> Partial:
    """Return the object that holds the last step of the path; other ways of answering are removed."""
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


def _drop_share_of(new: Partial, entry_type: EntryType, field: Field, name: Any) -> None:
    """Drop the share of the player named here: only the others show their hands."""
    for other in entry_type.fields:
        if other.but == field.key and isinstance(new.get(other.key), dict) and isinstance(name, str):
            new[other.key].pop(name, None)


def _clear(new: Partial, path: Path) -> None:
    place = "/".join(path)
    new[DONE] = [other for other in new.get(DONE, []) if not (other + "/").startswith(place + "/")]
    within: Any = new
    for step in path[:-1]:
        within = within.get(step, {})
    if isinstance(within, dict):
        within.pop(path[-1], None)
