"""Thumbs Up, 1941: fifty blocks, and chips that pass from the losers of a hand to its winner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.rules import (
    Award,
    Cites,
    Ended,
    Entry,
    EntryType,
    Field,
    Game,
    Happened,
    Now,
    Option,
    Refused,
    Table,
    after,
    leaders,
    listed,
    passages,
)

cite = passages("thumbs-up-1941")

COLORS = ("blue", "green", "red", "black", "fifth")
VALUES = {"dot": 5, "dash": 10, "v": 25, "liberty": 25}
COPIES = {"dot": 5, "dash": 2, "v": 2, "liberty": 1}
BLOCKS = tuple(f"{color} {symbol}" for color in COLORS for symbol in VALUES)
SPOKEN = {"dot": "Dot", "dash": "Dash", "v": "V", "liberty": "Liberty"}
PRICES = {
    drawing: {
        f"{color} {symbol}": value if symbol == "liberty" or color != drawing else 0
        for color in COLORS
        for symbol, value in VALUES.items()
    }
    for drawing in COLORS
}
"""What each block costs a player who was drawing to this colour."""
COLOR_OF = {block: block.split()[0] for block in BLOCKS}
LIBERTIES = frozenset(f"{color} liberty" for color in COLORS)
PRICES_SPOKEN = {
    drawing: {
        block: f"{COLOR_OF[block]} {SPOKEN[block.split()[1]]} {price}"
        for block, price in prices.items()
        if price
    }
    for drawing, prices in PRICES.items()
}
PRICED = cite("pay-other-colors", "drawing-color", "block-values")
PRICED_WITH_LIBERTY = PRICED + cite("liberty-against")
WINNING = Counter({"dot": 3, "dash": 1, "v": 1})
HAND = 5
MAX_PAYMENT = 125
CHIPS_OF_THE_LAST = 2

OPTIONS = (
    Option(
        "hands",
        "How many hands make the game? 0 goes on until the players stop.",
        5,
        "text",
        cite("five-hands", "open-length"),
        least=0,
        most=1000,
    ),
    Option(
        "stake",
        "How many points in chips does each player start with? 0 counts only what changes hands.",
        0,
        "editor",
        cite("equal-chips", "chip-values"),
        least=0,
        most=1_000_000,
    ),
    Option(
        "when_short",
        "What if a player has not enough chips to pay?",
        "owe",
        "editor",
        cite("pay-other-colors", "equal-chips"),
        {
            "owe": "They owe the rest: the balance goes below zero.",
            "pay-what-you-can": "They pay what they have, for blocks first, and no more. Needs a stake.",
        },
    ),
    Option(
        "liberty_counts",
        "Does a Liberty block count for the colour a player has the most of?",
        "yes",
        "reading",
        cite("drawing-color", "equipment"),
        {
            "yes": "It is a block of its colour like any other, though it still costs 25.",
            "no": "It is separate: only dots, dashes and Vs show which colour he was drawing to.",
        },
    ),
    Option(
        "chip_value",
        "How many points is each of the two chips that the last to notice pays?",
        5,
        "text",
        cite("last-to-notice", "chip-values"),
        least=1,
        most=1000,
    ),
    Option(
        "sets",
        "How many games are combined? Two boxes seat up to eight players.",
        1,
        "text",
        cite("seats"),
        numbers=(1, 2),
    ),
)

FIVE_BLOCKS = Field(
    "blocks", "pieces", "Which five blocks?", values=BLOCKS, least=HAND, most=HAND, code="bad-block"
)
DRAWING = Field(
    "drawing", "choice", "Which colour was this player drawing to?", required=False, values=COLORS
)
AMOUNT = Field("points", "number", "Or just the amount to pay", least=0, most=MAX_PAYMENT, step=5)
ENTRIES = (
    EntryType(
        "hand",
        "A hand is won",
        (
            Field("winner", "player", "Who showed Thumbs Up?"),
            Field(
                "losers",
                "each",
                "What did the others hold?",
                but="winner",
                shapes=((FIVE_BLOCKS, DRAWING), (AMOUNT,)),
            ),
            FIVE_BLOCKS._replace(key="winning", question="The winning five blocks", required=False),
            Field("last", "player", "Who was the last to notice?", required=False, nullable=True),
        ),
    ),
    EntryType("end", "The players stop"),
)


class State(NamedTuple):
    """The number of hands played."""

    played: int


def start(table: Table) -> State:
    return State(0)


def play(now: Now, entry: Entry) -> Happened:
    if now.kind == "end":
        return _end(now)
    table, players = now.table, now.table.players
    winner, last = entry["winner"], entry.get("last")
    if last == winner:
        raise Refused(
            "bad-entry",
            f"{winner} won the hand and cannot be the last to notice it.",
            cites=cite("last-to-notice"),
        )
    _check_copies(table, entry)
    losers = {name: _price(table, name, hand) for name, hand in _in_seat_order(players, entry["losers"])}
    if "winning" in entry:
        _check_win(entry["winning"])
    seat, awards = players.index(winner), []
    purses = list(now.totals)
    for name, (points, cites, why) in losers.items():
        awards += _payment(table, purses, players.index(name), seat, points, "blocks", cites, why)
    if last is not None:
        fee = CHIPS_OF_THE_LAST * table.options["chip_value"]
        why = f"{last} was the last to notice and pays two chips of {table.options['chip_value']}."
        awards += _payment(
            table, purses, players.index(last), seat, fee, "last", cite("last-to-notice", "chip-values"), why
        )
    state = State(now.state.played + 1)
    ended = None
    if state.played == table.options["hands"]:
        ended = _most_chips(
            table, after(now.totals, awards), f"{state.played} hands are played", "five-hands"
        )
    return Happened(state, tuple(awards), ended)


def _end(now: Now) -> Happened:
    if not now.state.played:
        raise Refused(
            "bad-entry", "Play at least one hand before the game is ended.", cites=cite("open-length")
        )
    return Happened(now.state, (), _most_chips(now.table, now.totals, "The players stop", "open-length"))


def _most_chips(table: Table, totals: Any, why: str, anchor: str) -> Ended:
    winners = leaders(totals)
    return Ended(winners, f"{why}, and {table.have(winners)} the most chips.", cite("most-chips", anchor))


def _in_seat_order(players: tuple[str, ...], losers: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, losers[name]) for name in players if name in losers]


def _check_copies(table: Table, entry: Entry) -> None:
    hands = [hand.get("blocks", ()) for hand in entry["losers"].values()]
    shown = Counter(block for blocks in (*hands, entry.get("winning", ())) for block in blocks)
    for block, number in shown.items():
        most = COPIES[block.split()[1]] * table.options["sets"]
        if number > most:
            boxes = "one box" if table.options["sets"] == 1 else "two boxes"
            says = f"{number} {block} blocks are entered, but there are only {most} in {boxes}."
            raise Refused("impossible", says, cites=cite("equipment"))


def _check_win(blocks: list[str]) -> None:
    symbols = Counter(block.split()[1] for block in blocks)
    one_color = len({block.split()[0] for block in blocks}) == 1
    # What the hand lacks is exactly what its one Liberty stands for.
    lacking = WINNING - symbols
    if not one_color or symbols["liberty"] > 1 or lacking.total() != symbols["liberty"]:
        says = (
            "A winning hand is three Dots, a Dash and a V of one colour; "
            "one Liberty of that colour may stand for any one of them."
        )
        raise Refused("not-a-win", says, cites=cite("winning-hand", "liberty-fills"))


def _price(table: Table, name: str, hand: Mapping[str, Any]) -> tuple[int, Cites, str]:
    """The debt of a loser for his hand, the passages that say so, and the reckoning in words."""
    if "points" in hand:
        points: int = hand["points"]
        return (
            points,
            cite("pay-other-colors", "block-values"),
            f"{name} pays {points}, as worked out at the table.",
        )
    blocks = hand["blocks"]
    equals = most_held(blocks, table.options["liberty_counts"] == "yes")
    drawing = hand.get("drawing")
    if drawing is None:
        drawing = min(equals, key=lambda color: _cost(blocks, color)) if len(equals) > 1 else equals[0]
    elif drawing not in equals:
        says = f"{name} has the most blocks in {listed(list(equals))}, and so was not drawing to {drawing}."
        raise Refused("not-the-most", says, cites=cite("drawing-color"))
    cites = PRICED if LIBERTIES.isdisjoint(blocks) else PRICED_WITH_LIBERTY
    return _cost(blocks, drawing), cites, f"{name} was drawing to {drawing}; {_spoken(blocks, drawing)}."


def _spoken(blocks: list[str], drawing: str) -> str:
    spoken = PRICES_SPOKEN[drawing]
    return ", ".join([spoken[block] for block in blocks if block in spoken]) or "nothing to pay"


def most_held(blocks: list[str], liberty_counts: bool) -> tuple[str, ...]:
    """The colours he may have been drawing to: the one he has the most of, or those equal at the top."""
    held = dict.fromkeys(COLORS, 0)
    for block in blocks:
        if liberty_counts or block not in LIBERTIES:
            held[COLOR_OF[block]] += 1
    most = max(held.values())
    return tuple([color for color in COLORS if held[color] == most])


def _cost(blocks: list[str], drawing: str) -> int:
    prices = PRICES[drawing]
    return sum([prices[block] for block in blocks])


def block_cost(block: str, drawing: str) -> int:
    return PRICES[drawing][block]


def _payment(
    table: Table, purses: list[int], loser: int, winner: int, points: int, symbol: str, cites: Cites, why: str
) -> list[Award]:
    if table.options["when_short"] == "pay-what-you-can" and points > purses[loser]:
        points = purses[loser]
        why = f"{why} Only {points} left, so {points} is paid."
    if not points:
        return []
    purses[loser] -= points
    purses[winner] += points
    return [Award(loser, -points, symbol, cites, why), Award(winner, points, symbol, cites, why)]


def seat_rule(seats: tuple[int, int], options: Mapping[str, Any]) -> tuple[int, int]:
    return seats[0], seats[1] * options["sets"]


def option_rule(options: Mapping[str, Any]) -> None:
    if options["when_short"] == "pay-what-you-can" and not options["stake"]:
        says = 'Paying what they have needs chips to start with: give a "stake" above 0.'
        raise Refused("bad-option", says, cites=cite("equal-chips"))


def show(table: Table, state: State, finished: bool) -> dict[str, Any]:
    return {"hand": state.played if finished else state.played + 1}


GAME = Game(
    key="thumbs-up",
    title="Thumbs Up",
    book="thumbs-up-1941",
    seats=(2, 4),
    options=OPTIONS,
    entries=ENTRIES,
    start=start,
    play=play,
    show=show,
    seat_rule=seat_rule,
    option_rule=option_rule,
    stake="stake",
)
