"""The time line above the covers: years to scale, covers evenly spaced, a lead from each year to its cover.

Everything is a percentage of the width, so one drawing serves every screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

DATED_PERCENT = 81.0  # where the dated part ends, when undated books stand behind the break
MARGIN_PERCENT = 1.7
NEAR_YEARS = 3  # labels of years closer than this would touch, on a line of not many decades
NEAR_PART = 12  # and on a longer one, closer than this part of it
SCALES = ((60, 1, 10), (200, 5, 20), (400, 10, 50))  # up to so many years: a tick and a label every so many
COLUMNS = 5  # covers in a row; home.css says the same


@dataclass(frozen=True)
class Tick:
    x: float
    label: str = ""
    decade: bool = False


@dataclass(frozen=True)
class Mark:
    """One book: its year on the line, and the middle of its cover below. `side` keeps labels apart."""

    x: float
    label: str
    cover_x: float | None = None
    side: str = ""

    @property
    def lead(self) -> "Lead | None":
        return None if self.cover_x is None else Lead(self.x, self.cover_x)


@dataclass(frozen=True)
class Lead:
    """The dotted way from a year down to its cover."""

    x: float
    cover_x: float

    @property
    def left(self) -> float:
        return min(self.x, self.cover_x)

    @property
    def width(self) -> float:
        return round(abs(self.x - self.cover_x), 2)

    @property
    def falls_left(self) -> bool:
        return self.cover_x < self.x


@dataclass(frozen=True)
class TimeLine:
    first: int
    last: int
    ticks: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    dated_end: float

    @property
    def undated_width(self) -> float:
        return 100 - self.dated_end


def draw(years: Sequence[int | None]) -> TimeLine:
    """The line for books in the order they stand: dated ones by year, then those without a year."""
    dated = sorted({year for year in years if year})
    first, last = (dated[0] // 10 * 10, dated[-1] + NEAR_YEARS) if dated else (1900, 1910)
    end = DATED_PERCENT if None in years else 100.0
    near = max(NEAR_YEARS, round((last - first) / NEAR_PART))
    step, labelled = next((scale[1:] for scale in SCALES if last - first <= scale[0]), (50, 100))

    def place(year: int) -> float:
        return round(MARGIN_PERCENT + (year - first) / (last - first) * (end - MARGIN_PERCENT - 1), 2)

    ticks = tuple(
        Tick(place(year), "" if any(abs(year - other) < near for other in dated) else str(year), True)
        if year % labelled == 0
        else Tick(place(year))
        for year in range(first, last + 1)
        if year % step == 0
    )
    marks = []
    for number, year in enumerate(years):
        # Only the first row hangs from the line; the covers of a second row would be led through those above.
        cover_x = round((number + 0.5) / COLUMNS * 100, 2) if number < COLUMNS else None
        if year:
            marks.append(Mark(place(year), str(year), cover_x, _side(year, dated, near)))
        elif cover_x is not None and None not in years[:number]:
            # One mark stands for all that have no year; more would stand on each other.
            marks.append(Mark(max(cover_x, end + MARGIN_PERCENT), "undated", cover_x))
    return TimeLine(first, last, ticks, tuple(marks), end)


def _side(year: int, dated: Sequence[int], near: int) -> str:
    if any(0 < other - year < near for other in dated):
        return "before"
    if any(0 < year - other < near for other in dated):
        return "after"
    return ""
