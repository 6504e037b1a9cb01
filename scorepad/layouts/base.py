"""Layout, the class of every game's pad: the questions it answers, and what it need not answer itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from engine import Line
from engine.rules import listed
from scorepad.layouts import legend, questions
from scorepad.layouts.keys import Panel
from scorepad.layouts.legend import Sign
from scorepad.layouts.questions import Path, Question
from scorepad.layouts.round_grid import RoundGrid
from scorepad.pad_state import PadState

Step = tuple[str, str, str]
"""One sign on the way to a number: its symbol, how the symbol is drawn, and when it was written."""

Payment = tuple[str, str, int]
"""A payment: from whom, to whom, how much."""


class Layout(ABC):
    """The look of one game's pad. A game's own layout states only what differs.

    A layout reads a `PadState` and returns plain values: it knows no Django, no database and no phone.
    """

    name: ClassVar[str]
    """The folder of its templates, its style sheet and its class in CSS: thumbs-up."""

    first_word: ClassVar[str] = "Deals first"
    """The name of the seat that begins, on the start page."""

    has_dealer: ClassVar[bool] = True
    """Somebody deals, and a D beside the name says who."""

    hints: ClassVar[tuple[str, str, str]] = (
        "Tap what happened. The pad asks for the rest.",
        "Tap a number on the sheet to read its rule.",
        "A wrong tap? Undo takes it back.",
    )
    """Three hints for a phone that has never entered anything."""

    sheet_title: ClassVar[str] = "Score sheet"
    """The heading of the printed sheet."""

    opened_by_seats: ClassVar[frozenset[str]] = frozenset()
    """Answers about the whole entry that a tap on a seat opens again, while hands are asked for."""

    last_entry_has_points: ClassVar[bool] = False
    """The line of the last entry ends with its points."""

    round_word: ClassVar[str] = ""
    """The name of one entry where each is a round of its own."""

    signs: ClassVar[Mapping[str, str]] = {}
    """The drawing of each symbol, where numbers have symbols."""

    notable_symbols: ClassVar[Mapping[str, str]] = {}
    """Symbols that are counted in the summary, and what they are called there."""

    @property
    def stylesheet(self) -> str:
        return f"css/pad-{self.name}.css"

    @property
    def seats_template(self) -> str:
        return f"scorepad/layouts/{self.name.replace('-', '_')}/_seats.html"

    @property
    def sheet_template(self) -> str:
        return f"scorepad/layouts/{self.name.replace('-', '_')}/_sheet.html"

    @abstractmethod
    def status(self, state: PadState) -> str:
        """The state of the game, in a sentence."""

    @abstractmethod
    def seats(self, state: PadState) -> Sequence[Any]:
        """Everyone's place at the table, for `seats_template`."""

    @abstractmethod
    def sheet(self, state: PadState) -> Sequence[Any]:
        """The numbers so far, for `sheet_template`."""

    @abstractmethod
    def panel(self, state: PadState) -> Panel | None:
        """The keys to press now; None when there is nothing to enter."""

    @abstractmethod
    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        """An entry in words: whose it is, and what happened."""

    def sentence(self, state: PadState, entry: Mapping[str, Any]) -> str:
        """An entry as people at the table would say it."""
        return " ".join(self.describe(state, entry)).strip()

    def round_name(self, state: PadState, place: int) -> str:
        """The deal, hand or turn of an entry; empty where the game has none."""
        if not self.round_word:
            return ""
        return f"{self.round_word} {1 + state.turns[place]}"

    def round_of(self, state: PadState, place: int) -> tuple[int, ...]:
        """The places of all that counts in the same deal, hand or turn, in order of play."""
        return (place,) if place in state.standing else ()

    def must_follow(self, state: PadState) -> bool:
        """True while one more entry belongs to the last, and nothing else can come before it."""
        return False

    def part_of(self, state: PadState, entry: Mapping[str, Any], player: str) -> str:
        """The part of an entry that is this player's own, such as his hand; empty where there is none."""
        for field in state.entry_types[entry["type"]].fields:
            if field.kind == "each" and player in (entry.get(field.key) or {}):
                return f"{field.key}/{player}"
        return ""

    def doubt(self, state: PadState, path: Path, value: Any) -> str:
        """The reason to ask about an answer before it is stored; empty where there is none."""
        return ""

    def signs_of_game(self, state: PadState) -> list[Sign]:
        """The signs that only this game's pad has, explained from the engine's data."""
        return []

    def legend(self, state: PadState) -> list[Sign]:
        """Every sign on this pad and what it means."""
        deals = [legend.DEALS] if self.has_dealer else []
        return [*self.signs_of_game(state), *deals, *legend.COMMON, legend.OUT_OF_REACH]

    def without_stale(self, state: PadState, answered: str) -> dict[str, Any]:
        """The entry being made, without what has no meaning any more since this field was answered."""
        return dict(state.partial)

    def printed_sheet(self, state: PadState) -> Sequence[Any]:
        """The numbers on paper, in order of play."""
        return self.sheet(state)

    def steps(self, state: PadState, line: Line) -> list[Step]:
        """The signs that led to a number."""
        return []

    def standing_words(self, state: PadState, name: str) -> str:
        """How a player stands, where points do not say it; empty where they do."""
        return ""

    def payments(self, state: PadState) -> list[Payment]:
        """The payments of the whole game, the largest first, where players pay each other."""
        return []

    def details(self, state: PadState) -> Mapping[str, Any]:
        """Values that only this layout's own templates show."""
        return {}

    def round_grid(self, state: PadState) -> RoundGrid | None:
        """The answers of every player to the entry being made, in the columns of the sheet."""
        return None

    def asks_in_sheet(self, state: PadState) -> bool:
        """True while the sheet's place shows what is being entered."""
        return False

    def is_notable(self, line: Line) -> bool:
        """True if a number with a notable symbol counts for the player it was written for."""
        return line.points >= 0

    def entry_type(self, state: PadState) -> str:
        """The type of the entry being made, if it is settled; a game with one type need not ask."""
        chosen = state.partial.get("type")
        if chosen in state.entry_types:
            return str(chosen)
        return next(iter(state.entry_types)) if len(state.entry_types) == 1 else ""

    def partial_entry(self, state: PadState) -> dict[str, Any]:
        """The entry being made, with its type, where it is settled, and all that need not be asked."""
        settled = self.entry_type(state)
        return {"type": settled, **state.partial} if settled else dict(state.partial)

    def questions(self, state: PadState) -> list[Question]:
        """Every question of the entry being made, in order."""
        settled = self.entry_type(state)
        if not settled:
            return []
        return questions.list_questions(
            state.entry_types[settled], state.players, state.partial, state.by, state.anew
        )

    def panel_questions(self, state: PadState) -> list[Question]:
        """The questions that get a panel of their own."""
        return self.questions(state)

    def current(self, state: PadState) -> Question | None:
        """The question this phone shows: the one it turned to while that is open, else the first open one;
        none once the game is over.
        """
        if state.finished:
            return None
        asked = self.panel_questions(state)
        if state.at:
            for question in asked:
                if state.at in (question.about, question.place) and (state.again or not question.answered):
                    return question
        first = questions.first_open(asked)
        if first is None or not first.seat:
            return first
        # Once everyone is asked about himself, a phone that has a seat begins with its own hand.
        own = questions.first_open([question for question in asked if state.own == question.seat])
        return own if own and own.is_optional == first.is_optional else first

    def is_answered(self, state: PadState, place: str) -> bool:
        """True once the part that a place lies in is answered, in whatever way."""
        asked = self.panel_questions(replace(state, at="", by="", again=False))
        part = [question for question in asked if f"{place}/".startswith(f"{question.about}/")]
        return bool(part) and all(question.answered for question in part)

    def is_complete(self, state: PadState) -> bool:
        """True once the entry being made is ready for the log."""
        return bool(self.entry_type(state)) and questions.first_open(self.questions(state)) is None

    def ended_words(self, state: PadState) -> str:
        """The sentence that names the winners; empty while the game goes on."""
        winners = state.result.winners
        if state.result.ended is None:
            return ""
        is_one = len(winners) == 1 and state.position.game.seat_word != "side"
        return f"{listed(list(winners))} {'wins' if is_one else 'win'}."
