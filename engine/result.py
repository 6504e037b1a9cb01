"""The result of a sheet: every number awarded with its passages, the totals, who has won and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.rules import Cites, Ended

VERSION = 1


class Line(NamedTuple):
    """One number on the pad: the entry it comes from, whose it is, and the passages that award it."""

    entry: int
    player: str
    points: int
    symbol: str
    cites: Cites
    why: str

    def as_dict(self) -> dict[str, Any]:
        return self._asdict() | {"cites": list(self.cites)}


class Result(NamedTuple):
    """The result of a sheet."""

    game: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    status: str
    totals: dict[str, int]
    winners: tuple[str, ...]
    ended: Ended | None
    lines: tuple[Line, ...]
    state: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        ended = self.ended and {"why": self.ended.why, "cites": list(self.ended.cites)}
        return {
            "tally": VERSION,
            "game": self.game,
            "options": dict(self.options),
            "players": list(self.players),
            "status": self.status,
            "totals": self.totals,
            "winners": list(self.winners),
            "ended": ended,
            "lines": [line.as_dict() for line in self.lines],
            "state": self.state,
        }
