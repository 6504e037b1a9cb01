"""Layout of Thumbs Up: stacks of chips, the price of each block, who paid whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import Line, Refused
from engine.games.thumbs_up import BLOCKS, COLORS, COPIES
from scorepad.chips import change, denominations, purses
from scorepad.chips.purses import Held
from scorepad.chips.stacks import ChipStack, draw_stacks
from scorepad.layouts import keys
from scorepad.layouts.base import Layout, Payment
from scorepad.layouts.keys import Key, Panel, PieceKey
from scorepad.layouts.legend import Sign, block_signs
from scorepad.layouts.questions import Question
from scorepad.layouts.rack import COLOR_LETTERS, Rack, price, priced_rack, taken
from scorepad.pad_state import PadState

HANDS_SHOWN, HANDS_PRINTED = 200, 500
"""The newest hands, so many on the pad and on paper; older ones are in the history."""


@dataclass(frozen=True)
class ChipSeat:
    """One player's stacks of chips, and what the hand being entered does to them."""

    name: str
    total: int
    stacks: tuple[ChipStack, ...]
    holds: str
    note: str
    filled_by: str
    place: str
    is_now: bool
    has_won_hand: bool
    has_won: bool


@dataclass(frozen=True)
class PaidCell:
    """One column of one hand: what it moved, with the places of the reasons."""

    lines: tuple[tuple[int, str, str], ...]
    is_winner: bool


@dataclass(frozen=True)
class PaidRow:
    hand: int
    entry_id: str
    cells: tuple[PaidCell, ...]
    is_new: bool


class ThumbsUp(Layout):
    name = "thumbs-up"
    first_word = "Plays first"
    has_dealer = False
    opened_by_seats = frozenset(("winner",))
    hints = (
        "Thumbs up? Tap the winner, then the five blocks of each of the others.",
        "A block of the player’s own colour is free; the price stands under it.",
        "Tap a number on the sheet to read its rule. Undo takes back a wrong tap.",
    )
    sheet_title = "Reckoning of the chips"
    round_word = "hand"
    notable_symbols = {"last": "times last to notice"}

    def is_notable(self, line: Line) -> bool:
        """To be the last to notice costs; the same symbol marks the winner's gain."""
        return line.points < 0

    def status(self, state: PadState) -> str:
        hands, hand = state.options["hands"], state.result.state["hand"]
        if state.finished:
            return f"{hand} hand{'' if hand == 1 else 's'} played. Most chips win"
        return f"Hand {hand} of {hands}" if hands else f"Hand {hand}. Until the players stop"

    def signs_of_game(self, state: PadState) -> list[Sign]:
        return block_signs(COLOR_LETTERS, state.options["chip_value"])

    def seats(self, state: PadState) -> list[ChipSeat]:
        held, _ = purses.follow(state, denominations.starting_chips(state))
        return self.chip_seats(state, denominations.values(state), held)

    def chip_seats(self, state: PadState, values: tuple[int, ...], held: Held | None) -> list[ChipSeat]:
        """The seats with the chips they hold; where they are not followed, a fair spread of `values`."""
        result, now = state.result, self.current(state)
        chips = [
            held.chips(seat) if held else change.spread(max(result.totals[name], 0), values)
            for seat, name in enumerate(state.players)
        ]
        return [
            ChipSeat(
                name,
                result.totals[name],
                draw_stacks(chips[seat]),
                change.describe_chips(chips[seat]) if held else "",
                _note(state, name, now) or (f"owes {held.owes(seat)}" if held and held.owes(seat) else ""),
                state.filled_by.get(f"losers/{name}", ""),
                "winner" if state.partial.get("winner") == name else f"losers/{name}",
                is_now=bool(now and now.seat == name),
                has_won_hand=state.partial.get("winner") == name,
                has_won=name in result.winners,
            )
            for seat, name in enumerate(state.players)
        ]

    def details(self, state: PadState) -> Mapping[str, Any]:
        held, paid = purses.follow(state, denominations.starting_chips(state))
        return {
            "chips_in_all": chips_in_all(state),
            "rack": self.rack(state, denominations.values(state), held),
            "paying": [purses.describe_payment(one, state.players) for one in paid],
            "payments": self.payments(state) if state.finished else [],
            "end_key": end_key(state),
        }

    def sheet(self, state: PadState) -> list[PaidRow]:
        return self._rows(state, HANDS_SHOWN)

    def printed_sheet(self, state: PadState) -> list[PaidRow]:
        return self._rows(state, HANDS_PRINTED)

    def _rows(self, state: PadState, most: int) -> list[PaidRow]:
        """The newest hands, so many at most."""
        rows = []
        hands = [(place, entry) for place, entry in state.standing.items() if entry["type"] == "hand"]
        newest = state.newest_among(place for place, _ in hands)
        for number, (place, entry) in [*enumerate(hands)][-most:]:
            lines = state.lines_of.get(place, [])
            cells = []
            for name in state.players:
                own = tuple(
                    (at, signed(line.points), line.symbol) for at, line in lines if line.player == name
                )
                cells.append(PaidCell(own, name == entry["winner"]))
            rows.append(PaidRow(number + 1, state.entry_id(place), tuple(cells), place in newest))
        return rows

    def payments(self, state: PadState) -> list[Payment]:
        paid: Counter[tuple[str, str]] = Counter()
        for place, entry in state.standing.items():
            for loser, points in _sums([line for _, line in state.lines_of.get(place, [])]).items():
                paid[loser, entry["winner"]] += points
        return [(loser, winner, points) for (loser, winner), points in paid.most_common()]

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        if entry["type"] == "end":
            return "The players stop", ""
        paid = _paid(state, entry)
        if paid is None:
            return entry["winner"], "won"
        hands = [f"{name} {paid[name]}" for name in entry["losers"]]
        return entry["winner"], f"won {sum(paid.values())}: {', '.join(hands)}"

    def entry_type(self, state: PadState) -> str:
        """A hand: the other type, the end, has a key of its own."""
        return "hand"

    def panel_questions(self, state: PadState) -> list[Question]:
        """The colour that a player was drawing to is asked beside his blocks, not after them."""
        return [question for question in self.questions(state) if question.path[-1] != "drawing"]

    def asks_in_sheet(self, state: PadState) -> bool:
        return self._rack_question(state) is not None

    def panel(self, state: PadState) -> Panel | None:
        question = self.current(state)
        if question is None:
            return None
        if question.path == ("winner",):
            return keys.who_panel(state, question, "Who showed Thumbs Up?")
        if question.path == ("last",):
            return _last_panel(state, question)
        if question.field.kind == "number":
            heading = f"What does {question.seat} pay?"
            return keys.number_panel(question, heading, "As worked out at the table")
        return _blocks_panel(state, question)

    def _rack_question(self, state: PadState) -> Question | None:
        question = self.current(state)
        return question if question and question.seat and question.path[-1] == "blocks" else None

    def rack(self, state: PadState, values: tuple[int, ...] = (5,), held: Held | None = None) -> Rack | None:
        """The five blocks of the loser being asked about, priced."""
        question = self._rack_question(state)
        if question is None or question.seat is None:
            return None
        return priced_rack(state, question, question.seat, values, held)


