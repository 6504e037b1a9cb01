"""Context of the correction page: the entry with its keys, its round, and what storing it would change."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import engine
from scorepad import corrections, ledger, prospects, rounds
from scorepad.layouts import Layout, PadState, describe_entry, layout_of, questions
from scorepad.layouts.keys import Panel, label
from scorepad.layouts.questions import Question
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.presentation.pad import answer_of, context_of_state
from scorepad.prospects import Prospect

FORGOTTEN = ("before", "after")
"""Where something was forgotten."""
ONE_TAP = frozenset(("symbols", "axis", "numbers", "players", "choices"))
"""Panels whose every key is a whole answer: nothing is collected there."""


@dataclass(frozen=True)
class Asked:
    """What was asked of the page so far.

    `scope` is where something was forgotten, empty while the entry itself is corrected; `partial` the entry
    as far as it is rewritten or made, `follows` what belongs after it; `change` a change of its whole round.
    """

    scope: str = ""
    partial: Mapping[str, Any] = field(default_factory=dict)
    follows: tuple[dict[str, Any], ...] = ()
    at: str = ""
    by: str = ""
    who: str = ""
    strike: bool = False
    change: tuple[str, rounds.Changes] | None = None


@dataclass(frozen=True)
class OldEntry:
    """The entry this page corrects: the pad's state now, its place in the log, and its newest version."""

    pad: Pad
    state: PadState
    place: int
    entry_id: str

    @property
    def layout(self) -> Layout:
        return layout_of(self.pad.game)

    @property
    def entry(self) -> dict[str, Any]:
        return corrections.newest_version(self.state.position.entries, self.entry_id)

    @property
    def is_void(self) -> bool:
        return self.place not in self.state.standing

    def start(self, scope: str) -> dict[str, Any]:
        """The entry taken apart; nothing yet where something is added beside it."""
        return {} if scope else corrections.reopen(self.state, self.entry)

    def spot(self, scope: str) -> corrections.Spot | None:
        """The place where something can be added. Between what put a player out and the count that follows
        there is none: it was forgotten before both."""
        position, is_before = self.state.position, scope == "before"
        spot = corrections.spot_beside(position, self.place, is_before)
        if spot is None or not self._must_follow(spot):
            return spot
        if not is_before:
            return None
        steps = [place for place, _ in position.steps]
        return corrections.spot_beside(position, steps[steps.index(self.place) - 1], before=True)

    def _must_follow(self, spot: corrections.Spot) -> bool:
        return self.layout.must_follow(PadState(spot.position, settings=self.pad.settings))

    def position_at(self, scope: str) -> engine.Position:
        spot = self.spot(scope) if scope else None
        return spot.position if spot else self.state.position.before(self.place)

    def state_at(self, asked: Asked) -> PadState:
        """The table as it was when the entry was made, or at the place where something was forgotten."""
        return PadState(
            self.position_at(asked.scope),
            asked.partial,
            at=asked.at,
            by=asked.by,
            again=bool(asked.at) or not asked.scope,
            amending="" if asked.scope else self.entry_id,
            settings=self.pad.settings,
        )

    def asks_elsewhere(self, asked: Asked) -> bool:
        """True once the part that was turned to is answered, and another is open."""
        found = self.layout.panel_questions(self.state_at(asked))
        is_open = [question for question in found if not question.answered]
        return bool(is_open) and all(asked.at not in (one.place, one.about) for one in is_open)

    def round(self, who: str) -> rounds.Round:
        return rounds.round_at(self.state, self.layout, self.place, self.entry, who)


def correction_context(old: OldEntry, asked: Asked) -> dict[str, Any]:
    """All that the page and its fragment need beside the access."""
    layout, state = old.layout, old.state_at(asked)
    prospect, follow = _prospect(old, asked, state)
    drawn = context_of_state(old.pad, state, None, [])
    whole = old.round(asked.who)
    foreseen = prospect.foreseen if prospect else {}
    return {
        "pad": old.pad,
        "shown": drawn,
        "panel": follow or drawn.panel or _first_panel(layout, state),
        "title": old.state.position.game.title,
        "said": describe_entry(old.state, old.entry),
        "is_void": old.is_void,
        "made": json.dumps(dict(asked.partial)),
        "follows": json.dumps(asked.follows),
        "is_following": follow is not None,
        "asked": asked,
        "whole": whole,
        "can_precede": old.spot("before") is not None,
        "can_follow": old.spot("after") is not None,
        "prospect": prospect,
        "store": _stored_as(prospect) if prospect else "",
        "moved": _changed_totals(foreseen),
        "doubts": [] if asked.strike or asked.change else _doubts(layout, state),
        "is_own_fault": (foreseen.get("at") or {}).get("entry") == old.place,
        "when": layout.round_name(old.state, old.place),
        "steps": [] if follow else _parts(layout, state),
    }


