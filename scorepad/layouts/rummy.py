"""Layouts of the two Rummies: who goes out writes nothing, the others their cards; fewest points win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.pack import dealt, highest_unplayed
from engine.rules import listed, passages
from scorepad.layouts import keys
from scorepad.layouts.hand_counts import HandCounts, bounded, pack_panel
from scorepad.layouts.keys import Panel
from scorepad.layouts.legend import Sign, suit_signs
from scorepad.layouts.questions import Question
from scorepad.pad_state import PadState

NUMBERS_SHOWN = range(1, 12)
"""The pack of 1916 is not described; eleven is the highest number its text names."""


@dataclass(frozen=True)
class HandMark:
    """The cell of one hand in one column: a number with its reason, or that this player went out."""

    points: int | None = None
    number: int | None = None
    is_out: bool = False


@dataclass(frozen=True)
class HandRow:
    hand: int
    dealer: str
    entry_id: str
    marks: tuple[HandMark, ...]
    is_new: bool


class Rummy(HandCounts):
    """Rummy as Parker Brothers told it in 1926, with its pack of 44 cards."""

    name = "rummy"
    count_hint = "All unplayed cards, held-back sets too"
    hints = (
        "Hand over? Tap who ran out of cards, then a number for each of the others.",
        "Tap a number on the sheet to read its rule.",
        "A wrong tap? Undo takes it back.",
    )

    def is_out(self, state: PadState, name: str) -> bool:
        return bool(state.partial.get("winner") == name)

    def note(self, state: PadState, name: str) -> str:
        if self.is_out(state, name):
            return "OUT"
        if state.finished:
            return "WON" if name in state.result.winners else ""
        totals = state.result.totals
        return "leads" if state.result.lines and totals[name] == min(totals.values()) else ""

    def answer(self, state: PadState, name: str) -> str:
        hand = (state.partial.get("hands") or {}).get(name)
        return _left(hand) if hand else ""

    def sheet(self, state: PadState) -> list[HandRow]:
        rows, newest = [], state.newest_among(state.standing)
        for hand, (place, entry) in enumerate(state.standing.items()):
            written = {line.player: (number, line.points) for number, line in state.lines_of.get(place, [])}
            marks = tuple(
                HandMark(is_out=True)
                if name == entry["winner"]
                else HandMark(written[name][1], written[name][0])
                for name in state.players
            )
            is_new = place in newest
            rows.append(HandRow(hand + 1, state.dealer_of(hand), state.entry_id(place), marks, is_new))
        return rows

    def signs_of_game(self, state: PadState) -> list[Sign]:
        first_out, against = passages(state.position.game.book)("first-out", "points-against")
        out = Sign("stamped", "ran out of cards first, and writes nothing", "OUT", cite=first_out)
        leads = Sign("word", "has the fewest points against so far", "leads", cite=against)
        return [out, leads, *self.card_signs()]

    def card_signs(self) -> list[Sign]:
        return suit_signs()

    def highest(self, state: PadState) -> tuple[int, ...]:
        return highest_unplayed(len(state.players))

    def reason(self, state: PadState, cards: str) -> str:
        return f"The {dealt(len(state.players))} highest cards, {cards}, make"

    def hand_panel(self, state: PadState, question: Question) -> Panel:
        return keys.who_panel(
            state, question, "Who ran out of cards?", hint="Everyone else counts what is left"
        )

    def cards_panel(self, state: PadState, question: Question) -> Panel:
        asked = bounded(question, 1, dealt(len(state.players)))
        return pack_panel(state, asked, _cards_heading(question), _sum(question.answer or []))

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        left = [f"{name} {_left(hand)}" for name, hand in entry["hands"].items()]
        return entry["winner"], f"out; {listed(left)}"


class Rummy1916(Rummy):
    """Rummy as the United Games Co. told it in 1916: of its cards only the numbers are known."""

    def card_signs(self) -> list[Sign]:
        return []

    def highest(self, state: PadState) -> tuple[int, ...]:
        return ()

    def cards_panel(self, state: PadState, question: Question) -> Panel:
        asked = bounded(question, 1, dealt(len(state.players)))
        asked = replace(asked, field=asked.field._replace(values=tuple(NUMBERS_SHOWN)))
        hint = _sum(question.answer or [])
        return keys.pieces_panel(asked, _cards_heading(question), hint, kind="number_cards")


def _cards_heading(question: Question) -> str:
    return f"{question.seat}’s unplayed cards"


def _sum(cards: list[Any]) -> str:
    if not cards:
        return "Tap each card that is left"
    total = sum(card if isinstance(card, int) else int(card[1:]) for card in cards)
    return f"{listed([keys.card_words(card) for card in cards])}: {total}"


def _left(hand: Mapping[str, Any]) -> str:
    return str(hand["count"]) if "count" in hand else "+".join(map(keys.card_words, hand["cards"]))
