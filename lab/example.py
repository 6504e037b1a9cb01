"""An example: one simulated evening by two readings, entry by entry, from where they part."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from engine import Line
from lab.evening import Outcome, play
from lab.grid import SEED, STUDIES, Reading
from lab.simulators import SIMULATORS
from lab.table_kind import Chance

Totals = tuple[tuple[str, int], ...]


class Side(NamedTuple):
    """An entry by one reading: its lines, everyone's total after it, and the end if the game is over."""

    lines: tuple[Line, ...]
    totals: Totals
    ended: str

    @property
    def figures(self) -> list[tuple[str, int, str]]:
        return [line[1:4] for line in self.lines]


class Step(NamedTuple):
    """One entry in words and by both readings."""

    number: int
    words: str
    usual: Side
    other: Side

    @property
    def same_totals(self) -> bool:
        return self.usual.totals == self.other.totals

    @property
    def differs(self) -> bool:
        return self.usual.figures != self.other.figures or self.usual.ended != self.other.ended


class Example(NamedTuple):
    """An evening by two readings: the steps on which they agree, and those from the first difference on."""

    number: int
    players: tuple[str, ...]
    before: tuple[Step, ...]
    steps: tuple[Step, ...]
    usual: Outcome
    other: Outcome

    def winners(self, outcome: Outcome) -> list[str]:
        return [self.players[seat] for seat in outcome.winners]

    @property
    def usual_winners(self) -> list[str]:
        return self.winners(self.usual)

    @property
    def other_winners(self) -> list[str]:
        return self.winners(self.other)


@lru_cache(maxsize=64)
def example(game: str, key: str, number: int) -> Example:
    """Play one evening of the first table again; the last ones asked for are remembered."""
    study = STUDIES[game]
    reading = next(found for found in study.readings if found.key == key)
    return _example(game, reading, number)


def _example(game: str, reading: Reading, number: int) -> Example:
    kind, base = STUDIES[game].cells[0].kind, STUDIES[game].cells[0].base
    evening = play(game, kind, Chance(SEED, number), [base, {**base, **reading.options}])
    usual, other = evening.outcomes
    sides = [_sides(usual, len(evening.entries)), _sides(other, len(evening.entries))]
    words = SIMULATORS[game].words
    steps = [
        Step(place + 1, words(entry), sides[0][place], sides[1][place])
        for place, entry in enumerate(evening.entries[: max(_length(usual), _length(other))])
    ]
    parted = next((place for place, step in enumerate(steps) if step.differs), len(steps))
    return Example(number, kind.players, tuple(steps[:parted]), tuple(steps[parted:]), usual, other)


def _length(outcome: Outcome) -> int:
    return len(outcome.position.entries)


def _sides(outcome: Outcome, number: int) -> list[Side]:
    """Each entry by one reading; after the end, sides without a line that say so."""
    position = outcome.position
    totals = dict.fromkeys(position.table.players, _stake(outcome))
    lines = defaultdict(list)
    for line in outcome.lines:
        lines[line.entry].append(line)
    last = len(position.entries) - 1
    ended = position.ended.why if position.ended else ""
    sides = []
    for place in range(number):
        for line in lines[place]:
            totals[line.player] += line.points
        says = ended if place == last else "The game is over." if place > last else ""
        sides.append(Side(tuple(lines[place]), tuple(totals.items()), says))
    return sides


def _stake(outcome: Outcome) -> int:
    position = outcome.position
    return int(position.table.options[position.game.stake]) if position.game.stake else 0
