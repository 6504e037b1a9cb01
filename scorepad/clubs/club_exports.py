"""Exports of a club: its statistics as JSON, and every seat of every game as a row of a spreadsheet."""

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from scorepad.clubs import club_names
from scorepad.clubs.club_games import ClubGame, Season
from scorepad.clubs.statistics import Statistics
from scorepad.exports import spreadsheet_text, stamp
from scorepad.models import Club

HEADS = ("date", "evening", "pad", "game", "player", "person", "points", "won", "status")


def as_dict(club: Club, season: Season, found: Statistics) -> dict[str, Any]:
    told = asdict(found)
    for person, shown in zip(found.persons, told["persons"], strict=True):
        shown["share"] = person.share
        shown["plays"] = dict(person.plays)
    return {
        "club": f"/clubs/{club.code}/",
        "name": club.name,
        "game": season.game or None,
        "from": season.since.isoformat() if season.since else None,
        "to": season.until.isoformat() if season.until else None,
        "joined": club_names.identities(club),
        **told,
    }


def games_csv(games: Iterable[ClubGame]) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(HEADS)
    for game in games:
        first = [stamp(game.made_at), game.evening, game.code, game.title]
        for seat in game.seats:
            names = [spreadsheet_text(seat.name), spreadsheet_text(seat.person)]
            points = "" if seat.points is None else seat.points
            rows.writerow([*first, *names, points, int(seat.has_won), game.status])
    return out.getvalue()
