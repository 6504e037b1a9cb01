"""Layout shared by games in which everyone counts the cards left in hand: both Rummies and Rap Rummy."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.pack import CARDS, DRAGON, SUIT_COLORS, SUIT_NAMES
from engine.rules import listed
from scorepad.layouts import keys
from scorepad.layouts.base import Layout
from scorepad.layouts.keys import Key, Panel, PieceKey
from scorepad.layouts.legend import Sign, suit_signs
from scorepad.layouts.questions import Path, Question
from scorepad.pad_state import PadState


@dataclass(frozen=True)
class CountSeat:
    """One column's head: the total, or the count that is being entered and who entered it."""

    name: str
    total: int
    note: str
    answer: str
    filled_by: str
    place: str
    is_now: bool
    is_out: bool
    has_won: bool
    deals: bool


class HandCounts(Layout):
    """An entry is a hand: who ended it, and what everyone is left with, as a count or card by card."""

    round_word = "hand"
    count_hint: ClassVar[str]
    """The words below the question for a count: what is counted."""

    def status(self, state: PadState) -> str:
        now, hands = state.result.state, state.options["rounds"] * len(state.players)
        if state.finished:
            return (
                f"{hands} hands played. {'Fewest' if state.position.game.lowest_wins else 'Most'} points win"
            )
        return f"Hand {now['hand']} of {hands}. {now['dealer']} deals"

    def seats(self, state: PadState) -> list[CountSeat]:
        result, now = state.result, self.current(state)
        return [
            CountSeat(
                name,
                result.totals[name],
                self.note(state, name),
                self.answer(state, name),
                state.filled_by.get(f"hands/{name}", ""),
                f"hands/{name}",
                is_now=bool(now and now.seat == name),
                is_out=self.is_out(state, name),
                has_won=name in result.winners,
                deals=result.state["dealer"] == name and not state.finished,
            )
            for name in state.players
        ]

    def signs_of_game(self, state: PadState) -> list[Sign]:
        return suit_signs()

    def is_out(self, state: PadState, name: str) -> bool:
        """True for a player who has no cards to count in the hand being entered."""
        return False

    @abstractmethod
    def note(self, state: PadState, name: str) -> str:
        """A word below the total."""

    @abstractmethod
    def answer(self, state: PadState, name: str) -> str:
        """The cards or count entered for this player's hand so far."""

    def panel(self, state: PadState) -> Panel | None:
        question = self.current(state)
        if question is None:
            return None
        if question.path[0] != "hands":
            return self.hand_panel(state, question)
        if question.field.kind == "number":
            return keys.number_panel(question, f"{question.seat}’s count?", self.count_hint)
        return self.cards_panel(state, question)

    def highest(self, state: PadState) -> tuple[int, ...]:
        """The cards that make the highest count; none where the pack is not known."""
        return ()

    @abstractmethod
    def reason(self, state: PadState, cards: str) -> str:
        """The reason why no count is higher than that of these cards."""

    def doubt(self, state: PadState, path: Path, value: Any) -> str:
        """A count that no hand can come to is asked about."""
        highest = self.highest(state)
        if path[-1] != "count" or type(value) is not int or not highest or value <= sum(highest):
            return ""
        cards = listed([str(number) if number < DRAGON else "Dragon" for number in highest])
        return f"No hand can come to {value}. {self.reason(state, cards)} {sum(highest)}."

    @abstractmethod
    def hand_panel(self, state: PadState, question: Question) -> Panel:
        """The keys for a question about the whole hand: who ended it."""

    @abstractmethod
    def cards_panel(self, state: PadState, question: Question) -> Panel:
        """The cards that this player can be left with."""


def pack_panel(
    state: PadState, question: Question, heading: str, hint: str = "", words: tuple[str, ...] = ()
) -> Panel:
    """The 44 cards of the pack, without those that lie in a hand already."""
    left = left_in_pack(state)
    panel = keys.pieces_panel(question, heading, hint, kind="cards", left=left, words=words)
    return replace(
        panel,
        pieces=tuple(_card(key) for key in panel.keys),
        picked=tuple(_card(key) for key in panel.chosen),
        legend=tuple((SUIT_COLORS[suit], name) for suit, name in SUIT_NAMES.items()),
    )


def _card(key: Key) -> PieceKey:
    """A card in the colour its suit is printed in; a Dragon is called one."""
    suit, number = key.words[0], key.words[1:]
    return PieceKey(key, SUIT_COLORS[suit], suit, "Dragon" if int(number) == DRAGON else number)


def bounded(question: Question, least: int, most: int) -> Question:
    """The question for cards, with how few and how many this player can have."""
    return replace(question, field=question.field._replace(least=least, most=most))


def left_in_pack(state: PadState) -> Counter[Any]:
    """The number of each card that no hand on the table shows yet."""
    hands = (state.partial.get("hands") or {}).values()
    return Counter(CARDS) - keys.used(hand.get("cards", ()) for hand in hands)
