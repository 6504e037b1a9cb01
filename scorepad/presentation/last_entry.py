"""The line that says what was entered last, and takes it back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scorepad import ledger, taps
from scorepad.layouts import PadState, kind_of
from scorepad.models import Pad


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


def last_of(
    pad: Pad, moment: PadState, drafted: Mapping[str, Any] | None, newest: Sequence[ledger.LogEntry]
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
        bold, what = kind_of(pad.game).said(moment, target)
        back = {"type": "amend", "of": recorded.entry["of"], "entry": target}
        return Last(
            "Undone:", f"{bold} {what}", who, recorded.made_at, "Stored", undo, put_back=json.dumps(back)
        )
    entry = recorded.entry["entry"] if recorded.entry["type"] == "amend" else recorded.entry
    bold, what = kind_of(pad.game).said(moment, entry)
    if recorded.entry["type"] == "amend":
        what = f"{what} (corrected)"
    place = len(moment.position.entries) - 1
    points = sum(line.points for _, line in moment.lines_of.get(place, []) if line.player == bold)
    if points and kind_of(pad.game).LOOK == "victory-rummy":
        what = f"{what}, {points}"
    return Last(bold, what, who, recorded.made_at, "Stored", undo)


def _last_part(moment: PadState, drafted: Mapping[str, Any]) -> Last:
    part = drafted["filled"][-1]
    value = drafted["entry"].get(part["field"])
    if part["player"] is not None:
        value = (value or {}).get(part["player"])
        words = value_said(value, moment.position.table.players)
        made = datetime.fromisoformat(part["made"])
        return Last(
            part["player"],
            words,
            part["who"] or "",
            made,
            "Not entered yet",
            undo_part=taps.undo_part(drafted),
        )
    made = datetime.fromisoformat(part["made"])
    question = part["field"].capitalize()
    return Last(
        f"{question}:",
        value_said(value, moment.position.table.players),
        part["who"] or "",
        made,
        "Not entered yet",
        undo_part=taps.undo_part(drafted),
    )


def value_said(value: Any, players: Sequence[str]) -> str:
    """A value as one speaks of it; a name is left as it is."""
    if value is None:
        return "nobody"
    if isinstance(value, dict):
        return ", ".join(value_said(part, players) for part in value.values())
    if isinstance(value, list):
        return ", ".join(str(piece) for piece in value)
    return str(value) if value in players else str(value).replace("-", " ")


def _undo(moment: PadState) -> str:
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


def _was(moment: PadState, target: str) -> dict[str, Any]:
    """What an entry said before it was struck out, without its id."""
    said: dict[str, Any] = {}
    for entry in moment.position.entries:
        if entry.get("id") == target:
            said = entry
        elif entry["type"] == "amend" and entry["of"] == target:
            said = entry["entry"]
    return {key: value for key, value in said.items() if key != "id"}
