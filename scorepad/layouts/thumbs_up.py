"""Thumbs Up: stacks of chips, what each block costs, who paid whom; the sum of all chips never moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Line, Refused
from engine.games.thumbs_up import BLOCKS, COLORS, COPIES, HAND, block_cost, most_held
from engine.rules import listed
from scorepad.chips import change
from scorepad.chips.purses import Held, after_hand, swap_said
from scorepad.layouts import generic, keys
from scorepad.layouts import questions as asking
from scorepad.layouts.keys import Key, Panel
from scorepad.layouts.questions import Ask
from scorepad.pad_state import PadState

LOOK = "thumbs-up"
COLOR_LETTERS = {"blue": "B", "green": "G", "red": "R", "black": "K", "fifth": "5"}


@dataclass(frozen=True)
class Stack:
    """One pile of chips of one value, as it is drawn: the height of each chip."""

    value: int
    left: int
    chips: tuple[float, ...]
    number: int

    @property
    def top(self) -> float:
        """Where the number over the pile is written."""
        return (self.chips[-1] if self.chips else 33) - 1.75


@dataclass(frozen=True)
class Seat:
    name: str
    total: int
    stacks: tuple[Stack, ...]
    holds: str
    note: str
    filled_by: str
    place: str
    is_now: bool
    has_won_hand: bool
    has_won: bool


@dataclass(frozen=True)
class Priced:
    """One block of the rack, with what it costs."""

    key: Key
    color: str
    symbol: str
    letter: str
    price: int


@dataclass(frozen=True)
class Rack:
    """A loser's five blocks so far, and the reckoning in words."""

    blocks: tuple[Priced, ...]
    empty: tuple[int, ...]
    words: str
    pays: str
    how: str
    equals: tuple[Key, ...]


@dataclass(frozen=True)
class Paid:
    """One column of one hand: what it moved, with the places of the reasons."""

    lines: tuple[tuple[int, str, str], ...]
    is_winner: bool


@dataclass(frozen=True)
class Row:
    hand: int
    entry_id: str
    cells: tuple[Paid, ...]
    is_last: bool


def status(moment: PadState) -> str:
    hands, hand = moment.options["hands"], moment.result.state["hand"]
    if moment.finished:
        return f"{hand} hand{'' if hand == 1 else 's'} played. Most chips win"
    return f"Hand {hand} of {hands}" if hands else f"Hand {hand}. Until the players stop"


def seats(moment: PadState, denominations: tuple[int, ...] = (5,), held: Held | None = None) -> list[Seat]:
    result, now = moment.result, current(moment)
    purses = [
        held.chips(seat) if held else change.held(max(result.totals[name], 0), denominations)
        for seat, name in enumerate(moment.players)
    ]
    return [
        Seat(
            name,
            result.totals[name],
            stacks(purses[seat]),
            change.chips_said(purses[seat]) if held else "",
            _note(moment, name, now) or (f"owes {held.owes(seat)}" if held and held.owes(seat) else ""),
            moment.filled_by.get(f"losers/{name}", ""),
            f"losers/{name}",
            is_now=bool(now and now.seat == name),
            has_won_hand=moment.made.get("winner") == name,
            has_won=name in result.winners,
        )
        for seat, name in enumerate(moment.players)
    ]


def stacks(purse: Mapping[int, int]) -> tuple[Stack, ...]:
    """Piles by value, the dearest chips first. A pile that would be too high is drawn at full height."""
    drawn_piles = []
    for column, value in enumerate(sorted(purse, reverse=True)):
        number = purse[value]
        shown = min(number, 11)
        left = 6 + 20 * column
        drawn_piles.append(Stack(value, left, tuple(30.25 - 2.75 * chip for chip in range(shown)), number))
    return tuple(drawn_piles)


def _note(moment: PadState, name: str, now: Ask | None) -> str:
    if moment.made.get("winner") == name:
        return "WON"
    if moment.finished:
        return "WON" if name in moment.result.winners else ""
    hand = (moment.made.get("losers") or {}).get(name, {})
    owed = price(moment, name, hand)
    if owed is not None:
        return f"pays {owed}"
    return "" if not moment.made.get("winner") else "next" if not now or now.seat != name else "…"


