"""Rounds: a whole deal, hand or turn corrected at once: given to another player, swapped, or struck out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from engine.log import MAX_CHANGES
from scorepad.layouts import Layout, PadState
from scorepad.ledger import seat_names

Changes = dict[str, dict[str, Any] | None]
"""What shall stand at each target: None strikes it out."""

UNREADABLE = "This cannot be read. Begin the correction again."


@dataclass(frozen=True)
class Round:
    """The deal, hand or turn of an entry: its name, the places in it, and whose part this page is about."""

    state: PadState
    name: str
    places: tuple[int, ...]
    who: str

    @property
    def players(self) -> list[str]:
        """Those who have something in it, in seat order."""
        named = {name for place in self.places for name in self._players_at(place)}
        return [name for name in self.state.players if name in named]

    @property
    def receivers(self) -> list[str]:
        """Those to whom all of `who` can be given: anyone, unless everyone has a share of his own."""
        own = [place for place in self.places if self.who in self._players_at(place)]
        if not own or any(len(self._players_at(place)) > 1 for place in own):
            return []
        return [name for name in self.state.players if name != self.who]

    @property
    def partners(self) -> list[str]:
        """Those with whom `who` can be swapped."""
        return [name for name in self.players if name != self.who] if self.who in self.players else []

    @property
    def is_several(self) -> bool:
        return 1 < len(self.places) <= MAX_CHANGES

    def _players_at(self, place: int) -> list[str]:
        return seat_names.players_in(self.state.position.game, self.state.standing[place])

    def renamed(self, names: Mapping[str, str]) -> Changes:
        """The entries in which other players stand then."""
        game = self.state.position.game
        found: Changes = {}
        for place in self.places:
            entry = bare(self.state.standing[place])
            other = seat_names.renamed(game, entry, names)
            if other != entry:
                found[self.state.entry_id(place)] = other
        return found

    def struck_out(self) -> Changes:
        return {self.state.entry_id(place): None for place in self.places}


def round_at(state: PadState, layout: Layout, place: int, entry: Mapping[str, Any], who: str) -> Round:
    """The round of an entry, seen by `who`, or by the first player whom the entry names."""
    named = seat_names.players_in(state.position.game, entry)
    places = layout.round_of(state, place)
    chosen = Round(state, layout.round_name(state, place), places, who)
    if who not in chosen.players:
        chosen = Round(state, chosen.name, places, named[0] if named else "")
    return chosen


def read_change(whole: Round, sent: Any) -> tuple[str, Changes]:
    """A tap on the round, `{"do", "with"}`: in words, and what would change."""
    kind, other = (sent.get("do"), sent.get("with")) if isinstance(sent, dict) else (None, None)
    name = whole.name or "this entry"
    if kind == "strike":
        return f"Strike out all of {name}", whole.struck_out()
    if kind == "give" and other in whole.receivers:
        return f"Give {whole.who}’s part of {name} to {other}", whole.renamed({whole.who: other})
    if kind == "swap" and other in whole.partners:
        both = {whole.who: other, other: whole.who}
        return f"Swap {whole.who} and {other} in {name}", whole.renamed(both)
    raise engine.Refused("bad-entry", UNREADABLE)


def revise_of(changes: Changes) -> dict[str, Any]:
    return {"type": "revise", "changes": [{"of": of, "entry": entry} for of, entry in changes.items()]}


def bare(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry without its id, as a correction holds it."""
    return {key: value for key, value in entry.items() if key != "id"}


def belonging(
    whole: Round, of: str, old: Mapping[str, Any], new: Mapping[str, Any] | None
) -> Sequence[Changes]:
    """Sets of changes that may stand where the change of one entry alone does not: the same player moved in
    all of the round, or both players swapped in it."""
    if new is None:
        return []
    game = whole.state.position.game
    were, are = seat_names.players_in(game, old), seat_names.players_in(game, new)
    gone, come = [name for name in were if name not in are], [name for name in are if name not in were]
    if len(gone) != 1 or len(come) != 1:
        return []
    (one,), (other,) = gone, come
    moved = whole.renamed({one: other})
    swapped = whole.renamed({one: other, other: one})
    return [{**moved, of: dict(new)}, {**swapped, of: dict(new)}]
