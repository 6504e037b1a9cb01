"""Addresses of the pieces of a declaration: `entry-0-award-2` is its place, `entry-0-award-new` the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from archive.curation.forms.fields import number_from
from archive.curation.game_text import CHILDREN, kind_of, piece_at
from engine.declared.errors import Path

HEAD, NEW = "head", "new"
MAX_INDEX = 999


class Place(NamedTuple):
    """Where a piece stands, and what it is now; `table` is none where a new one would stand."""

    path: Path
    table: dict[str, Any] | None

    @property
    def kind(self) -> str:
        return kind_of(self.path)

    @property
    def may_move_up(self) -> bool:
        """Whether a piece of its kind stands before it."""
        last = self.path[-1] if self.path else 0
        return self.table is not None and isinstance(last, int) and last > 0

    @property
    def name(self) -> str:
        return place_name(self.path) if self.table is not None else new_name(self.path)


def place_name(path: Path) -> str:
    return "-".join(str(step) for step in path) or HEAD


def new_name(path: Path) -> str:
    """The name of a place at which nothing is yet."""
    return place_name(path if path == ("end",) else (*path[:-1], NEW))


def place_of(name: str, data: Mapping[str, Any]) -> Place | None:
    """The place of this name in a declaration; none if nothing can be there."""
    if name == HEAD:
        return Place((), dict(data))
    if name == "end":
        return Place(("end",), piece_at(data, ("end",)))
    if name.startswith("table-"):
        return _table(name.removeprefix("table-"), data)
    path: Path = ()
    steps = name.split("-")
    for key, index in zip(steps[::2], steps[1::2], strict=False):
        if key not in CHILDREN.get(kind_of(path), ()) or piece_at(data, path) is None:
            return None
        rows = (piece_at(data, path) or {}).get(key, [])
        at = number_from(index, 0, MAX_INDEX) if index != NEW else len(rows)
        if at is None or not isinstance(rows, list):
            return None
        path = (*path, key, at)
    found = piece_at(data, path)
    if len(steps) % 2 or (found is None) != (steps[-1] == NEW):
        return None
    return Place(path, found)


def _table(name: str, data: Mapping[str, Any]) -> Place | None:
    if name == NEW:
        return Place(("table", NEW), None) if isinstance(data.get("table", {}), dict) else None
    found = piece_at(data, ("table", name))
    return None if found is None else Place(("table", name), found)
