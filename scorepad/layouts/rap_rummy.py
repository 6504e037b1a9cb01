"""Rap Rummy: everyone's count, the result in words, the winner's column of differences, lowest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Field, Line, Refused, melds
from engine.cards import dealt
from engine.rules import listed
from scorepad.layouts import generic, keys, rummy
from scorepad.layouts import questions as asking
from scorepad.layouts.keys import Panel
from scorepad.layouts.questions import Ask
from scorepad.pad_state import PadState

LOOK = "rap-rummy"


@dataclass(frozen=True)
class Seat:
    name: str
    total: int
    note: str
    answer: str
    filled_by: str
    place: str
    is_now: bool
    has_rapped: bool
    has_won: bool
    deals: bool


@dataclass(frozen=True)
class Got:
    """One number in a column, and from whom it came."""

    points: int
    number: int
    source: str


@dataclass(frozen=True)
class Hand:
    """One hand as the booklet's sheet shows it."""

    hand: int
    dealer: str
    entry_id: str
    words: tuple[str, str]
    counts: tuple[int, ...]
    columns: tuple[tuple[Got, ...], ...]
    totals: tuple[int, ...]
    rapper: str
    is_last: bool


def status(moment: PadState) -> str:
    state, hands = moment.result.state, moment.options["rounds"] * len(moment.players)
    if moment.finished:
        return f"{hands} hands played. Most points win"
    return f"Hand {state['hand']} of {hands}. {state['dealer']} deals"


def seats(moment: PadState) -> list[Seat]:
    result, now = moment.result, current(moment)
    return [
        Seat(
            name,
            result.totals[name],
            _note(moment, name),
            answer(moment, name),
            moment.filled_by.get(f"hands/{name}", ""),
            f"hands/{name}",
            is_now=bool(now and now.seat == name),
            has_rapped=moment.made.get("rapper") == name,
            has_won=name in result.winners,
            deals=result.state["dealer"] == name and not moment.finished,
        )
        for name in moment.players
    ]


def _note(moment: PadState, name: str) -> str:
    if moment.made.get("rapper") == name:
        return "RAPPED"
    if moment.finished and name in moment.result.winners:
        return "WON"
    return ""


def answer(moment: PadState, name: str) -> str:
    hand = (moment.made.get("hands") or {}).get(name)
    if not hand:
        return ""
    return str(count_of(hand)) if "count" in hand or hand.get("cards") else ""


def count_of(hand: Mapping[str, Any]) -> int:
    if "count" in hand:
        return int(hand["count"])
    try:
        return melds.count(hand["cards"])
    except Refused:  # a card twice; the engine will say so where it is entered
        return 0


def sheet(moment: PadState) -> list[Hand]:
    """Every hand, the newest first: on a phone the last result is what the table reads."""
    hands, totals = [], dict.fromkeys(moment.players, 0)
    last = max(moment.standing, default=-1)
    for number, (place, entry) in enumerate(moment.standing.items()):
        columns: dict[str, list[Got]] = {name: [] for name in moment.players}
        for at, line in moment.lines_of.get(place, []):
            columns[line.player].append(Got(line.points, at, _source(moment, entry, line)))
            totals[line.player] += line.points
        dealer = moment.players[(moment.position.table.dealer + number) % len(moment.players)]
        hands.append(
            Hand(
                number + 1,
                dealer,
                str(moment.position.entries[place].get("id", "")),
                words(moment, place, entry),
                tuple(count_of(entry["hands"][name]) for name in moment.players),
                tuple(tuple(sorted(columns[name], key=lambda got: got.points)) for name in moment.players),
                tuple(totals.values()),
                entry.get("rapper") or "",
                place == last,
            )
        )
    return hands[::-1]


def _source(moment: PadState, entry: Mapping[str, Any], line: Line) -> str:
    """From whom a difference came: the opponent who counts so much more."""
    if line.symbol == "failed-rap":
        return str(entry["rapper"])
    for name in moment.players:
        if name != line.player and f" from {name}, who counts" in line.why:
            return name
    return ""


def words(moment: PadState, place: int, entry: Mapping[str, Any]) -> tuple[str, str]:
    """The result as one says it: what happened, and who takes what."""
    lines = [line for _, line in moment.lines_of.get(place, [])]
    rapper = entry.get("rapper")
    counts = {name: count_of(hand) for name, hand in entry["hands"].items()}
    gains = [line for line in lines if line.points > 0]
    if lines and lines[0].symbol == "failed-rap":
        takers = listed([line.player for line in gains])
        each = "each " if len(gains) > 1 else ""
        verb = "score" if len(gains) > 1 else "scores"
        return (
            f"{rapper} rapped with {counts[rapper]} and was not the lowest.",
            f"{takers} {each}{verb} {counts[rapper]}.",
        )
    if not gains:
        return (_opening(rapper, counts, None), "Nobody scores.")
    winners = list(dict.fromkeys(line.player for line in gains))
    takes = [_takes(moment, entry, winner, gains) for winner in winners]
    return _opening(rapper, counts, winners[0] if len(winners) == 1 else None), " ".join(takes)


