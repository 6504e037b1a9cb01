"""Comparison of readings on the same cards and the same log, summed up in whole numbers.

A block of evenings becomes a tree of dictionaries whose leaves are whole numbers, or lists of the evenings
worth looking at. Trees are added leaf by leaf, so the sum is the same however the blocks were shared out.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from lab.evening import Outcome, parting, play, play_by
from lab.grid import Apart, Cell, Duel, Study
from lab.table_kind import Chance, Kind

Tree = dict[str, Any]
MAX_EXAMPLES = 12


def compared(study: Study, cell: Cell, evenings: range, seed: str) -> Tree:
    """A block of evenings of one table: the default's own figures, and each reading against it."""
    readings = study.readings
    tables = [cell.base, *({**cell.base, **reading.options} for reading in readings)]
    total: Tree = {"evenings": len(evenings), "default": _empty_default(), "readings": {}}
    examples: dict[str, list[int]] = {}
    partings: dict[str, list[int]] = {}
    for number in evenings:
        evening = play(study.game, cell.kind, Chance(seed, number), tables)
        usual, *others = evening.outcomes
        add(total["default"], _of_default(usual, evening.events))
        for reading, other in zip(readings, others, strict=True):
            found = against(usual, other)
            add(total["readings"].setdefault(reading.key, {}), found)
            if found["other"]:
                examples.setdefault(reading.key, []).append(number)
            elif found["parted"]:
                partings.setdefault(reading.key, []).append(number)
    return total | {"examples": _first(examples), "partings": _first(partings)}


def _first(numbers: dict[str, list[int]]) -> dict[str, list[int]]:
    return {key: found[:MAX_EXAMPLES] for key, found in numbers.items()}


def _empty_default() -> Tree:
    return {"deals": 0, "margin": 0, "shared": 0, "lines": {}, "events": {}}


def _of_default(outcome: Outcome, events: Counter[str]) -> Tree:
    return {
        "deals": outcome.deals,
        "margin": outcome.margin,
        "shared": int(len(outcome.winners) > 1),
        "lines": dict(Counter(line.symbol for line in outcome.lines)),
        "events": dict(events),
    }


def against(usual: Outcome, other: Outcome) -> Tree:
    """One evening by two readings. A winner is another only if nobody wins by both."""
    common = {*usual.winners} & {*other.winners}
    longer, wider = other.deals - usual.deals, other.margin - usual.margin
    return {
        "other": int(not common),
        "shared": int(bool(common) and usual.winners != other.winners),
        "parted": int(parting(usual.lines, other.lines) is not None),
        "deals_more": longer,
        "deals_squares": longer * longer,
        "margin_more": wider,
        "margin_squares": wider * wider,
    }


def fought(study: Study, duel: Duel, evenings: range, seed: str) -> Tree:
    """A block of duels: each evening twice on the same cards, with the seats exchanged."""
    won = lost = shared = 0
    pack = study.cells[0].kind.pack
    for number in evenings:
        for first, second in ((duel.one, duel.other), (duel.other, duel.one)):
            kind = Kind((first, second) * (duel.players // 2), pack)
            outcome = play_by(study.game, kind, Chance(seed, number), {}).outcomes[0]
            winners = {kind.policies[seat] for seat in outcome.winners}
            won += winners == {duel.one}
            lost += winners == {duel.other}
            shared += len(winners) > 1
    return {"evenings": 2 * len(evenings), "won": won, "lost": lost, "shared": shared}


def on_its_own(study: Study, apart: Apart, evenings: range, seed: str) -> Tree:
    """A block of evenings that are compared with no others: how long, how close, and which lines."""
    deals, margins, lines = Counter[str](), Counter[str](), Counter[str]()
    for number in evenings:
        outcome = play_by(study.game, apart.kind, Chance(seed, number), apart.options).outcomes[0]
        deals[str(outcome.deals)] += 1
        margins[str(outcome.margin)] += 1
        lines.update(line.symbol for line in outcome.lines)
    return {"evenings": len(evenings), "deals": dict(deals), "margins": dict(margins), "lines": dict(lines)}


def add(total: Tree, more: Tree) -> Tree:
    """Add a tree to another, leaf by leaf; of lists, the first members stay."""
    for key, value in more.items():
        if isinstance(value, dict):
            add(total.setdefault(key, {}), value)
        elif isinstance(value, list):
            total[key] = (total.get(key, []) + value)[:MAX_EXAMPLES]
        else:
            total[key] = total.get(key, 0) + value
    return total
