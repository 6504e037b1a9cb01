"""An evening: the games of one table in a row, who won how often, and the chips summed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import engine
from scorepad import ledger, pads
from scorepad.access import links
from scorepad.exports import stamp
from scorepad.models import Evening, Link, Pad


@dataclass(frozen=True)
class EveningGame:
    """One game of the evening as it stands."""

    pad: Pad
    result: engine.Result | None
    chips: dict[str, int] | None
    """Chips won or lost by each player, in games that are played for them."""

    def as_dict(self) -> dict[str, Any]:
        result = self.result
        return {
            "pad": f"/pads/{self.pad.code}/",
            "game": self.pad.game,
            "title": ledger.game_of(self.pad).title,
            "players": list(self.pad.players),
            "made": stamp(self.pad.made_at),
            "status": result.status if result else "unreadable",
            "stopped": pads.stopped(self.pad),
            "totals": dict(result.totals) if result else {},
            "winners": list(result.winners) if result else [],
            "chips": self.chips,
        }


def open_pads(evening: Evening, held: Iterable[Link]) -> list[Pad]:
    """The games of the evening that these live links open: their own, and those after them, as the address
    of the next game opens them."""
    opened = {link.pad_id: link for link in held}
    pads_in_order = list(evening.pads.filter(removed_at=None).order_by("made_at", "pk"))
    for pad in pads_in_order:
        before = opened.get(pad.follows_id or 0)
        inherited = links.inherited_link(pad, before) if before and pad.pk not in opened else None
        if inherited is not None:
            opened[pad.pk] = inherited
    return [pad for pad in pads_in_order if pad.pk in opened]


def games(shown: Iterable[Pad]) -> list[EveningGame]:
    return [_game(pad) for pad in shown]


def _game(pad: Pad) -> EveningGame:
    try:
        now = ledger.position(pad)
    except engine.Refused:
        return EveningGame(pad, None, None)
    result = now.result()
    chips = None
    if now.game.stake:
        stake = int(now.table.options[now.game.stake])
        chips = {name: total - stake for name, total in result.totals.items()}
    return EveningGame(pad, result, chips)


def standings(played: list[EveningGame]) -> list[dict[str, Any]]:
    """Each person of the evening, by name: games, wins, chips. The most wins first."""
    people: dict[str, dict[str, Any]] = {}
    for one in played:
        for name in one.pad.players:
            row = people.setdefault(
                name.casefold(), {"player": name, "games": 0, "finished": 0, "won": 0, "chips": None}
            )
            row["games"] += 1
            if one.result is not None and one.result.status == "finished":
                row["finished"] += 1
                row["won"] += name in one.result.winners
            if one.chips is not None:
                row["chips"] = (row["chips"] or 0) + one.chips[name]
    return sorted(people.values(), key=lambda row: -row["won"])


def as_dict(evening: Evening, shown: Iterable[Pad]) -> dict[str, Any]:
    played = games(shown)
    return {
        "evening": evening.code,
        "games": [one.as_dict() for one in played],
        "standings": standings(played),
    }
