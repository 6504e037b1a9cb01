"""Context of a pad's page and fragment: everything their templates need, gathered once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import engine
from engine import Result
from scorepad import ledger, pads, undo
from scorepad.access.permissions import PadAccess
from scorepad.layouts import Layout, PadState, layout_of
from scorepad.layouts.keys import Panel, label
from scorepad.layouts.questions import Question
from scorepad.layouts.round_grid import RoundGrid
from scorepad.models import Pad
from scorepad.presentation.last_entry import LastEntry, last_entry
from scorepad.snapshots import Snapshot

BIG_PANELS = frozenset(
    (
        "numbers",
        "keypad",
        "cards",
        "blocks",
        "letters",
        "picker",
        "card_to_pass",
        "acquisition",
        "number_cards",
    )
)
"""With these the thumb needs the room of the sheet."""
FLAGS = range(21)


@dataclass(frozen=True)
class Ending:
    """The end of a game: who won, the passages that say so, and the flags above it."""

    words: str
    cites: list[dict[str, str]]
    flags: range = FLAGS


@dataclass(frozen=True)
class Answer:
    """An answer of the entry being made: its place, whose or what it is, and what was said."""

    place: str
    whose: str
    words: str


@dataclass(frozen=True)
class PadContext:
    """One pad as it is drawn now. `details` holds what only this game's templates show."""

    layout: Layout
    title: str
    status: str
    stopped: str
    seats: Sequence[Any]
    sheet: Sequence[Any]
    grid: RoundGrid | None
    panel: Panel | None
    last: LastEntry
    result: Result
    players: tuple[str, ...]
    head: int
    draft_id: str
    drafted: str
    may_write: bool
    is_asking: bool
    is_answered: bool
    answers: tuple[Answer, ...]
    asks_in_sheet: bool
    first_dealer: str
    own: str
    ending: Ending | None
    details: Mapping[str, Any] = field(default_factory=dict)


def pad_context(
    access: PadAccess, snapshot: Snapshot, at: str = "", by: str = "", again: bool = False
) -> PadContext:
    """The pad as this phone sees it, with the question it turned to."""
    pad = access.pad
    own = access.who.seat
    name = pad.players[own] if own is not None and own < len(pad.players) else ""
    state = snapshot.state(may_write=access.has_keys, at=at, by=by, again=again, own=name)
    newest = snapshot.last_entry()
    offered = undo.offer(state, snapshot.draft, snapshot.replay, access.who.phone)
    return context_of_state(pad, state, snapshot.draft, [newest] if newest else [], offered)


def context_of_state(
    pad: Pad,
    state: PadState,
    drafted: Mapping[str, Any] | None,
    newest: Sequence[ledger.LogEntry],
    offered: undo.Offer = undo.NOTHING,
) -> PadContext:
    """The pad in any state: now, after an earlier entry, or while one is corrected."""
    layout = layout_of(pad.game)
    panel = layout.panel(state) if not pad.stopped_at else None
    stopped = pads.stopped(pad)
    grid = layout.round_grid(state) if not pad.stopped_at else None
    return PadContext(
        layout=layout,
        title=state.position.game.title,
        status=layout.status(state),
        stopped=stopped["says"].capitalize() if stopped else "",
        seats=layout.seats(state),
        sheet=layout.sheet(state),
        grid=grid,
        panel=panel,
        last=last_entry(pad, state, drafted, newest, offered),
        result=state.result,
        players=state.players,
        head=len(state.position.entries),
        draft_id=drafted["id"] if drafted else "",
        drafted=f"{drafted['id']}.{drafted['revision']}" if drafted else "",
        may_write=state.may_write and not stopped,
        is_asking=bool(panel and panel.kind in BIG_PANELS),
        is_answered=panel is not None and layout.is_answered(state, panel.place),
        answers=_answers(layout, state, panel, has_grid=grid is not None),
        asks_in_sheet=layout.asks_in_sheet(state),
        first_dealer=state.players[state.position.table.dealer],
        own=state.own,
        ending=_ending(layout, state),
        details=layout.details(state),
    )


def _answers(layout: Layout, state: PadState, panel: Panel | None, has_grid: bool) -> tuple[Answer, ...]:
    """The answers so far that can be opened again here; seats open their own while hands are asked for, and
    what may be left out has keys on its panel."""
    if panel is None or panel.back or not state.may_write:
        return ()
    has_seats = has_grid or panel.kind in BIG_PANELS
    answered = [
        question
        for question in layout.panel_questions(state)
        if question.answered
        and question.about != panel.about
        and not (question.is_optional and panel.kind == "optional")
        and not (has_seats and (question.seat or question.about in layout.opened_by_seats))
    ]
    return tuple(
        Answer(question.about, question.seat or label(question.path[0]), answer_of(state, question))
        for question in answered
    )


def answer_of(state: PadState, question: Question) -> str:
    """An answer in words. Nobody is an answer only where somebody is asked for."""
    if question.answer is None and question.field.kind in ("number", "choice", "flag"):
        return "no" if question.field.kind == "flag" else "none"
    return undo.describe_value(question.answer, state.players)


def _ending(layout: Layout, state: PadState) -> Ending | None:
    ended = state.position.ended
    return Ending(layout.ended_words(state), cite_addresses(ended.cites)) if ended else None


def cite_addresses(cites: Sequence[str]) -> list[dict[str, str]]:
    """The passages by their public address; the archive answers there."""
    passages = []
    for cite in cites:
        book, _, anchor = cite.partition("/")
        passages.append({"address": f"/books/{book}/passages/{anchor}/", "anchor": anchor, "book": book})
    return passages


def refusal_of(refused: engine.Refused) -> dict[str, Any]:
    told = {"message": refused.message, "code": refused.code, "cites": cite_addresses(refused.cites)}
    return {**told, "ask": refused.as_dict()["error"].get("ask")}
