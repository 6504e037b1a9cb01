"""Sums as a declaration writes them, `hearts + 13 * queen`: read into a tree of our own.

Nothing of Python reads or evaluates them. A sum is short, shallow and of small numbers, and everything that
may stand in it is named here: numbers, names, words in quotes, + - *, comparisons, and, or, not,
`table[choice]`, and the calls of `CALLS`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LENGTH_MOST = 200
PARTS_MOST = 60
DEPTH_MOST = 10
NUMBER_MOST = 1_000_000
CALLS = {"sum": 1, "count": 1, "nearest": 2, "most": 2, "least": 2}
"""The calls, and how many parts each takes."""
RESERVED = frozenset(("and", "or", "not", "true", "false"))
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
ALLOWED = "numbers, names, + - *, comparisons, and, or, not, table[choice], sum, count, nearest, most, least"
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
    r"|(?P<sign>==|!=|<=|>=|[-+*<>()\[\],]))"
)


class SumError(Exception):
    """A sum that is none, in a sentence."""


class Number(NamedTuple):
    value: int


class Word(NamedTuple):
    """A word in quotes, which a choice is compared with."""

    value: str


class Name(NamedTuple):
    key: str


class Price(NamedTuple):
    """The number that a table gives for a choice."""

    table: str
    key: str


class Unary(NamedTuple):
    sign: str
    part: Sum


class Binary(NamedTuple):
    sign: str
    left: Sum
    right: Sum


class Call(NamedTuple):
    name: str
    parts: tuple[Sum, ...]


Sum = Number | Word | Name | Price | Unary | Binary | Call


def read_sum(text: str) -> Sum:
    """The tree of a sum, or a SumError."""
    if len(text) > LENGTH_MOST:
        raise SumError(f"This sum is longer than {LENGTH_MOST} characters. Split it into two awards.")
    reading = _Reading(_tokens(text))
    tree = reading.either()
    if reading.token[0] != "end":
        raise SumError(f"{_quoted(reading.token)} is not expected here. A sum has {ALLOWED}.")
    return tree


Token = tuple[str, str]


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if not match:
            sign = text[at:].strip()[0]
            hint = " Write == to compare." if sign == "=" else ""
            raise SumError(f"“{sign}” cannot stand in a sum. It has {ALLOWED}.{hint}")
        kind = match.lastgroup or ""
        found.append(("word" if kind in ("single", "double") else kind, match[kind]))
        at = match.end()
    if not found:
        raise SumError("Here is no sum. Write a number, or a sum of the fields.")
    if len(found) > 2 * PARTS_MOST:
        raise SumError(f"This sum has more than {PARTS_MOST} parts. Split it into two awards.")
    return found


def _quoted(token: Token) -> str:
    return "The end" if token[0] == "end" else f"“{token[1]}”"


class _Reading:
    """A sum while it is read, from what binds least to what binds most."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at, self.parts, self.depth = [*tokens, ("end", "")], 0, 0, 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, *signs: str) -> str | None:
        kind, text = self.token
        if kind in ("sign", "name") and text in signs:
            self.at += 1
            return text
        return None

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise SumError(f"Here “{sign}” is missing, before {_quoted(self.token).lower()}.")

    def count(self) -> None:
        self.parts += 1
        if self.parts > PARTS_MOST:
            raise SumError(f"This sum has more than {PARTS_MOST} parts. Split it into two awards.")

    def either(self) -> Sum:
        self.depth += 1
        if self.depth > DEPTH_MOST:
            raise SumError(f"This sum is nested deeper than {DEPTH_MOST} brackets. Split it into two awards.")
        tree = self.both()
        while self.take("or"):
            self.count()
            tree = Binary("or", tree, self.both())
        self.depth -= 1
        return tree

    def both(self) -> Sum:
        tree = self.negated()
        while self.take("and"):
            self.count()
            tree = Binary("and", tree, self.negated())
        return tree

    def negated(self) -> Sum:
        times = 0
        while self.take("not"):
            self.count()
            times += 1
        tree = self.compared()
        for _ in range(times):
            tree = Unary("not", tree)
        return tree

    def compared(self) -> Sum:
        tree = self.added()
        sign = self.take(*COMPARISONS)
        if not sign:
            return tree
        self.count()
        tree = Binary(sign, tree, self.added())
        if self.token[1] in COMPARISONS and self.token[0] == "sign":
            raise SumError("Compare two things at a time, and join comparisons with and.")
        return tree

    def added(self) -> Sum:
        tree = self.multiplied()
        while sign := self.take("+", "-"):
            self.count()
            tree = Binary(sign, tree, self.multiplied())
        return tree

    def multiplied(self) -> Sum:
        tree = self.signed()
        while self.take("*"):
            self.count()
            tree = Binary("*", tree, self.signed())
        return tree

    def signed(self) -> Sum:
        if not self.take("-"):
            return self.leaf()
        self.count()
        return Unary("-", self.leaf())

    def leaf(self) -> Sum:
        self.count()
        kind, text = self.token
        if self.take("("):
            tree = self.either()
            self.expect(")")
            return tree
        self.at += kind != "end"
        if kind == "number":
            return _number(text)
        if kind == "word":
            return Word(text)
        if text in CALLS and kind == "name" and self.token == ("sign", "("):
            return self.call(text)
        if kind == "name" and text in ("true", "false"):
            return Number(int(text == "true"))
        if kind == "name" and text not in RESERVED:
            return self.named(text)
        raise SumError(f"{_quoted((kind, text))} is not expected here. A sum has {ALLOWED}.")

    def named(self, text: str) -> Sum:
        if not self.take("["):
            return Name(text)
        kind, key = self.token
        if kind != "name":
            raise SumError(f"In {text}[ ] the name of a choice is missing.")
        self.at += 1
        self.expect("]")
        return Price(text, key)

    def call(self, name: str) -> Sum:
        self.expect("(")
        parts = [self.either()]
        while self.take(","):
            parts.append(self.either())
        self.expect(")")
        if len(parts) != CALLS[name]:
            raise SumError(f"{name} takes {CALLS[name]} and here are {len(parts)}.")
        return Call(name, tuple(parts))


def _number(digits: str) -> Number:
    if len(digits.lstrip("0")) > len(str(NUMBER_MOST)) or int(digits) > NUMBER_MOST:
        raise SumError(f"The number {digits[:20]} is too large. The largest is {NUMBER_MOST:,}.")
    return Number(int(digits))
