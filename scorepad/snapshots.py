"""Snapshots of a pad: its draft and the replay of its log, each read once per request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import engine
from scorepad import drafts, ledger
from scorepad.layouts import PadState, questions
from scorepad.models import Pad


@dataclass(frozen=True)
class Snapshot:
    """A pad with its draft, as people read it, and the replay of its log."""

    pad: Pad
    draft: Mapping[str, Any] | None
    replay: ledger.Replay

    def state(self, **looking: Any) -> PadState:
        """The state the pad is drawn from; raises Refused when this engine cannot replay the log."""
        position = self.replay.standing_position()
        partial, authors = partial_entry(self.draft, position.game), filled_by(self.draft)
        return PadState(position, partial, authors, settings=self.pad.settings, **looking)

    def last_entry(self) -> ledger.LogEntry | None:
        return ledger.last_entry(self.pad, self.replay)


def read(pad: Pad) -> Snapshot:
    return Snapshot(pad, drafts.current(pad), ledger.replay(pad))


def state_without_draft(pad: Pad, **looking: Any) -> PadState:
    """The state of the log alone, for pages that show or correct what is entered."""
    return Snapshot(pad, None, ledger.replay(pad)).state(**looking)


def partial_entry(draft: Mapping[str, Any] | None, game: engine.Game) -> dict[str, Any]:
    """The entry as far as it is filled, and which of its lists are finished."""
    if draft is None:
        return {}
    declared = next(entry_type for entry_type in game.entries if entry_type.key == draft["type"])
    fields = {field.key: field for field in declared.fields}
    done: list[str] = []
    for part in draft["filled"]:
        if not part["open"] and part["field"] in fields:
            done += questions.places_of(fields[part["field"]], part["player"])
    return {**draft["entry"], questions.DONE: sorted(done)}


def filled_by(draft: Mapping[str, Any] | None) -> dict[str, str]:
    """The author of each part, by its place."""
    parts = draft["filled"] if draft else ()
    return {
        part["field"] if part["player"] is None else f"{part['field']}/{part['player']}": part["who"] or ""
        for part in parts
    }
