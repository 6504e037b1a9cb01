"""Everything a pad's fragments need, gathered once per page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import engine
from engine import Result
from scorepad import draft, ledger, making, pads, stakes
from scorepad.links import PLAY, Holder
from scorepad.models import Pad
from scorepad.showing import Moment, chips, drawn, kind_of, purses
from scorepad.showing.keys import Key, Panel

BIG_PANELS = frozenset(("numbers", "cards", "blocks", "letters", "pieces", "held", "taken", "numbers_picked"))
"""With these the thumb needs the room of the sheet."""


@dataclass(frozen=True)
class Last:
    """What was entered last, and how to take it back."""

    who: str = ""
    what: str = ""
    by: str = ""
    at: datetime | None = None
    state: str = ""
    undo: str = ""
    undo_part: str = ""
    put_back: str = ""

    @property
    def spoken(self) -> str:
        return f"{self.who} {self.what}".strip()


@dataclass(frozen=True)
class Shown:
    """One pad as it is drawn now."""

    look: str
    title: str
    status: str
    stopped: str
    seats: Sequence[Any]
    sheet: Sequence[Any]
    panel: Panel | None
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
        return f"scorepad/looks/_seats_{self.look}.html"

    @property
    def sheet_fragment(self) -> str:
        return f"scorepad/looks/_sheet_{self.look}.html"

    @property
    def panel_fragment(self) -> str:
        return f"scorepad/panels/_{self.panel.look}.html" if self.panel else ""

    def __getattr__(self, name: str) -> Any:
        # What only one kind of pad shows: kept, rack, payments.
        try:
            return object.__getattribute__(self, "extra")[name]
        except KeyError:
            raise AttributeError(name) from None


def show(holder: Holder, at: str = "", by: str = "", again: bool = False) -> Shown:
    pad = holder.pad
    drafted = draft.shown(pad)
    own = holder.who.seat
    name = pad.players[own] if own is not None and own < len(pad.players) else ""
    looking = {"at": at, "by": by, "again": again, "own": name}
    moment = making.moment_of(pad, drafted, may_write=holder.may(PLAY), **looking)
    return of_moment(pad, moment, drafted, ledger.log(pad)[-1:] if moment.position.entries else [])


def of_moment(
    pad: Pad, moment: Moment, drafted: Mapping[str, Any] | None, newest: Sequence[ledger.Recorded]
) -> Shown:
    kind = kind_of(pad.game)
    panel = kind.panel(moment) if not pad.stopped_at else None
    is_asking = bool(panel and panel.look in BIG_PANELS and not (panel.look == "letters" and pad.stopped_at))
    stopped = pads.stopped(pad)
    extra: dict[str, Any] = _ended(moment)
    if kind is chips:
        values = stakes.denominations(pad)
        held, paid = purses.followed(moment, stakes.starting_chips(pad))
        extra |= {
            "kept": chips.kept(moment),
            "rack": chips.rack(moment, values, held),
            "paying": [purses.said(one, moment.players) for one in paid],
            "payments": chips.payments(moment) if moment.finished else [],
            "end_key": chips.end_key(moment),
        }
        seats = chips.seats(moment, values, held)
    else:
        seats = kind.seats(moment)
    return Shown(
        look=kind.LOOK,
        title=moment.position.game.title,
        status=kind.status(moment),
        stopped=stopped["says"].capitalize() if stopped else "",
        seats=seats,
        sheet=kind.sheet(moment),
        panel=drawn_panel(panel) if panel else None,
        last=last_of(pad, moment, drafted, newest),
        result=moment.result,
        players=moment.players,
        head=len(moment.position.entries),
        draft_id=drafted["id"] if drafted else "",
        drafted=f"{drafted['id']}.{drafted['revision']}" if drafted else "",
        may_write=moment.may_write and not stopped,
        is_asking=is_asking,
        first_dealer=moment.players[moment.position.table.dealer],
        stylesheet=f"css/pad-{kind.LOOK if kind.LOOK != 'drawn' else 'against'}.css",
        extra=extra,
    )


def _ended(moment: Moment) -> dict[str, Any]:
    ended = moment.position.ended
    if ended is None:
        return {}
    return {
        "flags": range(21),
        "ended_words": drawn.ended_words(moment),
        "ended_cites": cite_addresses(ended.cites),
    }


@dataclass(frozen=True)
class Drawn:
    """A panel with what its fragment needs to lay out its keys."""

    panel: Panel

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "panel"), name)

    @property
    def fragment(self) -> str:
        return f"scorepad/panels/_{self.panel.look}.html"

    @property
    def about(self) -> str:
        steps = self.panel.place.split("/")
        return "/".join(steps[:2]) if self.panel.seat else steps[0]

    @property
    def path_json(self) -> str:
        return json.dumps(self.panel.place.split("/"))

    @property
    def units(self) -> range:
        return range(10)

    @property
    def letter_keys(self) -> list[dict[str, Any]]:
        return [
            {"key": key, "color": key.words.split()[0], "letter": key.words.split()[1]}
            for key in _letters_in_rows(self.panel.keys)
        ]

    @property
    def special_keys(self) -> list[Key]:
        return [key for key in self.panel.keys if not _is_letter(key)]

    @property
    def by_seat(self) -> list[tuple[str, Sequence[Key]]]:
        """The keys under each name."""
        names = self.panel.columns
        each = len(self.panel.keys) // len(names)
        return [(name, self.panel.keys[seat * each : (seat + 1) * each]) for seat, name in enumerate(names)]

    @property
    def by_symbol(self) -> list[dict[str, Any]]:
        """The keys row by row: all colours of one symbol, then the next symbol."""
        rows: dict[str, list[dict[str, Any]]] = {}
        for key in self.panel.keys:
            color, symbol = key.words.split()
            letter = chips.COLOR_LETTERS[color]
            rows.setdefault(symbol, []).append(
                {"key": key, "color": color, "symbol": symbol, "letter": letter}
            )
        return [one for row in rows.values() for one in row]


def _is_letter(key: Key) -> bool:
    words = key.words.split()
    return len(words) == 2 and len(words[1]) == 1


def _letters_in_rows(keys: Sequence[Key]) -> list[Key]:
    """Each colour's VICTOR in one row of six, then the three Ms together."""
    letters = [key for key in keys if _is_letter(key)]
    if len(letters) < 21:
        return letters
    return [key for key in letters if key.words[-1] != "M"] + [key for key in letters if key.words[-1] == "M"]


