"""The game that a declaration makes: the same `Game` as a file in `engine/games`, played from its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from engine.declared.blanks import spoken
from engine.declared.calculation import POINTS_MOST, SHARES, Values
from engine.declared.declaration import EVERYBODY, OTHERS_OF, AwardRule, EndRule, EntryRule
from engine.rules import Award, Ended, Entry, Game, Happened, Now, Option, Refused, Table, after, leaders

NO_MARKS: frozenset[tuple[Any, ...]] = frozenset()
EMPTY = {"player": 0, "number": 0, "flag": False, "choice": "", "pieces": ()}
LINES_MOST = 50_000
"""Lines of a whole game: far more than any table writes, and a sheet of that many is kept in memory."""


class Hands(NamedTuple):
    """Hands played so far, what was entered that is entered only once, and how many lines were written."""

    played: int
    marks: frozenset[tuple[Any, ...]] = NO_MARKS
    lines: int = 0


class Said(NamedTuple):
    """What one entry says: its values for sums and sentences, and those of each player's share."""

    values: Values
    words: dict[str, Any]
    shares: Mapping[str, tuple[Values, dict[str, Any]]]


def declared_game(
    key: str,
    title: str,
    book: str,
    seats: tuple[int, int],
    options: tuple[Option, ...],
    entries: Sequence[EntryRule],
    end: EndRule,
) -> Game:
    rules = {rule.type.key: rule for rule in entries}
    has_hands = any(rule.ends_hand for rule in entries)
    return Game(
        key=key,
        title=title,
        book=book,
        seats=seats,
        options=options,
        entries=tuple(rule.type for rule in entries),
        start=lambda table: Hands(0),
        play=partial(_play, rules, end),
        show=_show_hands if has_hands else _show_nothing,
    )


def _show_hands(table: Table, state: Hands, finished: bool) -> dict[str, Any]:
    played = state.played - (finished and state.played > 0)
    return {"hand": played + 1, "dealer": table.players[(table.dealer + played) % len(table.players)]}


def _show_nothing(table: Table, state: Hands, finished: bool) -> dict[str, Any]:
    return {}


def _play(rules: Mapping[str, EntryRule], end: EndRule, now: Now, entry: Entry) -> Happened:
    rule = rules[now.kind]
    said = _said(rule, now, entry)
    for check in rule.checks:
        if not check.that.work_out(said.values):
            raise Refused("impossible", check.says, cites=check.cites)
    marks = _marked(rule, now, entry)
    awards: list[Award] = []
    for award in rule.awards:
        _give(award, now, entry, said, awards)
    state = Hands(now.state.played + rule.ends_hand, marks, now.state.lines + len(awards))
    if state.lines > LINES_MOST:
        says = f"No sheet of a declared game has more than {LINES_MOST:,} lines."
        raise Refused("impossible", says, cites=rule.awards[0].cites)
    totals = after(now.totals, awards)
    if max(totals) > POINTS_MOST or min(totals) < -POINTS_MOST:
        raise Refused("impossible", f"No total goes beyond {POINTS_MOST:,}.", cites=rule.awards[0].cites)
    return Happened(state, tuple(awards), _ended(end, now.table, state, totals, rule.ends_hand))


def _said(rule: EntryRule, now: Now, entry: Entry) -> Said:
    table = now.table
    values: Values = {**table.options, "players": len(table.players), "hands_played": now.state.played}
    words = dict(values)
    shares: dict[str, tuple[Values, dict[str, Any]]] = {}
    each = None
    for field in rule.type.fields:
        key, kind = field.key, field.kind
        if kind == "each":
            each = field
            continue
        value = entry.get(key)
        words[key] = value
        if kind == "player":
            values[key] = 0 if value is None else 1
        else:
            values[key] = EMPTY[kind] if value is None else value
    if each is not None:
        given, blank = entry[each.key], {part.key: EMPTY[part.kind] for part in each.shapes[0]}
        for name in table.players:
            if name in given:
                share = given[name]
                said = {key: value for key, value in share.items() if value is not None}
                shares[name] = ({**values, **blank, **said}, {**words, **blank, **share})
        every = [share for share, _ in shares.values()]
        values[SHARES] = every
        for share in every:
            share[SHARES] = every
    return Said(values, words, shares)


def _marked(rule: EntryRule, now: Now, entry: Entry) -> frozenset[tuple[Any, ...]]:
    marks: frozenset[tuple[Any, ...]] = now.state.marks
    if not rule.once:
        return marks
    mark = (now.kind, *(entry.get(key) for key in rule.once))
    if mark in marks:
        named = ", ".join(spoken(word) for word in mark[1:] if word is not None)
        says = f"{rule.type.question}: {named} is entered already."
        raise Refused("impossible", says, cites=rule.awards[0].cites)
    return marks | {mark}


def _give(rule: AwardRule, now: Now, entry: Entry, said: Said, awards: list[Award]) -> None:
    """Write down what one rule awards, seat by seat."""
    names, source = now.table.players, rule.source
    for name in _receivers(rule.to, names, entry):
        seat = names.index(name)
        for giver in _receivers(source, names, entry) if source else (None,):
            if giver == name:
                continue
            values, words = said.values, said.words
            if rule.share:
                values, words = said.shares[name if rule.share == rule.to else str(giver)]
            values["total"] = now.totals[seat]
            if rule.when is not None and not rule.when.work_out(values):
                continue
            points = rule.points.work_out(values)
            if not points:
                continue
            why = rule.why.filled({**words, "who": name, "giver": giver, "points": points})
            awards.append(Award(seat, points, rule.symbol, rule.cites, why))
            if giver is not None:
                awards.append(Award(names.index(giver), -points, rule.symbol, rule.cites, why))


def _receivers(to: str, names: Sequence[str], entry: Entry) -> Sequence[str]:
    """The players that a rule means, in seat order; nobody where the field names nobody."""
    if to == EVERYBODY:
        return names
    if to.startswith(OTHERS_OF):
        one = entry.get(to.removeprefix(OTHERS_OF))
        return () if one is None else [name for name in names if name != one]
    named = entry.get(to)
    if isinstance(named, dict):
        return [name for name in names if name in named]
    return () if named is None else (named,)


def _ended(
    end: EndRule, table: Table, state: Hands, totals: tuple[int, ...], hand_over: bool
) -> Ended | None:
    if not hand_over and not end.at_once:
        return None
    values = {**table.options, "players": len(totals), "hands_played": state.played}
    target = end.reaches.work_out(values) if end.reaches else None
    is_over = (
        (target is not None and max(totals) >= target)
        or (end.falls is not None and min(totals) <= end.falls.work_out(values))
        or (end.after is not None and hand_over and state.played >= end.after.work_out(values))
    )
    if not is_over:
        return None
    if end.wins == "first":
        winners = tuple(seat for seat, total in enumerate(totals) if target is not None and total >= target)
    else:
        winners = ()
    winners = winners or leaders(totals, min if end.wins == "lowest" else max)
    if len(winners) > 1 and end.plays_on:
        return None
    return Ended(winners, end.why.filled({**values, "winners": table.have(winners, end.of_sides)}), end.cites)
