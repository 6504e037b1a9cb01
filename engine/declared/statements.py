"""Statements of a declaration: each of its rules as a plain sentence, with the passages that give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.declared.declaration import (
    EVERYBODY,
    OTHERS_OF,
    AwardRule,
    Check,
    Declaration,
    EndRule,
    EntryRule,
)
from engine.declared.errors import Path
from engine.declared.sums import Binary, Call, Name, Number, Price, Sum, Unary, Word
from engine.rules import AUTHORITIES, Cites, Option

_BETWEEN = {
    "+": "+", "-": "−", "*": "×", "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most",
    ">": "is more than", ">=": "is at least", "and": "and", "or": "or",
}  # fmt: skip
_BINDS = {"or": 0, "and": 1, "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "+": 3, "-": 3, "*": 4}

_NAMES = {
    "players": "the number of players",
    "hands_played": "the number of hands played",
    "total": "the total so far",
}


class Statement(NamedTuple):
    """One rule in a sentence. `path` leads to it in the declaration, as in a DeclarationError."""

    text: str
    cites: Cites
    path: Path


def statements(declaration: Declaration) -> list[Statement]:
    """Every rule of a declaration in the order in which it is written: options, entries, the end."""
    found = [told(option, ("option", at)) for at, option in enumerate(declaration.options)]
    for at, rule in enumerate(declaration.entries):
        found += _entry(at, rule)
    return [*found, told(declaration.end, ("end",))]


def silent_passages(declaration: Declaration, anchors: Iterable[str]) -> list[str]:
    """Those of these passages, in their order, that the declaration names in no rule and not as silent."""
    silent = {*declaration.data.get("silent", ())}
    named = silent | {cite.anchor for statement in statements(declaration) for cite in statement.cites}
    return [anchor for anchor in anchors if anchor not in named]


def words_of(tree: Sum, bound: int = -1) -> str:
    """A sum as one reads it aloud: `taken >= bid` is “taken is at least bid”."""
    if isinstance(tree, Number):
        return f"{tree.value:,}"
    if isinstance(tree, Word):
        return tree.value
    if isinstance(tree, Name):
        return _NAMES.get(tree.key) or _quoted(tree.key)
    if isinstance(tree, Price):
        return f"what the table {_quoted(tree.table)} gives for {_quoted(tree.key)}"
    if isinstance(tree, Unary):
        return f"{'not ' if tree.sign == 'not' else '−'}{words_of(tree.part, 5)}"
    if isinstance(tree, Call):
        return _call(tree)
    binds = _BINDS[tree.sign]
    # The right side of a difference keeps its brackets: a − (b + c).
    right = words_of(tree.right, binds + (tree.sign == "-" or binds == 2))
    words = f"{words_of(tree.left, binds + (binds == 2))} {_BETWEEN[tree.sign]} {right}"
    return f"({words})" if binds < bound else words


def _call(tree: Call) -> str:
    parts = [words_of(part) for part in tree.parts]
    if tree.name == "nearest":
        return f"({parts[0]}, to the nearest {parts[1]})"
    if tree.name == "sum" and isinstance(tree.parts[0], Binary) and _BINDS[tree.parts[0].sign] < _BINDS["+"]:
        return f"(the number of players of whom {parts[0]})"
    if tree.name == "sum":
        return f"({parts[0]}, of all players together)"
    if tree.name == "count":
        return f"the number of {parts[0]}"
    return f"the {'larger' if tree.name == 'most' else 'smaller'} of ({parts[0]}) and ({parts[1]})"


def _option(option: Option) -> str:
    if option.readings:
        rest = "; ".join(f"{word}: {text}" for word, text in option.readings.items())
        ways = f"{option.default}, if nothing else is chosen. {rest}"
    else:
        ways = f"{option.default}, if nothing else is chosen, from {option.least} to {option.most}"
    source = AUTHORITIES[option.authority]
    return f"{option.question} {ways.rstrip('.')}. ({source.capitalize()}.)"


def _entry(at: int, rule: EntryRule) -> Iterator[Statement]:
    for place, check in enumerate(rule.checks):
        yield told(check, ("entry", at, "check", place), rule)
    for place, award in enumerate(rule.awards):
        yield told(award, ("entry", at, "award", place), rule)


def told(
    record: Option | Check | AwardRule | EndRule, path: Path, rule: EntryRule | None = None
) -> Statement:
    """One rule in a sentence; `rule` is the entry that a check or an award belongs to."""
    if isinstance(record, Option):
        return Statement(_option(record), record.cites, path)
    if isinstance(record, EndRule):
        return Statement(_end(record), record.cites, path)
    text = _check(record) if isinstance(record, Check) else f"{_award(rule, record)}."
    lead = f"{rule.type.question.rstrip('.?!')}: " if rule else ""
    return Statement(lead + text, record.cites, path)


def _check(check: Check) -> str:
    return f"refused unless {words_of(check.that.tree)}. “{check.says}”"


def _award(rule: EntryRule | None, award: AwardRule) -> str:
    words = f"{_whom(rule, award.to)} gets {words_of(award.points.tree)}"
    if award.source:
        words += f" from {_whom(rule, award.source)}"
    return words + (f", if {words_of(award.when.tree)}" if award.when else "")


def _whom(rule: EntryRule | None, to: str) -> str:
    if to == EVERYBODY:
        return "everybody"
    if to.startswith(OTHERS_OF):
        return f"each player but {_named(to.removeprefix(OTHERS_OF))}"
    if rule and rule.each and to == rule.each.key:
        return f"each player but {_named(rule.each.but)}" if rule.each.but else "each player"
    return _named(to)


def _quoted(key: str) -> str:
    return f"“{key.replace('_', ' ')}”"


def _named(key: str) -> str:
    return f"the {key.replace('_', ' ')}"


def _end(end: EndRule) -> str:
    ways = []
    if end.after:
        ways.append(f"after as many hands as {words_of(end.after.tree)}")
    if end.reaches:
        ways.append(f"as soon as a total reaches {words_of(end.reaches.tree)}")
    if end.falls:
        ways.append(f"as soon as a total falls to {words_of(end.falls.tree)}")
    when = "" if end.at_once or not (end.reaches or end.falls) else ", which is looked at when a hand is over"
    wins = "The first to get there wins" if end.wins == "first" else f"The {end.wins} total wins"
    ties = "a tie is played on" if end.plays_on else "a tie is shared"
    return f"The game is over {' or '.join(ways)}{when}. {wins}; {ties}."
