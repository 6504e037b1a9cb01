"""Parts of a declaration while it is read: each key is taken with its type, and what is left is refused.

A key that is silently ignored is a wrong rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.declared.blanks import BlankError, Sentence, read_sentence
from engine.declared.calculation import Calculation, Names, calculation
from engine.declared.declaration import Worked
from engine.declared.errors import DeclarationError, Path
from engine.declared.sums import NUMBER_MOST, SumError, read_sum
from engine.fields import quote
from engine.rules import Cites, listed
from engine.strict_json import is_control

KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
ANCHOR = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
CITES_MOST = 12
MISSING: Any = object()


class Gathering:
    """What can be read of a declaration that is being written, by its place, and every fault in it."""

    def __init__(self) -> None:
        self.read: dict[Path, Any] = {}
        self.faults: list[DeclarationError] = []


class Part:
    """One table of the declaration, called `words` in refusals. A gathering keeps every fault."""

    def __init__(self, data: Any, path: Path, words: str, gathering: Gathering | None = None) -> None:
        self.path, self.words, self.gathering = path, words, gathering
        self.seen: list[str] = []
        if type(data) is not dict:
            raise DeclarationError(f"{words} must be a table of keys and values, not {quote(data)}.", path)
        self.data: Mapping[str, Any] = data

    def fault(self, sentence: str, *key: str | int) -> DeclarationError:
        return DeclarationError(f"{self.words}: {sentence}", (*self.path, *key))

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Note a fault of this part and go on, where faults are gathered; else the first one refuses all."""
        try:
            yield
        except DeclarationError as fault:
            if self.gathering is None:
                raise
            self.gathering.faults.append(fault)

    def keep(self, record: Any) -> None:
        if self.gathering is not None:
            self.gathering.read[self.path] = record

    def missing(self, key: str, sentence: str) -> DeclarationError:
        fault = self.fault(sentence)
        fault.missing = key
        return fault

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def take(self, key: str, kind: type, named: str, default: Any = MISSING) -> Any:
        self.seen.append(key)
        if key not in self.data:
            if default is MISSING:
                raise self.missing(key, f"{key} is missing. It is {named}.")
            return default
        value = self.data[key]
        if type(value) is not kind:
            raise self.fault(f"{key} must be {named}, not {quote(value)}.", key)
        return value

    def finish(self) -> None:
        """Refuse what was not asked for."""
        for key in self.data:
            if key not in self.seen:
                raise self.fault(f"there is no key {quote(key)} here. It may have {listed(self.seen)}.", key)

    def text(self, key: str, most: int, default: Any = MISSING) -> Any:
        found = self.take(key, str, f"a text of 1 to {most} characters", default)
        if found is not default:
            self.check_text(found, most, key)
        return found

    def check_text(self, text: str, most: int, *key: str | int) -> None:
        if not 1 <= len(text) <= most or text != text.strip() or any(is_control(sign) for sign in text):
            says = f"{key[0]} must be a line of 1 to {most} characters, without white space around it."
            raise self.fault(says, *key)

    def number(self, key: str, least: int, most: int, default: Any = MISSING) -> Any:
        found = self.take(key, int, f"a whole number from {least} to {most}", default)
        if found is not default and not least <= found <= most:
            raise self.fault(f"{key} must be a whole number from {least} to {most}, not {quote(found)}.", key)
        return found

    def flag(self, key: str, default: bool) -> bool:
        return bool(self.take(key, bool, "true or false", default))

    def word(self, key: str, words: Collection[str], default: Any = MISSING) -> str:
        found: str = self.take(key, str, listed([*words]), default)
        if found not in words:
            raise self.fault(f"{key} is one of {listed([*words])}, not {quote(found)}.", key)
        return found

    def items(self, key: str, most: int, named: str, default: Any = MISSING) -> list[Any]:
        found: list[Any] = self.take(key, list, named, default)
        if found is not default and not 1 <= len(found) <= most:
            raise self.fault(f"{key} must list 1 to {most}.", key)
        return found

    def parts(self, key: str, most: int, words: str, needed: bool = False) -> list[Part]:
        rows = self.items(key, most, f"a list of tables, [[{key}]]", MISSING if needed else [])
        return [
            Part(row, (*self.path, key, at), f"{words}{key} {_name(row, at)}", self.gathering)
            for at, row in enumerate(rows)
        ]

    def key(self, taken: Collection[str], what: str = "key") -> str:
        found: str = self.take(what, str, "a short name in small letters")
        if not KEY.fullmatch(found):
            says = f"{quote(found)} is no name. Use small letters, digits and _, and begin with a letter."
            raise self.fault(says, what)
        if found in taken:
            raise self.fault(f"the name {found} is taken already. Choose another.", what)
        return found

    def sentence(self, key: str, most: int, known: Collection[str]) -> Sentence:
        try:
            return read_sentence(self.text(key, most), known)
        except BlankError as fault:
            raise self.fault(f"{key}: {fault}", key) from None

    def sum(self, key: str, names: Names) -> tuple[Worked, Calculation]:
        self.seen.append(key)
        value = self.data.get(key, MISSING)
        if type(value) is int and abs(value) <= NUMBER_MOST:
            value = str(value)
        if type(value) is not str:
            if value is MISSING:
                raise self.missing(key, f"{key} is missing. Write a number or a sum in quotes.")
            raise self.fault(f"{key} cannot be {quote(value)}. Write a number or a sum in quotes.", key)
        return self.calculated(key, value, names)

    def calculated(self, key: str, text: str, names: Names) -> tuple[Worked, Calculation]:
        try:
            tree = read_sum(text)
            found = calculation(tree, names)
        except SumError as fault:
            raise self.fault(f"{key}: {fault}", key) from None
        return Worked(tree, found.work_out), found


def _name(row: Any, at: int) -> str:
    key = row.get("key") if type(row) is dict else None
    return key if type(key) is str and KEY.fullmatch(key) else str(at + 1)


class Citing:
    """The passages of the book: what is cited, and if it must be there."""

    def __init__(self, cite: Callable[..., Cites], anchors: Collection[str] | None) -> None:
        self.cite, self.anchors = cite, anchors

    def taken(self, part: Part) -> Cites:
        named = part.items("cites", CITES_MOST, 'a list of passages, such as ["score"]', [])
        if not named:
            says = "cites is missing. No number without its passage: name one of the book."
            raise part.missing("cites", says)
        for at, anchor in enumerate(named):
            if type(anchor) is not str or not ANCHOR.fullmatch(anchor):
                raise part.fault(f"cites lists names of passages, and {quote(anchor)} is none.", "cites", at)
            if self.anchors is not None and anchor not in self.anchors:
                raise part.fault(f"the book has no passage {quote(anchor)}.", "cites", at)
        if len({*named}) < len(named):
            raise part.fault("cites names a passage twice.", "cites")
        return self.cite(*named)
