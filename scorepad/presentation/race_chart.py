"""Chart of the race: everyone's totals as numbers for an inline SVG, and for the table that says the same."""

from dataclasses import dataclass

from scorepad.pad_state import PadState

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 110, 16, 28
STEPS_MOST = 200
"""Steps that are drawn and told: the chart has not many more points from left to right."""
DASHES = ("", "8 4", "2 4", "10 3 2 3", "5 5", "1 3", "12 4", "6 2 1 2")


@dataclass(frozen=True)
class Runner:
    """One seat's way through the game: a path, its end, and the totals after every entry."""

    name: str
    points: str
    totals: tuple[int, ...]
    end_x: float
    end_y: float
    label_y: float
    dash: str
    number: int


@dataclass(frozen=True)
class Race:
    runners: tuple[Runner, ...]
    ticks: tuple[tuple[float, int], ...]
    steps: tuple[int, ...]
    baseline: float
    summary: str

    @property
    def rows(self) -> list[tuple[int, list[int]]]:
        """The same as a table: after which entry, and everyone's total."""
        return [
            (step, [runner.totals[place + 1] for runner in self.runners])
            for place, step in enumerate(self.steps)
        ]


def draw_race(state: PadState) -> Race | None:
    """None where there is nothing to draw: no number has been awarded yet."""
    steps = [*state.lines_of]
    if not any(line.points for line in state.result.lines):
        return None
    stake = state.position.game.stake
    start = int(state.options[stake]) if stake else 0
    ways = {name: [start] for name in state.players}
    for place in steps:
        for name in ways:
            gained = sum(line.points for _, line in state.lines_of[place] if line.player == name)
            ways[name].append(ways[name][-1] + gained)
    low = min(0, *(min(way) for way in ways.values()))
    high = max(1, *(max(way) for way in ways.values()))
    # The last step stays, and of those before as many as there is room for.
    apart = -(-len(steps) // STEPS_MOST)
    kept = range((len(steps) - 1) % apart, len(steps), apart)
    ways = {name: [way[0], *(way[step + 1] for step in kept)] for name, way in ways.items()}
    return _draw(ways, low, high, [steps[step] + 1 for step in kept])


def _draw(ways: dict[str, list[int]], low: int, high: int, steps: list[int]) -> Race:
    def x(step: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * step / max(len(steps), 1), 1)

    def y(total: int) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - total) / (high - low), 1)

    labels = _spread({name: y(way[-1]) for name, way in ways.items()})
    runners = tuple(
        Runner(
            name,
            " ".join(f"{x(step)},{y(total)}" for step, total in enumerate(way)),
            tuple(way),
            x(len(way) - 1),
            y(way[-1]),
            labels[name],
            DASHES[number % len(DASHES)],
            number,
        )
        for number, (name, way) in enumerate(ways.items())
    )
    ticks = tuple((y(total), total) for total in _ticks(low, high))
    ends = ", ".join(f"{name} {way[-1]}" for name, way in ways.items())
    return Race(
        runners, ticks, tuple(steps), y(0), f"Totals after each of {len(steps)} entries; at the end {ends}."
    )


def _spread(places: dict[str, float], apart: float = 24) -> dict[str, float]:
    """Labels that do not lie on each other, each as near to its line's end as the others let it."""
    spread: dict[str, float] = {}
    last = TOP - apart
    for name, place in sorted(places.items(), key=lambda pair: pair[1]):
        last = spread[name] = max(place, last + apart)
    over = last - (HEIGHT - BOTTOM + 6)
    return {name: place - max(over, 0) for name, place in spread.items()}


def _ticks(low: int, high: int) -> list[int]:
    for size in (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000):
        if (high - low) / size <= 5:
            break
    return list(range(-(-low // size) * size, high + 1, size))