def one_tap_panel(old: OldEntry, part: str) -> Panel | None:
    """The keys that correct a part of an entry by one tap, for the page that explains its number; None where
    pieces are collected, or where the log is so long that even its drawing is paid for."""
    if len(old.state.position.entries) > limit("ENTRIES_REPLAYED_FREE_MOST"):
        return None
    state = old.state_at(Asked(partial=old.start(""), at=part))
    panel = old.layout.panel(state) or _first_panel(old.layout, state)
    # Tens and units are one group of the page's form: there the pad's own may be open.
    return replace(panel, more=()) if panel and panel.kind in ONE_TAP else None


def _prospect(old: OldEntry, asked: Asked, state: PadState) -> tuple[Prospect | None, Panel | None]:
    """What would be stored; or the question that must be answered before anything can be."""
    pad = old.pad
    if asked.change is not None:
        words, changes = asked.change
        return prospects.foresee_changes(pad, old.state, changes, words) if changes else None, None
    if asked.strike and not old.is_void:
        void = {"type": "void", "of": old.entry_id}
        return _or_belonging(old, asked, prospects.foresee(pad, [void], "Strike it out")), None
    entry = questions.complete_entry(asked.partial)
    if not _is_whole(old, state, entry) or not (asked.scope or old.is_void or entry != old.entry):
        return None, None
    correction, words = _correction(old, asked.scope, entry)
    if asked.follows:
        entries = prospects.following(correction, asked.follows)
        parts = [describe_entry(old.state, one) for one in (entry, *asked.follows)]
        return prospects.foresee(pad, entries, words, parts), None
    alone = prospects.foresee(pad, [correction], words)
    if alone.stands:
        return alone, None
    follow = _follow_up(old.layout, state, entry)
    if follow is not None or asked.scope:
        return None if follow else alone, follow
    return _or_belonging(old, asked, alone), None


def _correction(old: OldEntry, scope: str, entry: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The correction as the log takes it, and in words."""
    words = describe_entry(old.state, entry)
    spot = old.spot(scope) if scope else None
    if spot is not None:
        insert = {"id": ledger.new_id(), "type": "insert", "after": spot.after, "entry": entry}
        return insert, f"Add {words}"
    if entry == old.entry:
        words = "Put it back"
    return {"type": "amend", "of": old.entry_id, "entry": entry}, words


def _is_whole(old: OldEntry, state: PadState, entry: Mapping[str, Any]) -> bool:
    is_open = questions.first_open(old.layout.questions(state)) is not None
    return "type" in entry and not is_open and old.state.is_well_formed(entry)


def _or_belonging(old: OldEntry, asked: Asked, alone: Prospect) -> Prospect:
    """The correction, or the set it can stand with: a dead end helps nobody."""
    if alone.stands or old.is_void:
        return alone
    return prospects.belonging(old.pad, old.round(asked.who), old.entry_id, old.entry, alone)


def _follow_up(layout: Layout, state: PadState, entry: dict[str, Any]) -> Panel | None:
    """The question that this entry raises at once, such as the count of one who is out by it."""
    try:
        after = PadState(state.position.enter(entry), settings=state.settings)
    except engine.Refused:
        return None
    return layout.panel(after) if layout.must_follow(after) else None


def _stored_as(prospect: Prospect) -> str:
    entries = list(prospect.entries)
    return json.dumps(entries[0] if len(entries) == 1 else entries)


def _changed_totals(foreseen: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """Every total that would be another: the name, what it is and what it would be."""
    were = foreseen.get("totals_were", {})
    now = foreseen.get("totals", {})
    return [(name, were[name], total) for name, total in now.items() if name in were and were[name] != total]


def _parts(layout: Layout, state: PadState) -> list[dict[str, Any]]:
    """The parts of the entry, each with its answer: any of them can be turned to and changed."""
    asked = layout.panel_questions(state)
    return [
        {
            "place": question.place,
            "words": f"{_whose(question, asked)}: {answer_of(state, question) if question.answered else '…'}",
            "is_now": state.at in (question.place, question.about),
        }
        for question in asked
    ]


def _whose(question: Question, asked: Sequence[Question]) -> str:
    """The name of a part: what it is, or whose; both where each player is asked several things."""
    if question.seat is None:
        return label(question.path[0])
    is_one_of_several = sum(one.about == question.about for one in asked) > 1
    return f"{question.seat}, {label(question.path[-1]).lower()}" if is_one_of_several else question.seat


def _doubts(layout: Layout, state: PadState) -> list[str]:
    """Reasons to look again at what was filled in, before it is stored."""
    asked = layout.questions(state)
    found = [layout.doubt(state, question.path, question.answer) for question in asked if question.answered]
    return [words for words in found if words]


def _first_panel(layout: Layout, state: PadState) -> Panel | None:
    """Everything is answered: begin with the first question, so that any part can be changed."""
    asked = layout.panel_questions(state)
    return layout.panel(replace(state, at=asked[0].place, again=True)) if asked else None
