"""Bar chart: a row for each name, as numbers for an inline SVG.

A row has its words and its figures as text, so that neither colour nor the drawing is needed to read it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 320
ROW, TEXT, BAR = 34, 13, 19
LABEL_MOST = 26
"""Letters of a name that fit beside its figures."""


@dataclass(frozen=True)
class Bar:
    """One row: its words, its figures, and where they and the bar lie."""

    label: str
    figures: str
    text_y: int
    y: int
    length: float


@dataclass(frozen=True)
class BarChart:
    """A chart, ready to be drawn; `summary` says the same in a sentence."""

    bars: tuple[Bar, ...]
    height: int
    summary: str


def draw_bars(rows: Sequence[tuple[str, float, str]], summary: str) -> BarChart:
    """The chart of these rows: name, number, and the number in words. The longest bar is the greatest."""
    most = max((number for _, number, _ in rows), default=0) or 1
    bars = tuple(
        Bar(
            _short(label),
            figures,
            ROW * place + TEXT,
            ROW * place + BAR,
            round(max(WIDTH * number / most, 1.5), 1),
        )
        for place, (label, number, figures) in enumerate(rows)
    )
    return BarChart(bars, ROW * len(rows), summary)


def _short(label: str) -> str:
    return label if len(label) <= LABEL_MOST else f"{label[: LABEL_MOST - 1]}…"
