"""Pads and clubs of this phone for the home page: the state of each pad in a few words and figures."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

import engine
from engine.rules import listed
from ratelimit.limiter import RateLimitError
from scorepad import declarations, pad_results, pads, snapshots
from scorepad.access import permissions
from scorepad.layouts import layout_of
from scorepad.models import Club, Pad

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


@dataclass(frozen=True)
class KnownPads:
    """A page of the pads this phone can still open, and how many there are; the clubs it knows."""

    pads: list[RecentPad]
    page: Page[Pad]
    clubs: list[Club]


def for_request(request: HttpRequest, number: str | int | None = 1) -> KnownPads:
    """The pads this phone can still open: those not finished first, then the latest. A phone without any
    costs no query."""
    known = [access.pad for access in permissions.remembered_pads(request)]
    page = Paginator(_unfinished_first(known), MAX_SHOWN).get_page(number)
    clubs = [access.club for access in permissions.remembered_clubs(request)]
    return KnownPads([_recent_pad(pad) for pad in page], page, clubs)


def _unfinished_first(known: list[Pad]) -> list[Pad]:
    """What is not known yet to be finished or stopped may still be played."""
    if len(known) < 2:
        return known
    found = pad_results.results(known)
    is_over = {
        pad.pk: result.status == "finished" or pad.stopped_at is not None
        for pad, result in zip(known, found, strict=True)
    }
    return sorted(known, key=lambda pad: is_over[pad.pk])


def _recent_pad(pad: Pad) -> RecentPad:
    code, game = pad.code, declarations.game_of(pad.game)
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
