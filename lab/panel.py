"""Panels: what pages show of a reading, a sentence and a chart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from engine import Option
from lab.chart import Chart, draw
from lab.findings import ReadingResult, Row, results
from lab.intervals import Interval
from lab.sentences import in_order, sentence, share_words, whole


class ShownRow(NamedTuple):
    """A kind of table, every figure with its number and interval."""

    label: str
    evenings: str
    other: str
    shared: str
    parted: str
    longer: str
    wider: str


class Panel(NamedTuple):
    """A reading's figures, in words and as a drawing."""

    result: ReadingResult
    sentence: str
    chart: Chart

    @property
    def rows(self) -> list[ShownRow]:
        """The table behind the chart."""
        return [_shown(row) for row in in_order(self.result)]

    @property
    def name(self) -> str:
        """A name of its own on a page."""
        return f"lab-{self.result.option}-{self.result.value}"


def _shown(row: Row) -> ShownRow:
    return ShownRow(
        row.label,
        whole(row.evenings),
        share_words(row.other, row.share),
        whole(row.shared),
        share_words(row.parted, row.parted_share),
        _more(row.longer),
        _more(row.wider),
    )


def _more(interval: Interval) -> str:
    """A difference with its sign and bounds; nothing to say where there is none."""
    if interval.low == interval.high == 0:
        return "the same"
    return f"{_signed(interval.figure)} ({_signed(interval.low)} to {_signed(interval.high)})"


def _signed(number: float) -> str:
    return f"{number:+.1f}".replace("-", "−")


def of_numbers(found: Mapping[str, Panel], option: Option) -> list[Panel]:
    """The numbers of an option that were simulated like readings; none where it has readings."""
    if option.readings:
        return []
    return [panel for panel in found.values() if panel.result.option == option.key]


@lru_cache(maxsize=16)
def panels(folder: Path, game: str) -> dict[str, Panel]:
    """The panels of a game by `option=value`; none for a game that is not simulated."""
    found = results(folder, game)
    if found is None:
        return {}
    return {key: Panel(result, sentence(result), draw(result)) for key, result in found.readings.items()}