def price(moment: PadState, name: str, hand: Mapping[str, Any]) -> int | None:
    """What this hand costs its player, as the engine says; None while it is not whole."""
    line = _asked(moment, name, hand)
    if line is None:
        return None
    return -line.points if isinstance(line, Line) else 0


def _asked(moment: PadState, name: str, hand: Mapping[str, Any]) -> Line | int | None:
    """Ask the engine about one loser alone: the others pay nothing for the moment."""
    if not hand or ("blocks" in hand and len(hand["blocks"]) != HAND):
        return None
    winner = moment.made.get("winner") or next(other for other in moment.players if other != name)
    losers = {other: {"points": 0} for other in moment.players if other not in (winner, name)}
    entry = {"type": "hand", "winner": winner, "losers": {**losers, name: dict(hand)}}
    try:
        moved = moment.position.enter(entry)
    except Refused:  # the engine's refusal is shown where the hand is entered whole
        return None
    new = moved.lines[len(moment.position.lines) :]
    return next((line for line in new if line.player == name), 0)


def kept(moment: PadState) -> tuple[int, str]:
    """The sum of all chips, which never moves, and how it is made up."""
    totals = moment.result.totals.values()
    made_up = " + ".join(f"{total:,}" if total >= 0 else f"({total:,})".replace("-", "−") for total in totals)
    return sum(totals), made_up


def sheet(moment: PadState) -> list[Row]:
    rows = []
    hands = [(place, entry) for place, entry in moment.standing.items() if entry["type"] == "hand"]
    for number, (place, entry) in enumerate(hands):
        lines = moment.lines_of.get(place, [])
        cells = []
        for name in moment.players:
            own = tuple((at, signed(line.points), line.symbol) for at, line in lines if line.player == name)
            cells.append(Paid(own, name == entry["winner"]))
        entry_id = str(moment.position.entries[place].get("id", ""))
        rows.append(Row(number + 1, entry_id, tuple(cells), number == len(hands) - 1))
    return rows


def signed(points: int) -> str:
    """A number that moved, with its sign."""
    return f"+{points}" if points > 0 else f"−{-points}"


def payments(moment: PadState) -> list[tuple[str, str, int]]:
    """Who paid whom over the whole game, the largest first."""
    paid: Counter[tuple[str, str]] = Counter()
    for place, entry in moment.standing.items():
        for _, line in moment.lines_of.get(place, []):
            if line.points < 0:
                paid[line.player, entry["winner"]] -= line.points
    return [(loser, winner, points) for (loser, winner), points in paid.most_common()]


def questions(moment: PadState) -> list[Ask]:
    return asking.asks(moment.entry_types["hand"], moment.players, moment.made, moment.by, moment.anew)


def current(moment: PadState) -> Ask | None:
    return generic.turned_to(moment, _asked_one_by_one)


def _asked_one_by_one(moment: PadState) -> list[Ask]:
    """Which colour someone was drawing to is asked beside his blocks, not after them."""
    return [ask for ask in questions(moment) if ask.path[-1] != "drawing"]


def panel(moment: PadState) -> Panel | None:
    ask = current(moment)
    if ask is None:
        return None
    if ask.path == ("winner",):
        return keys.who_panel(moment, ask, "Who showed Thumbs Up?")
    if ask.path == ("last",):
        return _last_panel(moment, ask)
    if ask.field.kind == "number":
        return keys.number_panel(ask, f"What does {ask.seat} pay?", "As worked out at the table")
    return keys.pieces_panel(
        ask, f"{ask.seat}’s five blocks", "", "blocks", left_in_box(moment), columns=COLORS
    )


def _last_panel(moment: PadState, ask: Ask) -> Panel:
    """The winner cannot be the last to notice his own hand."""
    losers = [name for name in moment.players if name != moment.made.get("winner")]
    fee = 2 * moment.options["chip_value"]
    names = [
        keys.part(ask.path, "put", name, name, f"{name} was last and pays two chips, {fee}")
        for name in losers
    ]
    names.append(keys.part(ask.path, "put", None, "Nobody was last"))
    return Panel(
        "who", "Who was the last to notice?", f"Two chips to the winner, {fee}", tuple(names), ask.place
    )


def left_in_box(moment: PadState) -> Counter[str]:
    boxes = moment.options["sets"]
    whole = Counter({block: COPIES[block.split()[1]] * boxes for block in BLOCKS})
    hands = [hand.get("blocks", ()) for hand in (moment.made.get("losers") or {}).values()]
    return whole - keys.used([*hands, moment.made.get("winning", ())])


