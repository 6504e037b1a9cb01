"""The position of a game after the entries so far, and how it moves on by one more.

What was played is kept in stretches, each with how the game stood before it. So a correction is played from
the stretch it touches and not from the first entry; and one more entry copies the last stretch alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from engine.fields import Blank
from engine.log import CORRECTION_KINDS, Log, Places, changes_of, correct, parent_of, place_of, read_entry
from engine.order_of_play import Parents, Step, end_of_inserts
from engine.result import Line, Result
from engine.rules import Ended, Entry, Game, Now, Refused, Table

STRETCH_LENGTH = 32


class Standing(NamedTuple):
    """How a game stands at one moment: its state, everyone's total, and its end if it is over."""

    state: Any
    totals: tuple[int, ...]
    ended: Ended | None


class Stretch(NamedTuple):
    """Some entries in order of play: how the game stood before them, and the lines they brought."""

    before: Standing
    steps: tuple[Step, ...]
    lines: tuple[Line, ...]


class Position(NamedTuple):
    """The position of a game after the entries so far. It never changes: to go on is to get the next one."""

    game: Game
    table: Table
    blanks: Mapping[str, Blank]
    entries: tuple[Entry, ...]
    places: Places
    parents: Parents
    stretches: tuple[Stretch, ...]
    now: Standing

    @property
    def state(self) -> Any:
        return self.now.state

    @property
    def totals(self) -> tuple[int, ...]:
        return self.now.totals

    @property
    def ended(self) -> Ended | None:
        return self.now.ended

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every number awarded, in order of play."""
        return tuple(chain.from_iterable(stretch.lines for stretch in self.stretches))

    @property
    def last_lines(self) -> tuple[Line, ...]:
        """The numbers that the last entry of the log brought, unless it is a correction."""
        last, stretches = len(self.entries) - 1, self.stretches[-1:]
        return tuple(line for stretch in stretches for line in stretch.lines if line.entry == last)

    @property
    def steps(self) -> list[Step]:
        """The place of every entry in order of play, with what stands there: None while it is void."""
        return [*chain.from_iterable(stretch.steps for stretch in self.stretches)]

    @property
    def standing(self) -> dict[int, Entry]:
        """The entries that count, by their place in the log, in order of play, as corrections left them."""
        return {place: entry for place, entry in self.steps if entry is not None}

    def enter(self, entry: Entry) -> Position:
        """Return the position one entry later, or refuse the entry. Only a correction plays others again."""
        index = len(self.entries)
        kind = read_entry(self.blanks, self.places, index, entry)
        if kind in CORRECTION_KINDS:
            return self._moved_on(kind, entry, *self._corrected(entry))
        course = _Course(self, self.now)
        course.play(index, entry)
        stretches = _one_longer(self.stretches, self.now, (index, entry), course.lines)
        return self._moved_on(kind, entry, self.parents, stretches, course.standing)

    def replay_cost(self, entry: Any) -> int:
        """The number of entries that `enter` would play at most to judge this one; 1 for a plain one."""
        try:
            kind = read_entry(self.blanks, self.places, len(self.entries), entry)
            plan = self._plan(entry) if kind in CORRECTION_KINDS else None
        except Refused:
            return 1
        return max(1, sum(there is not None for _, there in plan.steps)) if plan else 1

    def before(self, place: int) -> Position:
        """The position in which the entry at this place was made, as corrections left what came earlier."""
        kept, steps = self._steps_from({place})
        course = _Course(self, self._standing_before(kept))
        stretches = (*self.stretches[:kept], *course.run(steps[: _at(steps, place)], ()))
        return self._replace(stretches=stretches, now=course.standing)

    def states_before(self, places: Collection[int]) -> dict[int, dict[str, Any]]:
        """What the table saw before each of these entries; only the stretches they stand in are played."""
        seen = {}
        for stretch in self.stretches:
            if any(place in places for place, _ in stretch.steps):
                course = _Course(self, stretch.before)
                for place, entry in stretch.steps:
                    if place in places:
                        seen[place] = self.game.show(self.table, course.state, course.ended is not None)
                    if entry is not None:
                        course.play(place, entry, is_new=False)
        return seen

    def _corrected(self, entry: Entry) -> tuple[Parents, tuple[Stretch, ...], Standing]:
        plan = self._plan(entry)
        course = _Course(self, self._standing_before(plan.kept))
        stretches = course.run(plan.steps, plan.new)
        return plan.parents, (*self.stretches[: plan.kept], *stretches), course.standing

    def _plan(self, entry: Entry) -> _Plan:
        """The steps that are played again for a correction, from the stretch it touches first."""
        if entry["type"] == "insert":
            return self._plan_insert(entry["entry"], parent_of(self.places, entry))
        index, changes = len(self.entries), {self.places[target] for target in changes_of(entry)}
        kept, steps = self._steps_from(changes)
        corrected = {place: there for place, there in steps if place in changes}
        correct(corrected, self.places, index, entry)
        steps = [(step[0], corrected[step[0]]) if step[0] in corrected else step for step in steps]
        return _Plan(kept, steps, corrected, self.parents)

    def _plan_insert(self, entry: Entry, parent: int | None) -> _Plan:
        index, parents = len(self.entries), self.parents
        kept, steps = self._steps_from({parent})
        first = 0 if parent is None else _at(steps, parent) + 1
        steps.insert(end_of_inserts(steps, first, parents, parent), (index, entry))
        return _Plan(kept, steps, {index}, {**parents, index: parent})

    def _steps_from(self, places: set[int | None]) -> tuple[int, list[Step]]:
        """The number of stretches before all these places, and the steps that follow those stretches."""
        kept, sought = len(self.stretches), {*places}
        while sought and kept:
            kept -= 1
            sought.difference_update(place for place, _ in self.stretches[kept].steps)
        return kept, [*chain.from_iterable(stretch.steps for stretch in self.stretches[kept:])]

    def _standing_before(self, stretch: int) -> Standing:
        return self.stretches[stretch].before if stretch < len(self.stretches) else self.now

    def _moved_on(
        self, kind: str, entry: Entry, parents: Parents, stretches: tuple[Stretch, ...], now: Standing
    ) -> Position:
        index, places = len(self.entries), self.places
        if "id" in entry:
            places = {**places, entry["id"]: place_of(kind, index)}
        entries = (*self.entries, entry)
        return Position(self.game, self.table, self.blanks, entries, places, parents, stretches, now)

    def result(self) -> Result:
        names, ended = self.table.players, self.ended
        return Result(
            game=self.game.key,
            options=self.table.options,
            players=names,
            status="finished" if ended else "playing",
            totals=dict(zip(names, self.totals, strict=True)),
            winners=tuple(names[seat] for seat in ended.winners) if ended else (),
            ended=ended,
            lines=self.lines,
            state=self.game.show(self.table, self.state, ended is not None),
        )


class _Plan(NamedTuple):
    """The effect of a correction: how many stretches stay, the steps after them, which of those are new."""

    kept: int
    steps: list[Step]
    new: Collection[int]
    parents: Parents


def play_log(
    game: Game, table: Table, blanks: Mapping[str, Blank], entries: tuple[Entry, ...], log: Log
) -> Iterator[Position | None]:
    """Play a log that was read, from the first entry to the last: nothing after each stretch, and in the
    end the position."""
    totals = (table.options[game.stake] if game.stake else 0,) * len(table.players)
    start = Position(game, table, blanks, (), {}, {}, (), Standing(game.start(table), totals, None))
    course, stretches = _Course(start, start.now), []
    for stretch in course.stretches(log.steps):
        stretches.append(stretch)
        yield None
    kept = tuple(stretches)
    yield Position(game, table, blanks, entries, log.places, log.parents, kept, course.standing)


def _at(steps: Sequence[Step], place: int) -> int:
    return next(at for at, step in enumerate(steps) if step[0] == place)


def _one_longer(
    stretches: tuple[Stretch, ...], now: Standing, step: Step, lines: list[Line]
) -> tuple[Stretch, ...]:
    if not stretches or len(stretches[-1].steps) >= STRETCH_LENGTH:
        return (*stretches, Stretch(now, (step,), tuple(lines)))
    last = stretches[-1]
    return (*stretches[:-1], Stretch(last.before, (*last.steps, step), (*last.lines, *lines)))


class _Course:
    """A game being moved on, entry by entry; the one place where a game's rules are asked."""

    def __init__(self, position: Position, start: Standing) -> None:
        self.game = position.game
        self.table = position.table
        self.blanks = position.blanks
        self.state = start.state
        self.totals = [*start.totals]
        self.ended = start.ended
        self.lines: list[Line] = []

    @property
    def standing(self) -> Standing:
        return Standing(self.state, tuple(self.totals), self.ended)

    def run(self, steps: Sequence[Step], new: Collection[int]) -> tuple[Stretch, ...]:
        return tuple(self.stretches(steps, new))

    def stretches(self, steps: Sequence[Step], new: Collection[int] | None = None) -> Iterator[Stretch]:
        """Play these steps, stretch by stretch. What is not new was played before, so its form is checked."""
        for first in range(0, len(steps), STRETCH_LENGTH):
            before, self.lines = self.standing, []
            stretch = steps[first : first + STRETCH_LENGTH]
            for place, entry in stretch:
                if entry is not None:
                    self.play(place, entry, new is None or place in new)
            yield Stretch(before, tuple(stretch), tuple(self.lines))

    def play(self, place: int, entry: Entry, is_new: bool = True) -> None:
        game, table, kind = self.game, self.table, entry["type"]
        blank = self.blanks[kind]
        try:
            if self.ended:
                raise Refused("game-over", f"The game is over: {self.ended.why}", cites=self.ended.cites)
            if is_new:
                blank.check_fields(entry)
                blank.check_names(entry, table.players)
            now = Now(table, self.state, self.totals, kind, place)
            game.turn(now, entry)
            if is_new:
                blank.check_kinds(entry, table.players)
            self.state, awards, self.ended = game.play(now, entry)
        except Refused as refused:
            refused.entry = place
            raise
        for seat, points, symbol, cites, why in awards:
            self.totals[seat] += points
            self.lines.append(Line(place, table.players[seat], points, symbol, cites, why))
