"""The text of a declaration with one piece put in, changed or taken out: all other lines stay as they are.

Pads are pinned to every byte of it, curators merge it line by line, and people write comments in it. So a
piece is written into its own lines; what comes out is read again, and must be what was wanted.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from archive.edition.toml import write_table
from archive.publication.errors import EditError
from engine.declared.errors import Path
from engine.declared.lines import lines_of

CHILDREN = {
    "": ("table", "option", "entry", "end"),
    "entry": ("field", "check", "award"),
    "field": ("share",),
}
"""Pieces within a piece, in the order in which they are written."""
Lines = list[str]
NOT_KEPT = "Something in game.toml cannot be kept by the form. Edit it as text."


def kind_of(path: Path) -> str:
    """What stands at this place: option, table, entry, field, share, check, award, end; "" for the top."""
    if path[:1] == ("table",):
        return "table"
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def piece_at(data: Mapping[str, Any], path: Path) -> dict[str, Any] | None:
    """The table at this place; None where there is none."""
    found: Any = data
    for step in path:
        if isinstance(found, dict) and isinstance(step, str):
            found = found.get(step)
        elif isinstance(found, list) and isinstance(step, int) and step < len(found):
            found = found[step]
        else:
            return None
    return found if isinstance(found, dict) else None


def rows_of(table: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    """The pieces of one kind in a table; what else a hand may have written there is none."""
    rows = table.get(kind)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def own_keys(table: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in CHILDREN.get(kind, ())}


def with_piece(text: str, path: Path, own: Mapping[str, Any]) -> str:
    """The text with these keys at this place; the pieces within it stay."""
    wanted = tomllib.loads(text)
    piece = piece_at(wanted, path)
    assert piece is not None
    kept = {key: piece[key] for key in CHILDREN.get(kind_of(path), ()) if key in piece}
    piece.clear()
    piece |= {**own, **kept}
    return _first(wanted, _changed(text, wanted, path, own, piece))


def with_new_piece(text: str, path: Path, own: Mapping[str, Any]) -> str:
    """The text with a new piece at this place, which is the next in its list."""
    wanted = tomllib.loads(text)
    parent, step, key = _parent(path)
    above = piece_at(wanted, parent)
    assert above is not None
    if isinstance(step, int):
        above.setdefault(key, []).append(dict(own))
    elif key == step:
        above[key] = dict(own)
    else:
        above.setdefault(key, {})[step] = dict(own)
    return _first(wanted, _grown(text, wanted, path, own))


def without_piece(text: str, path: Path) -> str:
    """The text without the piece at this place, and all that is in it."""
    wanted = tomllib.loads(text)
    parent, step, key = _parent(path)
    above = piece_at(wanted, parent)
    assert above is not None
    if key == step:
        del above[key]
    else:
        del above[key][step]
        if not above[key]:
            del above[key]
    return _first(wanted, _shrunk(text, wanted, path))


def moved_up(text: str, path: Path) -> str:
    """The text with the piece at this place before the one that it stood behind."""
    wanted = tomllib.loads(text)
    parent, step, key = _parent(path)
    above = piece_at(wanted, parent)
    assert above is not None and isinstance(step, int) and step > 0
    rows = above[key]
    rows[step - 1], rows[step] = rows[step], rows[step - 1]
    return _first(wanted, _swapped(text, wanted, path, (*path[:-1], step - 1)))


def _parent(path: Path) -> tuple[Path, str | int, str]:
    """The piece around a place, the last step to it, and the key of the list or table it is in."""
    if len(path) == 1:
        return (), path[0], str(path[0])
    return path[:-2], path[-1], str(path[-2])


def _first(wanted: Mapping[str, Any], tries: Iterator[str]) -> str:
    """The first of these texts that says what was wanted; at worst the whole is written anew."""
    if _mixes(wanted):
        raise EditError(NOT_KEPT)
    for text in tries:
        if _reads_as(text, wanted):
            return text
    text = write_table(copy.deepcopy(dict(wanted)))
    if not _reads_as(text, wanted):
        raise EditError(NOT_KEPT)
    return text


def _mixes(value: object) -> bool:
    """Whether a list in it has tables beside something else: such a list cannot be written anew."""
    if isinstance(value, dict):
        return any(map(_mixes, value.values()))
    if not isinstance(value, list):
        return False
    return len({isinstance(part, dict) for part in value}) > 1 or any(map(_mixes, value))


def _reads_as(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _heads(text: str, lines: Sequence[str]) -> list[tuple[int, Path]]:
    """Where each table begins, from 0, in the order of the text."""
    found = [(line - 1, path) for path, line in lines_of(text).items() if path]
    return sorted((at, path) for at, path in found if lines[at].lstrip().startswith("["))


def _range(text: str, lines: Sequence[str], path: Path, whole: bool) -> tuple[int, int] | None:
    """First line of a piece and the one behind its last; `whole`: with the pieces in it."""
    heads = _heads(text, lines)
    starts = [at for at, found in heads if found == path]
    if path and not starts:
        return None
    start = starts[0] if path else 0
    later = [at for at, found in heads if at >= start and found != path]
    if whole:
        later = [at for at, found in heads if at > start and found[: len(path)] != path]
    end = _without_quiet(lines, start + bool(path), min(later, default=len(lines)))
    while not path and start < end and _is_quiet(lines[start]):
        start += 1
    return start, end


def _without_quiet(lines: Sequence[str], start: int, end: int) -> int:
    while end > start and _is_quiet(lines[end - 1]):
        end -= 1
    return end


def _is_quiet(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _written(path: Path, table: Mapping[str, Any]) -> Lines:
    """The lines of a piece, with its head."""
    name = ".".join(step for step in path if isinstance(step, str))
    if not name:
        return write_table(table).rstrip("\n").split("\n")
    head = f"[[{name}]]" if isinstance(path[-1], int) else f"[{name}]"
    return [head, *write_table(table, name).rstrip("\n").split("\n")]


def _changed(
    text: str, wanted: Mapping[str, Any], path: Path, own: Mapping[str, Any], piece: Mapping[str, Any]
) -> Iterator[str]:
    lines = text.split("\n")
    for table, whole in ((own, False), (piece, True)):
        found = _range(text, lines, path, whole)
        if found and (path or not whole):
            yield "\n".join([*lines[: found[0]], *_written(path, table), *lines[found[1] :]])
    yield from _around(text, wanted, path)


def _grown(text: str, wanted: Mapping[str, Any], path: Path, own: Mapping[str, Any]) -> Iterator[str]:
    lines = text.rstrip("\n").split("\n")
    at = _place_for(text, lines, path)
    if at is not None:
        yield "\n".join([*lines[:at], "", *_written(path, own), *lines[at:], ""])
    yield from _around(text, wanted, path)


def _place_for(text: str, lines: Sequence[str], path: Path) -> int | None:
    """The line behind the pieces that stand before this one."""
    parent, _, key = _parent(path)
    depth, siblings = len(parent), CHILDREN[kind_of(parent)]
    before = siblings[: siblings.index(key) + 1]
    heads = _heads(text, lines)
    earlier = [
        at
        for at, (_, head) in enumerate(heads)
        if head == parent or (head[:depth] == parent and head[depth : depth + 1] and head[depth] in before)
    ]
    if not earlier:
        found = None if parent else _range(text, lines, parent, whole=False)
        return found[1] if found else None
    last = earlier[-1]
    end = heads[last + 1][0] if last + 1 < len(heads) else len(lines)
    return _without_quiet(lines, heads[last][0] + 1, end)


def _shrunk(text: str, wanted: Mapping[str, Any], path: Path) -> Iterator[str]:
    lines = text.split("\n")
    found = _range(text, lines, path, whole=True)
    if found:
        start, end = found
        if start and not lines[start - 1].strip():
            start -= 1
        yield "\n".join([*lines[:start], *lines[end:]])
    yield from _around(text, wanted, path)


def _swapped(text: str, wanted: Mapping[str, Any], path: Path, before: Path) -> Iterator[str]:
    lines = text.split("\n")
    upper, lower = _range(text, lines, before, whole=True), _range(text, lines, path, whole=True)
    if upper and lower:
        (first, behind), (start, end) = upper, lower
        swapped = [*lines[start:end], *lines[behind:start], *lines[first:behind]]
        yield "\n".join([*lines[:first], *swapped, *lines[end:]])
    yield from _around(text, wanted, path)


def _around(text: str, wanted: Mapping[str, Any], path: Path) -> Iterator[str]:
    """The same with the piece around it written anew, and the one around that."""
    lines = text.split("\n")
    while len(path) > 1:
        path = _parent(path)[0]
        piece = piece_at(wanted, path)
        found = _range(text, lines, path, whole=True)
        if path and piece is not None and found:
            yield "\n".join([*lines[: found[0]], *_written(path, piece), *lines[found[1] :]])
