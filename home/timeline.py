"""The time line above the covers: years to scale, covers evenly spaced, a lead from each year to its cover.

Everything is a percentage of the width, so one drawing serves every screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

DATED_PERCENT = 81.0  # where the dated part ends, when undated books stand behind the break
MARGIN_PERCENT = 1.7
AFTER_YEARS = 3  # the line goes on for so long behind the last book
LABEL_PERCENT = 7.2  # the room of a label, on the narrowest screen that shows the line
SCALES = ((60, 1, 10), (200, 5, 20), (400, 10, 50))  # up to so many years: a tick and a label every so many
COLUMNS = 5  # covers in a row; home.css says the same


@dataclass(frozen=True)
class Tick:
    x: float
    label: str = ""
    decade: bool = False


@dataclass(frozen=True)
class Mark:
    """One book: its year on the line, and the middle of its cover below. `label_x` is the middle of its
    label, which makes room for others."""

    x: float
    label: str
    label_x: float
    cover_x: float | None = None

    @property
    def is_aside(self) -> bool:
        """True if the label stands so far from its year that a stroke must join them."""
        return abs(self.label_x - self.x) > LABEL_PERCENT / 3

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
    first, last = (dated[0] // 10 * 10, dated[-1] + AFTER_YEARS) if dated else (1900, 1910)
    end = DATED_PERCENT if None in years else 100.0
    step, labelled = next((scale[1:] for scale in SCALES if last - first <= scale[0]), (50, 100))

    def place(year: int) -> float:
        return round(MARGIN_PERCENT + (year - first) / (last - first) * (end - MARGIN_PERCENT - 1), 2)

    label_x = dict(zip(dated, spread([place(year) for year in dated], end), strict=True))

    def is_free(year: int) -> bool:
        return all(abs(place(year) - x) >= LABEL_PERCENT for x in label_x.values())

    ticks = tuple(
        Tick(place(year), str(year) if is_free(year) else "", True)
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
            marks.append(Mark(place(year), str(year), label_x[year], cover_x))
        elif cover_x is not None and None not in years[:number]:
            # One mark stands for all that have no year; more would stand on each other.
            x = max(cover_x, end + 2 * MARGIN_PERCENT)
            marks.append(Mark(x, "undated", x, cover_x))
    return TimeLine(first, last, ticks, tuple(marks), end)


def spread(places: Sequence[float], end: float) -> list[float]:
    """Where labels stand that belong to these places, in their order: at them, or as near as others allow.
    Labels that would touch become a group, which stands around the middle of its places."""
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _left(groups[-1], end) < _right(groups[-2], end):
            groups[-2:] = [groups[-2] + groups[-1]]
    return [
        round(_left(group, end) + LABEL_PERCENT * (number + 0.5), 2)
        for group in groups
        for number in range(len(group))
    ]


def _left(group: Sequence[float], end: float) -> float:
    """The left edge of a group of labels, within the dated part of the line."""
    width = LABEL_PERCENT * len(group)
    return max(min(sum(group) / len(group) - width / 2, end - width), -MARGIN_PERCENT)


def _right(group: Sequence[float], end: float) -> float:
    return _left(group, end) + LABEL_PERCENT * len(group)
