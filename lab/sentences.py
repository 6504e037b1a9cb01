"""Sentences about a reading: how much it matters, never a percentage without its number and interval."""

from __future__ import annotations

from lab.findings import ReadingResult, Row
from lab.intervals import Interval

COUNTED = {2: "two", 3: "three", 4: "four", 6: "six", 8: "eight"}
DEALS = {"thumbs-up": ("hand", "hands")}


def percent(portion: float) -> str:
    """A percentage with one decimal, with two below one percent; 0 and 100 as they are."""
    hundredths = 100 * portion
    if hundredths in (0.0, 100.0):
        return f"{hundredths:.0f}"
    return f"{hundredths:.2f}" if hundredths < 1 else f"{hundredths:.1f}"


def whole(number: int) -> str:
    return f"{number:,}"


def span(interval: Interval) -> str:
    """The bounds of a share: 29.0 to 30.8 %."""
    return f"{percent(interval.low)} to {percent(interval.high)} %"


def share_words(found: int, interval: Interval) -> str:
    """A share as it stands in a sentence: 2,993 (29.9 %; 95 % interval 29.0 to 30.8 %)."""
    return f"{whole(found)} ({percent(interval.figure)} %; 95 % interval {span(interval)})"


def sentence(result: ReadingResult) -> str:
    """The one sentence about a reading, of the first table."""
    row = result.rows[0]
    evenings = f"Out of {whole(row.evenings)} simulated evenings of {COUNTED[row.players]}{_manner(result)}"
    won = f"{evenings}, this reading gave the game to somebody else in {share_words(row.other, row.share)}"
    # A number and its sign stay on one line.
    return f"{won}{_length(result.game, row)}.{_caution(result)}".replace(" %", "\N{NO-BREAK SPACE}%")


def _manner(result: ReadingResult) -> str:
    """The caution of the players, where everything hangs on it."""
    policy = result.rows[0].policy
    return f" who {_rap(policy)}" if policy.startswith("raps at ") else ""


def _length(game: str, row: Row) -> str:
    low, high = row.longer.low, row.longer.high
    if low <= 0 <= high:
        return ""
    more = abs(row.longer.figure)
    one, several = DEALS.get(game, ("deal", "deals"))
    how = "later" if low > 0 else "sooner"
    places = 2 if more < 1 else 1
    figure, least, most = (f"{number:.{places}f}" for number in (more, *sorted((abs(low), abs(high)))))
    unit = one if figure == "1.0" else several
    return f", and ended it {figure} {unit} {how} on average ({least} to {most})"


def cautions(result: ReadingResult) -> list[Row]:
    """The rows that differ only in the count with which everybody raps, the most careful first."""
    size = result.rows[0].players
    rows = [row for row in result.rows if row.policy.startswith("raps at ") and row.players == size]
    return sorted(rows, key=lambda row: int(row.policy.removeprefix("raps at ")))


def in_order(result: ReadingResult) -> list[Row]:
    """The rows as they are shown: the row of cautions together, where there is one, and then the others."""
    first = cautions(result)
    return [*first, *(row for row in result.rows if row not in first)]


def _caution(result: ReadingResult) -> str:
    rows = cautions(result)
    if len(rows) < 2:
        return ""
    least = min(rows, key=lambda row: row.share.figure)
    most = max(rows, key=lambda row: row.share.figure)
    return f" It depends on how boldly they rap: {_at(least)}, {_at(most)}."


def _at(row: Row) -> str:
    return f"{whole(row.other)} of {whole(row.evenings)} ({span(row.share)}) if they {_rap(row.policy)}"


def _rap(policy: str) -> str:
    count = policy.removeprefix("raps at ")
    return "rap only at 0" if count == "0" else f"rap at {count} or less"