def rack(moment: PadState, denominations: tuple[int, ...] = (5,), held: Held | None = None) -> Rack | None:
    """The five blocks of the loser being asked about, priced."""
    ask = current(moment)
    if ask is None or ask.path[-1] != "blocks" or ask.seat is None:
        return None
    hand = (moment.made.get("losers") or {}).get(ask.seat, {})
    blocks = list(hand.get("blocks", []))
    counts = moment.options["liberty_counts"] == "yes"
    equals = most_held(blocks, counts) if blocks else ()
    drawing = hand.get("drawing") or (min(equals, key=lambda color: _cost(blocks, color)) if equals else "")
    priced = tuple(_priced(ask, place, block, drawing) for place, block in enumerate(blocks))
    line = _asked(moment, ask.seat, hand)
    points = price(moment, ask.seat, hand)
    pays = f"{ask.seat} pays {moment.made.get('winner')} {points}" if points is not None else ""
    how = _how(moment, ask.seat, points, denominations, held) if points and len(denominations) > 1 else ""
    words = line.why if isinstance(line, Line) else _so_far(blocks, drawing)
    return Rack(
        priced, tuple(range(HAND - len(blocks))), words, pays, how, _equal_keys(ask, equals, drawing, blocks)
    )


def _how(moment: PadState, loser: str, points: int, denominations: tuple[int, ...], held: Held | None) -> str:
    """With which chips; where nobody counted them out, as if both held a fair share."""
    totals, winner = moment.result.totals, moment.made.get("winner")
    if held and winner is not None:
        seat_of = moment.players.index
        paid = after_hand(held, ((seat_of(loser), seat_of(winner), points),))[1][0]
        words = change.handed_words(paid.handed) if paid.handed.paid else ""
        return f"{words}, once {swap_said(paid.swap, moment.players)}" if paid.swap else words
    if winner is None or totals[loser] < points:
        return change.spoken(points, denominations)
    purses = [change.held(max(totals[name], 0), denominations) for name in (loser, winner)]
    handed = change.paid_with(points, *purses)
    return change.handed_words(handed) if handed else change.spoken(points, denominations)


def _so_far(blocks: list[str], drawing: str) -> str:
    if not blocks:
        return "Tap the five blocks as they stand on the rack."
    return f"So far the most are {drawing}."


def _cost(blocks: list[str], drawing: str) -> int:
    return sum(block_cost(block, drawing) for block in blocks)


def _priced(ask: Ask, place: int, block: str, drawing: str) -> Priced:
    color, symbol = block.split()
    price_of = block_cost(block, drawing)
    key = keys.part(ask.path, "drop", place, block, f"{block}: {price_of or 'free'}. Take back")
    return Priced(key, color, symbol, COLOR_LETTERS[color], price_of)


def _equal_keys(ask: Ask, equals: tuple[str, ...], drawing: str, blocks: list[str]) -> tuple[Key, ...]:
    """Between equal colours the player names his own; each key says what it would cost."""
    if len(blocks) < HAND or len(equals) < 2:
        return ()
    path = (*ask.path[:-1], "drawing")
    return tuple(
        keys.part(path, "put", color, f"{color} {_cost(blocks, color)}", is_chosen=color == drawing)
        for color in equals
    )


def is_whole(moment: PadState) -> bool:
    return bool(moment.made) and asking.first_open(questions(moment)) is None


def said(moment: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    if entry["type"] == "end":
        return "The players stop", ""
    return entry[
        "winner"
    ], f"won; {listed([_hand_said(name, hand) for name, hand in entry['losers'].items()])} paid"


def _hand_said(name: str, hand: Mapping[str, Any]) -> str:
    return f"{name} {hand['points']}" if "points" in hand else name


def when(moment: PadState, place: int) -> str:
    return f"hand {1 + sum(earlier < place for earlier in moment.standing)}"


def trail(moment: PadState, line: Line) -> list[tuple[str, str, str]]:
    return []


def end_key(moment: PadState) -> Key | None:
    """An open game is stopped by the players; before the first hand there is nothing to stop."""
    if moment.finished or moment.options["hands"] or not moment.standing:
        return None
    return keys.enter({"type": "end"}, "The players stop", "The players stop: the most chips win")
