"""The two Rummies: whoever goes out writes nothing, the others what they are left with; fewest points win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Line
from engine.cards import CARDS, dealt
from engine.rules import listed
from scorepad.layouts import generic, keys
from scorepad.layouts import questions as asking
from scorepad.layouts.keys import Panel
from scorepad.layouts.questions import Ask
from scorepad.pad_state import PadState

LOOK = "rummy"
NUMBERS_SHOWN = range(1, 12)
"""The pack of 1916 is not described; eleven is the highest number its text names."""


@dataclass(frozen=True)
class Seat:
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


@dataclass(frozen=True)
class Mark:
    """What one hand wrote into one column: a number with its reason, or that this player went out."""

    points: int | None = None
    number: int | None = None
    is_out: bool = False


@dataclass(frozen=True)
class Row:
    hand: int
    dealer: str
    entry_id: str
    marks: tuple[Mark, ...]
    is_last: bool


def status(moment: PadState) -> str:
    state, hands = moment.result.state, moment.options["rounds"] * len(moment.players)
    if moment.finished:
        return f"{hands} hands played. Fewest points win"
    return f"Hand {state['hand']} of {hands}. {state['dealer']} deals"


def seats(moment: PadState) -> list[Seat]:
    result, now = moment.result, current(moment)
    best = min(result.totals.values())
    return [
        Seat(
            name,
            result.totals[name],
            _note(moment, name, best),
            _answer(moment, name),
            moment.filled_by.get(f"hands/{name}", ""),
            f"hands/{name}",
            is_now=bool(now and now.seat == name),
            is_out=moment.made.get("winner") == name,
            has_won=name in result.winners,
            deals=result.state["dealer"] == name and not moment.finished,
        )
        for name in moment.players
    ]


def _note(moment: PadState, name: str, best: int) -> str:
    if moment.made.get("winner") == name:
        return "OUT"
    if moment.finished:
        return "WON" if name in moment.result.winners else ""
    return "leads" if moment.result.lines and moment.result.totals[name] == best else ""


def _answer(moment: PadState, name: str) -> str:
    hand = (moment.made.get("hands") or {}).get(name)
    if not hand:
        return ""
    if "count" in hand:
        return str(hand["count"])
    return "+".join(str(card) if isinstance(card, int) else card for card in hand["cards"])


def sheet(moment: PadState) -> list[Row]:
    rows = []
    last = max(moment.standing, default=-1)
    first = moment.position.table.dealer
    for hand, (place, entry) in enumerate(moment.standing.items()):
        written = {line.player: (number, line.points) for number, line in moment.lines_of.get(place, [])}
        marks = tuple(
            Mark(is_out=True) if name == entry["winner"] else Mark(written[name][1], written[name][0])
            for name in moment.players
        )
        dealer = moment.players[(first + hand) % len(moment.players)]
        entry_id = str(moment.position.entries[place].get("id", ""))
        rows.append(Row(hand + 1, dealer, entry_id, marks, place == last))
    return rows


def questions(moment: PadState) -> list[Ask]:
    return asking.asks(moment.entry_types["hand"], moment.players, moment.made, moment.by, moment.anew)


def current(moment: PadState) -> Ask | None:
    return generic.turned_to(moment, questions)


def panel(moment: PadState) -> Panel | None:
    ask = current(moment)
    if ask is None:
        return None
    if ask.path == ("winner",):
        return keys.who_panel(moment, ask, "Who ran out of cards?", hint="Everyone else counts what is left")
    if ask.field.kind == "number":
        return keys.number_panel(ask, f"{ask.seat}’s count?", "All unplayed cards, held-back sets too")
    return cards_panel(moment, ask, f"{ask.seat}’s unplayed cards")


def cards_panel(moment: PadState, ask: Ask, question: str) -> Panel:
    most = dealt(len(moment.players))
    ask = Ask(ask.path, ask.field._replace(most=most, least=1), ask.seat, ask.ways, ask.answer, ask.answered)
    if moment.position.game.key == "rummy-1916":
        ask = Ask(
            ask.path,
            ask.field._replace(values=tuple(NUMBERS_SHOWN)),
            ask.seat,
            ask.ways,
            ask.answer,
            ask.answered,
        )
        return keys.pieces_panel(ask, question, _sum(ask.answer or []), look="numbers_picked")
    return keys.pieces_panel(
        ask, question, _sum(ask.answer or []), look="cards", left=left_in_pack(moment), columns=tuple("BDCF")
    )


def _sum(cards: list[Any]) -> str:
    if not cards:
        return "Tap each card that is left"
    total = sum(card if isinstance(card, int) else int(card[1:]) for card in cards)
    return f"{listed([str(card) for card in cards])}: {total}"


def left_in_pack(moment: PadState) -> Counter[Any]:
    """How many of each card no hand on the table shows yet."""
    hands = (moment.made.get("hands") or {}).values()
    return Counter(CARDS) - keys.used(hand.get("cards", ()) for hand in hands)


def is_whole(moment: PadState) -> bool:
    return bool(moment.made) and asking.first_open(questions(moment)) is None


def said(moment: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    left = [_left(name, hand) for name, hand in entry["hands"].items()]
    return entry["winner"], f"out; {listed(left)}"


def _left(name: str, hand: Mapping[str, Any]) -> str:
    return f"{name} {hand['count']}" if "count" in hand else f"{name} {'+'.join(map(str, hand['cards']))}"


def when(moment: PadState, place: int) -> str:
    return f"hand {1 + sum(earlier < place for earlier in moment.standing)}"


def trail(moment: PadState, line: Line) -> list[tuple[str, str, str]]:
    return []
