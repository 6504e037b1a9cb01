"""Calculation of a sum: the names it may use, what it can come to, and the function that works it out.

Before a game can be begun every sum is held against the fields, options and tables there are, and against
bounds: so no log can make it fail, take long or grow without end.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.declared.sums import Binary, Call, Name, Number, Price, Sum, SumError, Unary, Word
from engine.rules import listed

POINTS_MOST = 1_000_000_000
"""The most a total may come to, either way; sums on the way there may be a thousand times as much."""
ON_THE_WAY_MOST = 1_000 * POINTS_MOST
SHARES = "*"
"""Where the shares of an `each` stand among the values."""

Values = dict[str, Any]
Function = Callable[[Values], int]


class Range(NamedTuple):
    """The least and the most a sum can come to."""

    least: int
    most: int


class Calculation(NamedTuple):
    """A sum that was checked."""

    work_out: Function
    range: Range


class Choice(NamedTuple):
    """What a table can price: one word of several, or up to so many pieces."""

    values: frozenset[str | int]
    most: int = 1
    is_list: bool = False


class Names(NamedTuple):
    """What may stand in a sum; `shares`: what may stand in the brackets of `sum( )`, of so many players."""

    numbers: Mapping[str, Range]
    choices: Mapping[str, Choice]
    tables: Mapping[str, Mapping[str, int]]
    shares: Names | None = None
    players_most: int = 1

    @property
    def known(self) -> str:
        return listed(sorted([*self.numbers, *self.choices])) if self.numbers or self.choices else "none here"


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_COMPARISON: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_YES_OR_NO = Range(0, 1)


def calculation(tree: Sum, names: Names) -> Calculation:
    """The calculation of a sum, or a SumError: a name that is unknown, a choice without a price."""
    found = _of(tree, names)
    if found.range.least < -ON_THE_WAY_MOST or found.range.most > ON_THE_WAY_MOST:
        raise SumError("This sum can come to more than any game counts. Make its numbers smaller.")
    return found


def steps(tree: Sum, names: Names) -> int:
    """How many steps a checked sum takes at most; `sum( )` goes through its own once for each player."""
    if isinstance(tree, Price):
        return 1 + names.choices[tree.key].most
    if isinstance(tree, Unary):
        return 1 + steps(tree.part, names)
    if isinstance(tree, Binary):
        return 1 + steps(tree.left, names) + steps(tree.right, names)
    if isinstance(tree, Call) and tree.name == "sum":
        return 1 + names.players_most * steps(tree.parts[0], names.shares or names)
    return 1 + sum(steps(part, names) for part in tree.parts) if isinstance(tree, Call) else 1


def _of(tree: Sum, names: Names) -> Calculation:
    if isinstance(tree, Number):
        value = tree.value
        return Calculation(lambda values: value, Range(value, value))
    if isinstance(tree, Name):
        return _name(tree.key, names)
    if isinstance(tree, Price):
        return _price(tree, names)
    if isinstance(tree, Unary):
        return _unary(tree, names)
    if isinstance(tree, Binary):
        return _binary(tree, names)
    if isinstance(tree, Call):
        return _CALLS[tree.name](tree, names)
    raise SumError(f"The word “{tree.value}” can only be compared with a choice: what == '{tree.value}'.")


def _name(key: str, names: Names) -> Calculation:
    if key in names.numbers:
        return Calculation(operator.itemgetter(key), names.numbers[key])
    if key in names.choices:
        raise SumError(f"{key} is a choice. Compare it with a word, {key} == '…', or price it with a table.")
    inside = names.shares and (key in names.shares.numbers or key in names.shares.choices)
    hint = f" Write sum({key}) for all players together." if inside else f" There is {names.known}."
    raise SumError(f"Nothing here is called {key}.{hint}")


def _choice(key: str, names: Names) -> Choice:
    if key not in names.choices:
        raise SumError(f"{key} is no choice here.")
    return names.choices[key]


def _price(tree: Price, names: Names) -> Calculation:
    key = tree.key
    if tree.table not in names.tables:
        raise SumError(f"There is no table {tree.table}. Write it as [table.{tree.table}].")
    choice, table = _choice(key, names), names.tables[tree.table]
    for value in sorted(choice.values, key=str):
        if str(value) not in table:
            raise SumError(f"The table {tree.table} has no number for “{value}”, which can be chosen.")
    prices = {value: table[str(value)] for value in choice.values}
    least, most = min(prices.values()), max(prices.values())
    if choice.is_list:
        bounds = Range(min(0, least) * choice.most, max(0, most) * choice.most)
        return Calculation(lambda values: sum([prices[piece] for piece in values[key]]), bounds)
    return Calculation(lambda values: prices.get(values[key], 0), Range(min(0, least), max(0, most)))


def _unary(tree: Unary, names: Names) -> Calculation:
    part = _of(tree.part, names)
    work_out = part.work_out
    if tree.sign == "not":
        return Calculation(lambda values: int(not work_out(values)), _YES_OR_NO)
    return Calculation(lambda values: -work_out(values), Range(-part.range.most, -part.range.least))


def _binary(tree: Binary, names: Names) -> Calculation:
    if isinstance(tree.left, Word) or isinstance(tree.right, Word):
        return _word(tree, names)
    if tree.sign in ("==", "!=") and isinstance(tree.right, Name) and tree.right.key in names.choices:
        raise SumError(f"{tree.right.key} is a choice. Compare it with a word in quotes.")
    left, right = _of(tree.left, names), _of(tree.right, names)
    first, second = left.work_out, right.work_out
    if tree.sign == "and":
        return Calculation(lambda values: int(bool(first(values) and second(values))), _YES_OR_NO)
    if tree.sign == "or":
        return Calculation(lambda values: int(bool(first(values) or second(values))), _YES_OR_NO)
    if tree.sign in _COMPARISON:
        compare = _COMPARISON[tree.sign]
        return Calculation(lambda values: int(compare(first(values), second(values))), _YES_OR_NO)
    combine = _ARITHMETIC[tree.sign]
    corners = [combine(one, other) for one in left.range for other in right.range]
    if tree.sign == "-":
        corners = [left.range.least - right.range.most, left.range.most - right.range.least]
    bounds = Range(min(corners), max(corners))
    if max(abs(bound) for bound in bounds) > ON_THE_WAY_MOST:
        raise SumError("This sum can come to more than any game counts. Make its numbers smaller.")
    return Calculation(lambda values: combine(first(values), second(values)), bounds)


def _word(tree: Binary, names: Names) -> Calculation:
    name, word = (tree.left, tree.right) if isinstance(tree.right, Word) else (tree.right, tree.left)
    if not isinstance(name, Name) or not isinstance(word, Word) or tree.sign not in ("==", "!="):
        raise SumError("A word in quotes can only be compared with a choice, by == or !=.")
    choice, key, value = _choice(name.key, names), name.key, word.value
    if choice.is_list:
        raise SumError(f"{key} is a list. Price it with a table, or count it.")
    if value not in choice.values:
        raise SumError(
            f"“{value}” is not one of the values of {key}: {listed(sorted(map(str, choice.values)))}."
        )
    is_same = tree.sign == "=="
    return Calculation(lambda values: int((values[key] == value) is is_same), _YES_OR_NO)


def _sum(tree: Call, names: Names) -> Calculation:
    if names.shares is None:
        raise SumError("sum( ) adds up what each player gave, and this entry asks nothing of each.")
    part, players = _of(tree.parts[0], names.shares), names.players_most
    work_out = part.work_out
    bounds = Range(min(0, part.range.least) * players, max(0, part.range.most) * players)
    return Calculation(lambda values: sum([work_out(share) for share in values[SHARES]]), bounds)


def _count(tree: Call, names: Names) -> Calculation:
    part = tree.parts[0]
    if not isinstance(part, Name) or not _choice(part.key, names).is_list:
        raise SumError("count( ) takes the name of a list of pieces.")
    key = part.key
    return Calculation(lambda values: len(values[key]), Range(0, names.choices[key].most))


def _nearest(tree: Call, names: Names) -> Calculation:
    part, step = _of(tree.parts[0], names), tree.parts[1]
    if not isinstance(step, Number) or step.value < 1:
        raise SumError("nearest( , ) takes a sum and a plain number, such as nearest(pips, 5).")
    work_out, size = part.work_out, step.value

    def near(number: int) -> int:
        return (number * 2 + size) // (2 * size) * size

    return Calculation(
        lambda values: near(work_out(values)), Range(near(part.range.least), near(part.range.most))
    )


def _extreme(tree: Call, names: Names) -> Calculation:
    best: Callable[[Sequence[int]], int] = max if tree.name == "most" else min
    one, other = (_of(part, names) for part in tree.parts)
    first, second = one.work_out, other.work_out
    bounds = Range(best((one.range.least, other.range.least)), best((one.range.most, other.range.most)))
    return Calculation(lambda values: best((first(values), second(values))), bounds)


_CALLS: dict[str, Callable[[Call, Names], Calculation]] = {
    "sum": _sum,
    "count": _count,
    "nearest": _nearest,
    "most": _extreme,
    "least": _extreme,
}