def drawn_panel(panel: Panel) -> Any:
    return Drawn(panel)


def last_of(
    pad: Pad, moment: Moment, drafted: Mapping[str, Any] | None, newest: Sequence[ledger.Recorded]
) -> Last:
    if drafted and drafted["filled"]:
        return _last_part(moment, drafted)
    if not newest:
        return Last()
    recorded = newest[-1]
    undo = _undo(moment)
    who = recorded.who.named(pad.players)
    if recorded.entry["type"] == "void":
        target = _was(moment, recorded.entry["of"])
        bold, what = _said(moment, target)
        back = {"type": "amend", "of": recorded.entry["of"], "entry": target}
        return Last(
            "Undone:", f"{bold} {what}", who, recorded.made_at, "Stored", undo, put_back=json.dumps(back)
        )
    entry = recorded.entry["entry"] if recorded.entry["type"] == "amend" else recorded.entry
    bold, what = _said(moment, entry)
    if recorded.entry["type"] == "amend":
        what = f"{what} (corrected)"
    place = len(moment.position.entries) - 1
    points = sum(line.points for _, line in moment.lines_of.get(place, []) if line.player == bold)
    if points and kind_of(pad.game).LOOK == "symbols":
        what = f"{what}, {points}"
    return Last(bold, what, who, recorded.made_at, "Stored", undo)


def _last_part(moment: Moment, drafted: Mapping[str, Any]) -> Last:
    part = drafted["filled"][-1]
    value = drafted["entry"].get(part["field"])
    if part["player"] is not None:
        value = (value or {}).get(part["player"])
        words = value_said(value)
        made = datetime.fromisoformat(part["made"])
        return Last(
            part["player"],
            words,
            part["who"] or "",
            made,
            "Not entered yet",
            undo_part=making.undo_part(drafted),
        )
    made = datetime.fromisoformat(part["made"])
    question = part["field"].capitalize()
    return Last(
        f"{question}:",
        value_said(value),
        part["who"] or "",
        made,
        "Not entered yet",
        undo_part=making.undo_part(drafted),
    )


def value_said(value: Any) -> str:
    if value is None:
        return "nobody"
    if isinstance(value, dict):
        return ", ".join(value_said(part) for part in value.values())
    if isinstance(value, list):
        return ", ".join(str(piece) for piece in value)
    return str(value).replace("-", " ")


def _said(moment: Moment, entry: Mapping[str, Any]) -> tuple[str, str]:
    kind = kind_of(moment.position.game.key)
    if kind.LOOK == "drawn":
        return "", kind.said(dict(entry))
    bold, what = kind.said(moment, entry)
    return bold, what


def _undo(moment: Moment) -> str:
    """Take back what the line names: a correction by what stood before, else the last entry that stands."""
    entries = moment.position.entries
    if entries and entries[-1]["type"] == "amend":
        return json.dumps(_undone(entries[:-1], entries[-1]["of"]))
    if not moment.standing:
        return ""
    place = max(moment.standing)
    target = entries[place].get("id")
    return json.dumps({"type": "void", "of": target}) if target else ""


def _undone(earlier: Sequence[Mapping[str, Any]], target: str) -> dict[str, Any]:
    """The correction that leaves an entry as it stood in the log so far: as it was, or struck out."""
    stood: Mapping[str, Any] | None = None
    for entry in earlier:
        if entry.get("id") == target:
            stood = entry
        elif entry["type"] in ("amend", "void") and entry["of"] == target:
            stood = entry.get("entry")
    if stood is None:
        return {"type": "void", "of": target}
    return {"type": "amend", "of": target, "entry": {key: stood[key] for key in stood if key != "id"}}


def _was(moment: Moment, target: str) -> dict[str, Any]:
    """What an entry said before it was struck out, without its id."""
    said: dict[str, Any] = {}
    for entry in moment.position.entries:
        if entry.get("id") == target:
            said = entry
        elif entry["type"] == "amend" and entry["of"] == target:
            said = entry["entry"]
    return {key: value for key, value in said.items() if key != "id"}


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
