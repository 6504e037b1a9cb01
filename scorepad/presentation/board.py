"""The board: a pad for a television or a tablet, with large totals and the reason for the last entry."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Line
from scorepad import pads
from scorepad.layouts import PadState, layout_of
from scorepad.layouts.base import Layout
from scorepad.ledger import LogEntry
from scorepad.presentation.last_entry import LastEntry, changes_in_words, last_entry
from scorepad.presentation.race_chart import DASHES, Race, draw_race
from scorepad.snapshots import Snapshot

REASONS_MOST = 3
"""More could not be read from three metres."""
FIGURE_LENGTH_MOST = 4


@dataclass(frozen=True)
class BoardSeat:
    """One seat: its total, or words where no number says it, and the dash of its line in the race."""

    name: str
    total: int
    words: str
    number: int
    dash: str
    is_leading: bool
    has_won: bool

    @property
    def is_long(self) -> bool:
        return len(str(self.total)) > FIGURE_LENGTH_MOST


@dataclass(frozen=True)
class Board:
    title: str
    status: str
    seats: tuple[BoardSeat, ...]
    last: LastEntry
    reasons: tuple[Line, ...]
    changes: list[str]
    more_reasons: int
    race: Race | None
    head: int
    is_over: bool


def draw_board(snapshot: Snapshot) -> Board:
    """The board as the log stands; what is only being entered is not on it."""
    pad, state = snapshot.pad, snapshot.state()
    newest, layout, stopped = snapshot.last_entry(), layout_of(pad.game), pads.stopped(pad)
    last = last_entry(pad, state, None, [newest] if newest else [])
    lines = [line for _, line in state.lines_of.get(len(state.position.entries) - 1, [])]
    return Board(
        title=state.position.game.title,
        status=stopped["says"].capitalize() if stopped else layout.status(state),
        seats=_seats(layout, state),
        last=last,
        reasons=tuple(lines[:REASONS_MOST]),
        changes=changes_in_words(state, REASONS_MOST),
        more_reasons=max(0, len(lines) + _count_changes(newest) - REASONS_MOST),
        race=draw_race(state),
        head=len(state.position.entries),
        is_over=state.finished,
    )


def _count_changes(newest: LogEntry | None) -> int:
    return len(newest.entry["changes"]) if newest and newest.entry["type"] == "revise" else 0


def _seats(layout: Layout, state: PadState) -> tuple[BoardSeat, ...]:
    leaders = _leaders(state)
    return tuple(
        BoardSeat(
            name,
            state.result.totals[name],
            layout.standing_words(state, name),
            number,
            DASHES[number % len(DASHES)],
            is_leading=name in leaders,
            has_won=name in state.result.winners,
        )
        for number, name in enumerate(state.players)
    )


def _leaders(state: PadState) -> Sequence[str]:
    """Who is ahead; nobody while all are level."""
    totals = state.result.totals
    best = min(totals.values()) if state.position.game.lowest_wins else max(totals.values())
    ahead = [name for name, total in totals.items() if total == best]
    return ahead if len(ahead) < len(totals) else []
