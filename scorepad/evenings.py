"""An evening: the games of one table in a row, who won how often, the points of each game, the chips summed.

Figures are remembered by pad and log. Of those that are not, each request works out a share, and says that
the others follow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorepad import ledger, pad_results, pads
from scorepad.access import links
from scorepad.access.links import AnyLink
from scorepad.access.permissions import PadAccess
from scorepad.exports import stamp
from scorepad.models import Evening, Pad
from scorepad.pad_results import PENDING, PadResult
from scorepad.presentation.bar_chart import BarChart, draw_bars

RETRY_SECONDS = 1
"""So soon it is worth asking again for the figures that follow."""


@dataclass(frozen=True)
class EveningGame:
    """One game of the evening as it stands."""

    pad: Pad
    result: PadResult

    @property
    def is_pending(self) -> bool:
        return self.result is PENDING

    @property
    def title(self) -> str:
        return ledger.game_of(self.pad).title

    def as_dict(self) -> dict[str, Any]:
        result = self.result
        return {
            "pad": f"/pads/{self.pad.code}/",
            "game": self.pad.game,
            "title": self.title,
            "players": list(self.pad.players),
            "made": stamp(self.pad.made_at),
            "status": result.status,
            "stopped": None if self.is_pending else pads.stopped(self.pad),
            "totals": dict(result.totals),
            "winners": list(result.winners),
            "chips": dict(result.chips) if result.chips is not None else None,
        }


def open_pads(evening: Evening, held: Sequence[PadAccess]) -> dict[Pad, AnyLink]:
    """The games of the evening that these links open, each with its link: their own, and those after them, as
    the address of the next game opens them. A club's link opens what is in the club, and nothing after it."""
    opened = {access.pad.pk: access.link for access in held}
    handed_on = {access.pad.pk: access.link for access in held if not access.by_club}
    pads_in_order = list(evening.pads.filter(removed_at=None).order_by("made_at", "pk"))
    for pad in pads_in_order:
        before = handed_on.get(pad.follows_id or 0)
        inherited = links.inherited_link(pad, before) if before and pad.pk not in handed_on else None
        if inherited is not None:
            opened[pad.pk] = handed_on[pad.pk] = inherited
    return {pad: opened[pad.pk] for pad in pads_in_order if pad.pk in opened}


def share_link(opened: Mapping[Pad, AnyLink]) -> str | None:
    """The viewer's link of the first game, which opens the games after it too; None where it was ended. Who
    came by a club has no link to hand on."""
    first = next((pad for pad, link in opened.items() if link.target == pad), None)
    address = links.addresses(first, links.WATCH).get(links.WATCH) if first else None
    return f"{address}?evening" if address else None


def games(shown: Sequence[Pad]) -> list[EveningGame]:
    return [EveningGame(*one) for one in zip(shown, pad_results.results(shown), strict=True)]


def standings(played: list[EveningGame]) -> list[dict[str, Any]]:
    """Each person of the evening, by name: games, wins, chips. The most wins first."""
    people: dict[str, dict[str, Any]] = {}
    for one in played:
        for name in one.pad.players:
            row = people.setdefault(
                name.casefold(), {"player": name, "games": 0, "finished": 0, "won": 0, "chips": None}
            )
            row["games"] += 1
            if one.result.status == "finished":
                row["finished"] += 1
                row["won"] += name in one.result.winners
            if one.result.chips is not None:
                row["chips"] = (row["chips"] or 0) + one.result.chips[name]
    return sorted(people.values(), key=lambda row: -row["won"])


def points(played: list[EveningGame], people: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each game with everyone's points, in the order of these people; None for who did not play it."""
    rows = []
    for one in played:
        by_name = {name.casefold(): (total, name) for name, total in one.result.totals.items()}
        found = [by_name.get(row["player"].casefold()) for row in people]
        cells = [
            {"total": cell[0], "has_won": cell[1] in one.result.winners} if cell else None for cell in found
        ]
        rows.append({"game": one, "cells": cells})
    return rows


def wins_chart(people: list[dict[str, Any]]) -> BarChart | None:
    """Everyone's wins; None before the first."""
    if not any(row["won"] for row in people):
        return None
    bars = [(row["player"], row["won"], f"{row['won']} of {row['finished']}") for row in people]
    ends = ", ".join(f"{name} {words}" for name, _, words in bars)
    return draw_bars(bars, f"Games won of games finished: {ends}.")


def as_dict(evening: Evening, shown: Sequence[Pad]) -> dict[str, Any]:
    played = games(shown)
    return {
        "evening": evening.code,
        "games": [one.as_dict() for one in played],
        "standings": standings(played),
        "pending": sum(one.is_pending for one in played),
    }
