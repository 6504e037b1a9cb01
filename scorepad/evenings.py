"""An evening: the games of one table in a row, who won how often, and the chips summed.

Figures are remembered by pad and log. Of those that are not, each request works out a share, and says that
the others follow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from ratelimit.limiter import RateLimitError
from scorepad import ledger, pad_results, pads
from scorepad.access import links
from scorepad.exports import stamp
from scorepad.limits import limit
from scorepad.models import Entry, Evening, Link, Pad
from scorepad.pad_results import PadResult

RETRY_SECONDS = 1
"""So soon it is worth asking again for the figures that follow."""
PENDING = PadResult("pending", {}, (), None, "")
"""The result of a game whose figures follow."""


@dataclass(frozen=True)
class EveningGame:
    """One game of the evening as it stands."""

    pad: Pad
    result: PadResult

    @property
    def is_pending(self) -> bool:
        return self.result is PENDING

    def as_dict(self) -> dict[str, Any]:
        result = self.result
        return {
            "pad": f"/pads/{self.pad.code}/",
            "game": self.pad.game,
            "title": ledger.game_of(self.pad).title,
            "players": list(self.pad.players),
            "made": stamp(self.pad.made_at),
            "status": result.status,
            "stopped": None if self.is_pending else pads.stopped(self.pad),
            "totals": dict(result.totals),
            "winners": list(result.winners),
            "chips": dict(result.chips) if result.chips is not None else None,
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


def games(shown: Sequence[Pad]) -> list[EveningGame]:
    """The games of these pads. Only so much is replayed for them in one request."""
    whole = left = limit("ENTRIES_REPLAYED_FREE_MOST")
    heads = _heads(shown)
    played = []
    for pad in shown:
        head, found = heads.get(pad.pk, 0), pad_results.known(pad)
        if found is None and (head <= left or left == whole):
            found = _replayed(pad, head, left)
            left -= head
        played.append(EveningGame(pad, PENDING if found is None else found))
    return played


def _heads(shown: Sequence[Pad]) -> dict[int, int]:
    last = Entry.objects.filter(pad__in=shown).values("pad").annotate(head=Max("number"))
    return dict(last.values_list("pad", "head"))


def _replayed(pad: Pad, head: int, most: int) -> PadResult | None:
    """The result of a log that is replayed for it; None if it is longer, or the budget of this address is
    spent."""
    try:
        # An evening is read once in a while: its logs would only drive those being played from the cache.
        is_short = head <= most or pad.last_seal is None
        return pad_results.result(pad, remember=False) if is_short else pad_results.in_part(pad, most)
    except RateLimitError:
        return None


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


def as_dict(evening: Evening, shown: Sequence[Pad]) -> dict[str, Any]:
    played = games(shown)
    return {
        "evening": evening.code,
        "games": [one.as_dict() for one in played],
        "standings": standings(played),
        "pending": sum(one.is_pending for one in played),
    }