def _opening(rapper: Any, counts: Mapping[str, int], winner: str | None) -> str:
    if rapper is None:
        start = "The pack ran out."
    elif winner == rapper:
        return f"{rapper} rapped with {counts[rapper]}, and {counts[rapper]} is the lowest."
    else:
        start = f"{rapper} rapped with {counts[rapper]}."
    return start if winner is None else f"{start} {winner} is lowest with {counts[winner]}."


def _takes(moment: PadState, entry: Mapping[str, Any], winner: str, gains: list[Line]) -> str:
    own = sorted((line.points, _source(moment, entry, line)) for line in gains if line.player == winner)
    total = sum(points for points, _ in own)
    takes = f"{winner} takes {listed([f'{points} from {source}' for points, source in own])}"
    return f"{takes}, {total} in all." if len(own) > 1 else f"{takes}."


def questions(moment: PadState) -> list[Ask]:
    """Who rapped, everyone's hand; how a tie is broken only when the engine says there is one."""
    asked = [
        ask
        for ask in asking.asks(
            moment.entry_types["hand"], moment.players, moment.made, moment.by, moment.anew
        )
        if ask.path[0] in ("rapper", "hands")
    ]
    if asking.first_open(asked) is None and tie(moment) is not None:
        field = next(field for field in moment.entry_types["hand"].fields if field.key == "tiebreak")
        asked.append(Ask(("tiebreak",), field))
    return asked


def tie(moment: PadState) -> Refused | None:
    refused = moment.refusal(asking.entry_of({**moment.made, "type": "hand"}))
    return refused if refused and refused.code == "tie" else None


def current(moment: PadState) -> Ask | None:
    return generic.turned_to(moment, questions)


def panel(moment: PadState) -> Panel | None:
    ask = current(moment)
    if ask is None:
        return None
    if ask.path == ("rapper",):
        return keys.who_panel(moment, ask, "Who rapped?", "Nobody: the pack ran out")
    if ask.path == ("tiebreak",):
        return tie_panel(moment, ask)
    if ask.field.kind == "number":
        return keys.number_panel(ask, f"{ask.seat}’s count?", "Cards left outside sets and sequences")
    return cards_panel(moment, ask)


def tie_panel(moment: PadState, ask: Ask) -> Panel:
    counts = {name: count_of(hand) for name, hand in moment.made["hands"].items()}
    refused = tie(moment)
    lowest = min(counts.values())
    tied = [name for name in moment.players if counts[name] == lowest]
    names = [
        keys.part(ask.path, "put", name, name, f"{name} has the lowest set or sequence") for name in tied
    ]
    names.append(keys.part(("unbroken",), "put", True, "It cannot be broken"))
    question = "Who has the lowest set or sequence?"
    return Panel("who", question, refused.message if refused else "", tuple(names), ask.place)


def cards_panel(moment: PadState, ask: Ask) -> Panel:
    most = dealt(len(moment.players))
    field: Field = ask.field._replace(least=most, most=most + 1)
    ask = Ask(ask.path, field, ask.seat, ask.ways, ask.answer, ask.answered)
    return keys.pieces_panel(
        ask,
        f"{ask.seat}’s {most} cards",
        look="cards",
        left=rummy.left_in_pack(moment),
        columns=tuple("BDCF"),
        words=_turned_down(ask.answer or []),
    )


def _turned_down(cards: list[str]) -> tuple[str, ...]:
    """What the best arrangement turns down, and what is left to count."""
    if len(cards) < 3:
        return ()
    try:
        best = melds.best(cards)
    except Refused:
        return ()
    down = [f"{' '.join(meld)} turned down" for meld in best.melds]
    rest = f"{' + '.join(best.rest)} left: {best.count}" if best.rest else "Nothing left: 0"
    return (*down, rest)


def is_whole(moment: PadState) -> bool:
    if not moment.made or asking.first_open(questions(moment)) is None:
        return bool(moment.made)
    # A tie that the table has answered leaves nothing open but the question itself.
    return bool(moment.made.get("tiebreak") or moment.made.get("unbroken")) and tie(moment) is None


def said(moment: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    counts = ", ".join(f"{name} {count_of(hand)}" for name, hand in entry["hands"].items())
    rapped = f"{entry['rapper']} rapped" if entry.get("rapper") else "no rap"
    return rapped, counts


def when(moment: PadState, place: int) -> str:
    return f"hand {1 + sum(earlier < place for earlier in moment.standing)}"


def trail(moment: PadState, line: Line) -> list[tuple[str, str, str]]:
    return []