def _note(state: PadState, name: str, now: Question | None) -> str:
    if state.partial.get("winner") == name:
        return "WON"
    if state.finished:
        return "WON" if name in state.result.winners else ""
    hand = (state.partial.get("losers") or {}).get(name, {})
    owed = price(state, name, hand)
    if owed is not None:
        return f"pays {owed}{taken(state, hand)}"
    return "" if not state.partial.get("winner") else "next" if not now or now.seat != name else "…"


def chips_in_all(state: PadState) -> tuple[int, str]:
    """The sum of all chips, which never moves, and how it is made up."""
    totals = state.result.totals.values()
    made_up = " + ".join(f"{total:,}" if total >= 0 else f"({total:,})".replace("-", "−") for total in totals)
    return sum(totals), made_up


def signed(points: int) -> str:
    """A number that moved, with its sign."""
    return f"+{points}" if points > 0 else f"−{-points}"


def _last_panel(state: PadState, question: Question) -> Panel:
    """The winner cannot be the last to notice his own hand."""
    losers = [name for name in state.players if name != state.partial.get("winner")]
    fee = 2 * state.options["chip_value"]
    names = [
        keys.part(question.path, "put", name, name, f"{name} was last and pays two chips, {fee}")
        for name in losers
    ]
    names.append(keys.part(question.path, "put", None, "Nobody was last"))
    heading, hint = "Who was the last to notice?", f"Two chips to the winner, {fee}"
    return Panel("players", heading, hint, tuple(names), question.place)


def _blocks_panel(state: PadState, question: Question) -> Panel:
    left = left_in_box(state)
    panel = keys.pieces_panel(question, f"{question.seat}’s five blocks", "", "blocks", left, columns=COLORS)
    return replace(panel, pieces=_by_symbol(panel.keys))


def _by_symbol(blocks: Sequence[Key]) -> tuple[PieceKey, ...]:
    """The keys row by row: all colours of one symbol, then the next symbol."""
    rows: dict[str, list[PieceKey]] = {}
    for key in blocks:
        color, symbol = key.words.split()
        rows.setdefault(symbol, []).append(PieceKey(key, color, COLOR_LETTERS[color], symbol))
    return tuple(piece for row in rows.values() for piece in row)


def left_in_box(state: PadState) -> Counter[str]:
    """The number of each block that no hand on the table shows yet."""
    boxes = state.options["sets"]
    whole = Counter({block: COPIES[block.split()[1]] * boxes for block in BLOCKS})
    hands = [hand.get("blocks", ()) for hand in (state.partial.get("losers") or {}).values()]
    return whole - keys.used([*hands, state.partial.get("winning", ())])


def _paid(state: PadState, entry: Mapping[str, Any]) -> Counter[str] | None:
    """The sum each loser paid for a hand, the last to notice included; None for a hand that cannot stand."""
    newest_first = reversed(state.standing.items())
    same = next((place for place, other in newest_first if _is_same(entry, other)), None)
    if same is not None:
        return _sums([line for _, line in state.lines_of.get(same, [])])
    try:
        return _sums(state.position.enter({**entry}).last_lines)
    except Refused:
        return None


def _is_same(entry: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True for the same hand, with its id or without."""
    # Most hands differ in the winner; only the others are looked at whole.
    if entry.get("winner") != other.get("winner"):
        return False
    return {**entry, "id": None} == {**other, "id": None}


def _sums(lines: Sequence[Line]) -> Counter[str]:
    paid: Counter[str] = Counter()
    for line in lines:
        if line.points < 0:
            paid[line.player] -= line.points
    return paid


def end_key(state: PadState) -> Key | None:
    """The key that stops an open game; before the first hand there is nothing to stop."""
    if state.finished or state.options["hands"] or not state.standing:
        return None
    return keys.enter({"type": "end"}, "The players stop", "The players stop: the most chips win")
