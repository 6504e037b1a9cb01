"""TOML with line numbers: a reader that can say where a key stands, and a writer with one canonical form."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import TypeVar

from archive.edition.errors import EditionError

Scalar = str | int | date
Value = Scalar | Sequence[Scalar] | Mapping[str, "Value"] | Sequence[Mapping[str, "Value"]]
T = TypeVar("T")

HEADER = re.compile(r"\s*\[\[?([A-Za-z0-9_.-]+)\]\]?\s*$")
KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
WIDTH = 110


class TomlTable:
    """One table of a TOML file. Keys are taken one by one; `done` refuses what was not taken."""

    def __init__(
        self, file: str, source: NumberedSource, path: str, place: tuple[int, int], table: dict[str, object]
    ) -> None:
        self.file = file
        self.source = source
        self.path = path
        self.first, self.last = place
        self.table = dict(table)

    def fault(self, message: str, key: str = "") -> EditionError:
        return EditionError(self.file, self.line(key), message)

    def line(self, key: str = "") -> int:
        """The line of a key of this table, or of the table's head where the key is not written."""
        if key:
            for number, name in _within(self.source.keys, self.first, self.last):
                if name == key:
                    return number
        return max(self.first, 1)

    def take(self, key: str, kind: type[T], default: T | None = None) -> T:
        if key not in self.table:
            if default is None:
                raise self.fault(f"{key} is missing")
            return default
        value = self.table.pop(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.fault(f"{key} must be {_kind_name(kind)}", key)
        if kind is str and "\n" in str(value):
            raise self.fault(f"{key} must be one line", key)
        return value

    def prose(self, key: str) -> str:
        """A string of any number of lines; of several, the last line end only closes the quotes."""
        value = self.table.get(key)
        if not isinstance(value, str) or "\n" not in value:
            return self.take(key, str)
        del self.table[key]
        return value.removesuffix("\n")

    def strings(self, key: str) -> tuple[str, ...]:
        values = self.take(key, list, [])
        if not all(isinstance(value, str) for value in values):
            raise self.fault(f"{key} must be a list of strings", key)
        return tuple(values)

    def one_of(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        value = self.take(key, str, default)
        if value not in allowed and value != default:
            raise self.fault(f"{key} is {value!r}; it must be one of {', '.join(allowed)}", key)
        return value

    def one(self, key: str) -> TomlTable:
        """The sub-table [path.key], which must be there."""
        value = self.take(key, dict)
        place = next(iter(self._places(key)), (self.line(key), self.last))
        return TomlTable(self.file, self.source, self._below(key), place, value)

    def maybe(self, key: str) -> dict[str, object]:
        return self.take(key, dict, {})

    def many(self, key: str) -> list[TomlTable]:
        """The tables [[path.key]], none if there are none."""
        values = self.take(key, list, [])
        places = self._places(key) if values else []
        if len(places) != len(values) or not all(isinstance(value, dict) for value in values):
            raise self.fault(f"{key} must be written as tables [[{self._below(key)}]]", key)
        pairs = zip(values, places, strict=True)
        return [TomlTable(self.file, self.source, self._below(key), place, value) for value, place in pairs]

    def done(self) -> None:
        for key in self.table:
            raise self.fault(f"{key} is not a key of this table; docs/format.md lists them", key)

    def _below(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _places(self, key: str) -> list[tuple[int, int]]:
        """First and last line of each table of this name within this one, its own sub-tables included."""
        wanted = self._below(key)
        places: list[tuple[int, int]] = []
        begun = 0
        for number, name in _within(self.source.heads, self.first, self.last):
            if begun and not name.startswith(wanted + "."):
                places.append((begun, number - 1))
                begun = 0
            if name == wanted:
                begun = number
        return [*places, (begun, self.last)] if begun else places


def _kind_name(kind: type[object]) -> str:
    names = {str: "a string", int: "a whole number", list: "a list", dict: "a table", date: "a date"}
    return names.get(kind, kind.__name__)


def _outside_prose(source: str) -> Iterator[tuple[int, str]]:
    """The numbered lines that do not begin inside a multi-line string."""
    inside = False
    for number, line in enumerate(source.split("\n"), 1):
        if not inside:
            yield number, line
        if line.count('"""') % 2:
            inside = not inside


class NumberedSource:
    """A file's text; its heads and keys with their lines are found once for all its tables."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def heads(self) -> list[tuple[int, str]]:
        return [(n, head[1]) for n, line in _outside_prose(self.text) if (head := HEADER.match(line))]

    @cached_property
    def keys(self) -> list[tuple[int, str]]:
        return [(n, key[1]) for n, line in _outside_prose(self.text) if (key := KEY.match(line))]


def _within(rows: list[tuple[int, str]], first: int, last: int) -> list[tuple[int, str]]:
    """The rows on these lines."""
    return rows[bisect_left(rows, (first, "")) : bisect_left(rows, (last + 1, ""))]


def read_table(file: str, source: str) -> TomlTable:
    try:
        table = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))
        line = int(place[1]) if place else source.count("\n") + 1
        raise EditionError(file, line, f"this is not TOML: {error}") from None
    return TomlTable(file, NumberedSource(source), "", (0, source.count("\n") + 1), table)


def write_table(table: Mapping[str, Value], path: str = "") -> str:
    """Plain values first, then tables and lists of tables, each under its head; nothing empty is written."""
    flat, tables = "", ""
    for key, value in table.items():
        below = f"{path}.{key}" if path else key
        if isinstance(value, (Mapping, list, tuple)) and not value:
            continue
        if isinstance(value, Mapping):
            tables += f"\n[{below}]\n" + write_table(value, below)
        elif isinstance(value, (list, tuple)) and isinstance(value[0], Mapping):
            tables += "".join(f"\n[[{below}]]\n" + write_table(row, below) for row in value)
        else:
            flat += f"{_write_key(key)} = {_write_value(key, value)}\n"
    return flat + tables if path else (flat + tables).lstrip("\n")


def _write_key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else _write_string(key)


def _write_value(key: str, value: object) -> str:
    if isinstance(value, str):
        return _write_string(value)
    if isinstance(value, (list, tuple)):
        items = [_write_value("", item) for item in value]
        inline = f"[{', '.join(items)}]"
        if len(key) + 3 + len(inline) <= WIDTH:
            return inline
        return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def _write_string(text: str) -> str:
    escaped = CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04X}", text.replace("\\", "\\\\"))
    if "\n" in text:
        return '"""\n' + escaped.replace('"""', '""\\"') + '\n"""'
    return '"' + escaped.replace('"', '\\"') + '"'
