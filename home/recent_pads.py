"""Pads of this phone for the home page: the state of each in a few words and figures."""

from dataclasses import dataclass

from django.http import HttpRequest

import engine
from engine.rules import listed
from ratelimit.limiter import RateLimitError
from scorepad import pads, snapshots
from scorepad.access import permissions
from scorepad.layouts import layout_of
from scorepad.models import Pad

MAX_SHOWN = 6


@dataclass(frozen=True)
class PlayerTotal:
    """A player and his total, which is None while there is none, or where the game has no points."""

    name: str
    total: int | None
    has_won: bool


@dataclass(frozen=True)
class RecentPad:
    """A pad as the list shows it; `code` is how the phone's outbox knows it."""

    code: str
    title: str
    seats: tuple[PlayerTotal, ...]
    words: str
    is_playing: bool


def for_request(request: HttpRequest) -> list[RecentPad]:
    """The pads this phone can still open, the latest first. A phone without any costs no query."""
    return [_recent_pad(access.pad) for access in permissions.remembered_pads(request)[:MAX_SHOWN]]


def _recent_pad(pad: Pad) -> RecentPad:
    code, game = pad.code, engine.GAMES.get(pad.game)
    if game is None:
        return RecentPad(code, pad.game, (), "This version of the site does not know the game.", False)
    try:
        state = snapshots.state_without_draft(pad, may_write=False)
    except engine.Refused as refused:
        # A newer engine may refuse an old log. The pad's own page explains it; the home page goes on.
        return RecentPad(code, game.title, (), refused.message, False)
    except RateLimitError:
        # The home page does not wait for long logs.
        return RecentPad(code, game.title, (), "A long game; its figures are on the pad.", True)
    result, stopped = state.result, pads.stopped(pad)
    counts = any(line.points for line in result.lines)
    seats = tuple(
        PlayerTotal(name, result.totals[name] if counts else None, name in result.winners)
        for name in state.players
    )
    if state.finished:
        words = f"Finished; {listed(list(result.winners))} won"
    elif stopped:
        words = str(stopped["says"]).capitalize()
    else:
        words = layout_of(pad.game).status(state)
    return RecentPad(code, game.title, seats, words, not (state.finished or stopped))
