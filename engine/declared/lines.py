"""Lines of a TOML text: where each table and each key stands, so that a refusal can name its line.

The standard library reads TOML and forgets where it stood. This goes over a text that it has read already,
so the form is known to be right, and only notes what begins where.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.declared.errors import Path

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r'[ \t]*([A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')[ \t]*')
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}\n#]*")
NESTED_MOST = 20


def lines_of(text: str) -> dict[Path, int]:
    """The line, from 1, of every table, list and key of a text that is TOML."""
    return _Scan(text).lines


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of this place, or of the nearest around it that has one."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path)


class _Scan:
    """One walk over the text."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}
        self.line, self.counted = 1, 0
        here: Path = ()
        self._skip()
        while self.at < len(text):
            if text[self.at] == "[":
                here = self._header()
            else:
                self._pair(here, 0)
            self._skip()

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _note(self, path: Path) -> None:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        self.lines.setdefault(path, self.line)

    def _key(self) -> Path:
        steps: list[str] = []
        while True:
            found = _KEY.match(self.text, self.at)
            if not found:
                self.at += 1
                return tuple(steps)
            steps.append(found[1].strip("\"'"))
            self.at = found.end()
            if self.text[self.at : self.at + 1] != ".":
                return tuple(steps)
            self.at += 1

    def _header(self) -> Path:
        is_list = self.text.startswith("[[", self.at)
        self.at += 1 + is_list
        *steps, last = self._key() or ("",)
        self.at += 1 + is_list
        path: Path = ()
        for step in steps:
            path = self._latest((*path, step))
        path = (*path, last)
        if is_list:
            count = self.counts.get(path, 0)
            self.counts[path] = count + 1
            path = (*path, count)
        self._note(path)
        return path

    def _latest(self, path: Path) -> Path:
        """The last table of a list that was begun with a header."""
        return (*path, self.counts[path] - 1) if path in self.counts else path

    def _pair(self, here: Path, depth: int) -> None:
        start = self.at
        path = (*here, *self._key())
        end, self.at = self.at, start
        self._note(path)
        self.at = end + 1  # behind the sign =
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        self._value(path, depth)

    def _value(self, path: Path, depth: int) -> None:
        sign = self.text[self.at : self.at + 1]
        self._note(path)
        if sign in ("[", "{") and depth < NESTED_MOST:
            self.at += 1
            self._inside(path, "]" if sign == "[" else "}", depth + 1)
        else:
            found = _STRING.match(self.text, self.at) or _PLAIN.match(self.text, self.at)
            self.at = max(found.end() if found else 0, self.at + 1)

    def _inside(self, path: Path, closing: str, depth: int) -> None:
        count = 0
        self._skip()
        while self.at < len(self.text) and self.text[self.at] != closing:
            if closing == "]":
                self._value((*path, count), depth)
            else:
                self._pair(path, depth)
            count += 1
            self._skip()
            if self.text[self.at : self.at + 1] == ",":
                self.at += 1
                self._skip()
        self.at += 1
