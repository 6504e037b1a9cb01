"""Racks of Thumbs Up: a loser's five blocks, what each costs, and with which chips it is paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Line, Refused
from engine.games.thumbs_up import HAND, block_cost, most_held
from scorepad.chips import change
from scorepad.chips.purses import Held, after_hand, describe_swap
from scorepad.layouts import keys
from scorepad.layouts.keys import Key
from scorepad.layouts.questions import Question
from scorepad.pad_state import PadState

COLOR_LETTERS = {"blue": "B", "green": "G", "red": "R", "black": "K", "fifth": "5"}


@dataclass(frozen=True)
class PricedBlock:
    """One block of the rack, with what it costs."""

    key: Key
    color: str
    symbol: str
    letter: str
    price: int


@dataclass(frozen=True)
class Rack:
    """A loser's five blocks so far, and what they cost in words."""

    blocks: tuple[PricedBlock, ...]
    empty: tuple[int, ...]
    words: str
    pays: str
    how: str
    equals: tuple[Key, ...]


def priced_rack(
    state: PadState, question: Question, loser: str, values: tuple[int, ...], held: Held | None
) -> Rack:
    """The five blocks of a loser as far as they are known, each with its price."""
    hand = (state.partial.get("losers") or {}).get(loser, {})
    blocks = list(hand.get("blocks", []))
    equals = _equals(state, blocks)
    drawing = hand.get("drawing") or _cheapest(blocks, equals)
    line = _line_of(state, loser, hand)
    points = price(state, loser, hand)
    return Rack(
        tuple(_priced(question, place, block, drawing) for place, block in enumerate(blocks)),
        tuple(range(HAND - len(blocks))),
        line.why if isinstance(line, Line) else _so_far(blocks, drawing),
        f"{loser} pays {state.partial.get('winner')} {points}" if points is not None else "",
        _with_which_chips(state, loser, points, values, held) if points and len(values) > 1 else "",
        _equal_keys(question, equals, drawing, blocks),
    )


def taken(state: PadState, hand: Mapping[str, Any]) -> str:
    """Between equal colours, the one that was taken: the player may name another."""
    blocks = hand.get("blocks", [])
    equals = _equals(state, blocks)
    return f", {hand.get('drawing') or _cheapest(blocks, equals)}" if len(equals) > 1 else ""


def _equals(state: PadState, blocks: list[str]) -> tuple[str, ...]:
    """The colours of which a player has the most blocks."""
    return most_held(blocks, state.options["liberty_counts"] == "yes") if blocks else ()


def _cheapest(blocks: list[str], equals: Sequence[str]) -> str:
    return min(equals, key=lambda color: _cost(blocks, color), default="")


def price(state: PadState, name: str, hand: Mapping[str, Any]) -> int | None:
    """The price of this hand, as the engine says; None while it is not whole."""
    line = _line_of(state, name, hand)
    if line is None:
        return None
    return -line.points if isinstance(line, Line) else 0


def _line_of(state: PadState, name: str, hand: Mapping[str, Any]) -> Line | int | None:
    """Ask the engine about one loser alone: the others pay nothing meanwhile. 0 where he pays nothing."""
    if not hand or ("blocks" in hand and len(hand["blocks"]) != HAND):
        return None
    winner = state.partial.get("winner") or next(other for other in state.players if other != name)
    losers = {other: {"points": 0} for other in state.players if other not in (winner, name)}
    entry = {"type": "hand", "winner": winner, "losers": {**losers, name: dict(hand)}}
    try:
        moved = state.position.enter(entry)
    except Refused:  # the engine's refusal is shown where the hand is entered whole
        return None
    return next((line for line in moved.last_lines if line.player == name), 0)


def _with_which_chips(
    state: PadState, loser: str, points: int, values: tuple[int, ...], held: Held | None
) -> str:
    """The chips to pay with; where they were not counted out, as if both held a fair share."""
    totals, winner = state.result.totals, state.partial.get("winner")
    if held and winner is not None:
        seat_of = state.players.index
        paid = after_hand(held, ((seat_of(loser), seat_of(winner), points),))[1][0]
        words = change.describe_handed(paid.handed) if paid.handed.paid else ""
        return f"{words}, once {describe_swap(paid.swap, state.players)}" if paid.swap else words
    if winner is None or totals[loser] < points:
        return change.describe_sum(points, values)
    fair = [change.spread(max(totals[name], 0), values) for name in (loser, winner)]
    handed = change.pay(points, *fair)
    return change.describe_handed(handed) if handed else change.describe_sum(points, values)


def _so_far(blocks: list[str], drawing: str) -> str:
    if not blocks:
        return "Tap the five blocks as they stand on the rack."
    return f"So far the most are {drawing}."


def _cost(blocks: list[str], drawing: str) -> int:
    return sum(block_cost(block, drawing) for block in blocks)


def _priced(question: Question, place: int, block: str, drawing: str) -> PricedBlock:
    color, symbol = block.split()
    cost = block_cost(block, drawing)
    key = keys.take_back(question.path, place, block, block, f"{block}: {cost or 'free'}. Take back")
    return PricedBlock(key, color, symbol, COLOR_LETTERS[color], cost)


def _equal_keys(
    question: Question, equals: tuple[str, ...], drawing: str, blocks: list[str]
) -> tuple[Key, ...]:
    """Between equal colours the player names his own; each key says what it would cost."""
    if len(blocks) < HAND or len(equals) < 2:
        return ()
    path = (*question.path[:-1], "drawing")
    return tuple(
        keys.part(path, "put", color, f"{color} {_cost(blocks, color)}", is_chosen=color == drawing)
        for color in equals
    )
