"""Everything a pad's fragments need, gathered once per page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import engine
from engine import Result
from scorepad import drafts, ledger, pads, taps
from scorepad.access.links import PLAY, PadAccess
from scorepad.chips import denominations, purses
from scorepad.layouts import PadState, generic, kind_of, thumbs_up
from scorepad.models import Pad
from scorepad.presentation.last_entry import Last, last_of
from scorepad.presentation.panels import DrawnPanel

BIG_PANELS = frozenset(("numbers", "cards", "blocks", "letters", "pieces", "held", "taken", "numbers_picked"))
"""With these the thumb needs the room of the sheet."""


@dataclass(frozen=True)
class Shown:
    """One pad as it is drawn now."""

    look: str
    title: str
    status: str
    stopped: str
    seats: Sequence[Any]
    sheet: Sequence[Any]
    panel: DrawnPanel | None
    last: Last
    result: Result
    players: tuple[str, ...]
    head: int
    draft_id: str
    drafted: str
    may_write: bool
    is_asking: bool
    first_dealer: str
    stylesheet: str
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seats_fragment(self) -> str:
        return f"scorepad/layouts/{self.look.replace('-', '_')}/_seats.html"

    @property
    def sheet_fragment(self) -> str:
        return f"scorepad/layouts/{self.look.replace('-', '_')}/_sheet.html"

    @property
    def panel_fragment(self) -> str:
        return f"scorepad/panels/_{self.panel.look}.html" if self.panel else ""

    def __getattr__(self, name: str) -> Any:
        # What only one kind of pad shows: kept, rack, payments.
        try:
            return object.__getattribute__(self, "extra")[name]
        except KeyError:
            raise AttributeError(name) from None


def show(holder: PadAccess, at: str = "", by: str = "", again: bool = False) -> Shown:
    pad = holder.pad
    drafted = drafts.shown(pad)
    own = holder.who.seat
    name = pad.players[own] if own is not None and own < len(pad.players) else ""
    looking = {"at": at, "by": by, "again": again, "own": name}
    moment = taps.moment_of(pad, drafted, may_write=holder.may(PLAY), **looking)
    return of_moment(pad, moment, drafted, ledger.log(pad)[-1:] if moment.position.entries else [])


def of_moment(
    pad: Pad, moment: PadState, drafted: Mapping[str, Any] | None, newest: Sequence[ledger.LogEntry]
) -> Shown:
    kind = kind_of(pad.game)
    panel = kind.panel(moment) if not pad.stopped_at else None
    is_asking = bool(panel and panel.look in BIG_PANELS and not (panel.look == "letters" and pad.stopped_at))
    stopped = pads.stopped(pad)
    extra: dict[str, Any] = _ended(moment)
    if kind is thumbs_up:
        values = denominations.denominations(pad)
        held, paid = purses.followed(moment, denominations.starting_chips(pad))
        extra |= {
            "kept": thumbs_up.kept(moment),
            "rack": thumbs_up.rack(moment, values, held),
            "paying": [purses.said(one, moment.players) for one in paid],
            "payments": thumbs_up.payments(moment) if moment.finished else [],
            "end_key": thumbs_up.end_key(moment),
        }
        seats = thumbs_up.seats(moment, values, held)
    else:
        seats = kind.seats(moment)
    return Shown(
        look=kind.LOOK,
        title=moment.position.game.title,
        status=kind.status(moment),
        stopped=stopped["says"].capitalize() if stopped else "",
        seats=seats,
        sheet=kind.sheet(moment),
        panel=DrawnPanel(panel) if panel else None,
        last=last_of(pad, moment, drafted, newest),
        result=moment.result,
        players=moment.players,
        head=len(moment.position.entries),
        draft_id=drafted["id"] if drafted else "",
        drafted=f"{drafted['id']}.{drafted['revision']}" if drafted else "",
        may_write=moment.may_write and not stopped,
        is_asking=is_asking,
        first_dealer=moment.players[moment.position.table.dealer],
        stylesheet=f"css/pad-{kind.LOOK if kind.LOOK != 'generic' else 'rummy'}.css",
        extra=extra,
    )


def _ended(moment: PadState) -> dict[str, Any]:
    ended = moment.position.ended
    if ended is None:
        return {}
    return {
        "flags": range(21),
        "ended_words": generic.ended_words(moment),
        "ended_cites": cite_addresses(ended.cites),
    }


def cite_addresses(cites: Sequence[str]) -> list[dict[str, str]]:
    """The passages by their public address; the archive answers there."""
    shown = []
    for cite in cites:
        book, _, anchor = cite.partition("/")
        shown.append({"address": f"/books/{book}/passages/{anchor}/", "anchor": anchor, "book": book})
    return shown


def refusal_of(refused: engine.Refused) -> dict[str, Any]:
    return {"message": refused.message, "code": refused.code, "cites": cite_addresses(refused.cites)}


__all__ = ["Shown", "cite_addresses", "of_moment", "refusal_of", "show"]
