"""Games of a club with their results, and a choice of them: one game, one season, one person.

The results are folded from the logs and remembered by pad and log; what is not is worked out by and by, a
share for each request.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import engine
from scorepad import declarations, pad_results
from scorepad.clubs import club_names
from scorepad.models import Club, Pad
from scorepad.pad_results import PadResult


@dataclass(frozen=True)
class ClubSeat:
    """A seat of a game: the person, how the pad writes the name, the points if it has any, and a win."""

    person: str
    name: str
    points: int | None
    has_won: bool

    @property
    def key(self) -> str:
        return self.person.casefold()

    @property
    def score(self) -> str:
        points = "" if self.points is None else f" {self.points}".replace("-", "−")
        return f"{self.person}{points}{' (won)' if self.has_won else ''}"


@dataclass(frozen=True)
class ClubGame:
    """One pad of a club as it stands."""

    code: str
    game: str
    title: str
    made_at: datetime
    evening: str
    status: str
    seats: tuple[ClubSeat, ...]
    head: int
    lowest_wins: bool
    greatest: tuple[str, int, int] | None

    @property
    def is_finished(self) -> bool:
        return self.status == "finished"

    @property
    def is_pending(self) -> bool:
        return self.status == "pending"

    @property
    def address(self) -> str:
        """The game at its last entry: the moment its figures come from."""
        return f"/pads/{self.code}/history/?at={self.head}" if self.head else f"/pads/{self.code}/"

    @property
    def winners(self) -> list[str]:
        return [seat.person for seat in self.seats if seat.has_won]

    @property
    def score(self) -> str:
        """Everyone's points in one line."""
        return "; ".join(seat.score for seat in self.seats)

    def seat_of(self, key: str) -> ClubSeat | None:
        return next((seat for seat in self.seats if seat.key == key), None)


@dataclass(frozen=True)
class Season:
    """A choice of games: of one kind or all, between two days, both included. Days are those of UTC."""

    game: str = ""
    since: date | None = None
    until: date | None = None

    def has(self, game: str, made_at: datetime) -> bool:
        day = made_at.astimezone(UTC).date()
        is_in_time = (self.since is None or day >= self.since) and (self.until is None or day <= self.until)
        return is_in_time and self.game in ("", game)

    @property
    def query(self) -> str:
        """The same in an address; empty for all games."""
        words = {"game": self.game, "from": _iso(self.since), "to": _iso(self.until)}
        return "&".join(f"{key}={value}" for key, value in words.items() if value)


def read_season(given: Mapping[str, Any]) -> Season:
    """The season that an address names; raises Refused for a day or a game that is none."""
    game = str(given.get("game") or "")
    if game and declarations.game_of(game) is None:
        raise engine.Refused("unknown-game", "We do not know this game. Choose one of ours.")
    return Season(game, _day(given.get("from")), _day(given.get("to")))


def kinds(club: Club) -> list[engine.Game]:
    """The games a season can be of: all of the engine's, and the declared ones that the club has played."""
    played = Pad.objects.filter(club_pads__club=club, game__contains="@").values_list("game", flat=True)
    declared = (declarations.game_of(name) for name in sorted({*played}))
    return [*engine.GAMES.values(), *(game for game in declared if game is not None)]


def title_of(name: str) -> str:
    game = declarations.game_of(name) if name else None
    return game.title if game else ""


def _day(typed: Any) -> date | None:
    if not typed:
        return None
    try:
        return date.fromisoformat(str(typed))
    except ValueError:
        raise engine.Refused("bad-date", "Write a day as 2026-05-31: year, month, day.") from None


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def games(club: Club, season: Season) -> list[ClubGame]:
    """The games of the season, the oldest first."""
    rows = Pad.objects.filter(club_pads__club=club, removed_at=None).select_related("evening")
    shown = [pad for pad in rows.order_by("made_at", "pk") if season.has(pad.game, pad.made_at)]
    joined = club_names.identities(club)
    found = pad_results.results(shown)
    return [_game(pad, result, joined) for pad, result in zip(shown, found, strict=True)]


def _game(pad: Pad, result: PadResult, joined: Mapping[str, str]) -> ClubGame:
    known = declarations.game_of(pad.game)
    points = result.chips if result.chips is not None else result.totals
    counts = any(points.values())
    seats = tuple(
        ClubSeat(person, name, points.get(name) if counts else None, name in result.winners)
        for person, name in zip(club_names.persons(pad.players, joined), pad.players, strict=True)
    )
    return ClubGame(
        pad.code,
        pad.game,
        known.title if known else pad.game,
        pad.made_at,
        pad.evening.code if pad.evening else "",
        result.status,
        seats,
        result.head,
        known is not None and known.lowest_wins,
        result.greatest,
    )


def of_person(games: Iterable[ClubGame], name: str, won: bool = False) -> list[ClubGame]:
    """The games this person sat at, or only those he won."""
    key = name.casefold()
    return [game for game in games if (seat := game.seat_of(key)) and (seat.has_won or not won)]
