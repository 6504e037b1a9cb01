"""Layout of Rap Rummy: everyone's count, the result in words, the winner's column of differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Line, Refused, melds
from engine.games.rap_rummy import cite
from engine.pack import dealt, highest_outside_melds
from engine.rules import listed
from scorepad.layouts import keys, questions
from scorepad.layouts.hand_counts import HandCounts, bounded, pack_panel
from scorepad.layouts.keys import Panel
from scorepad.layouts.legend import Sign
from scorepad.layouts.questions import Question
from scorepad.pad_state import PadState

TIE_ANSWERS = ("tiebreak", "unbroken")


@dataclass(frozen=True)
class Difference:
    """One number in a column, and from whom it came."""

    points: int
    number: int
    source: str


@dataclass(frozen=True)
class RapHand:
    """One hand as the booklet's sheet shows it."""

    hand: int
    dealer: str
    entry_id: str
    words: tuple[str, str]
    counts: tuple[int, ...]
    columns: tuple[tuple[Difference, ...], ...]
    totals: tuple[int, ...]
    rapper: str
    is_last: bool
    is_new: bool


class RapRummy(HandCounts):
    name = "rap-rummy"
    count_hint = "Cards left outside sets and sequences"
    hints = (
        "Hand over? Tap who rapped, then a number for each player.",
        "By cards works too: the pad finds sets and sequences.",
        "Tap a number on the sheet to read its rule. Undo takes back a wrong tap.",
    )

    def note(self, state: PadState, name: str) -> str:
        if state.partial.get("rapper") == name:
            return "RAPPED"
        return "WON" if state.finished and name in state.result.winners else ""

    def answer(self, state: PadState, name: str) -> str:
        hand = (state.partial.get("hands") or {}).get(name)
        if not hand:
            return ""
        return str(count_of(hand)) if "count" in hand or hand.get("cards") else ""

    def sheet(self, state: PadState) -> list[RapHand]:
        """Every hand, the newest first: on a phone the last result is what the table reads."""
        hands, totals = [], dict.fromkeys(state.players, 0)
        newest = state.newest_among(state.standing)
        for number, (place, entry) in enumerate(state.standing.items()):
            columns: dict[str, list[Difference]] = {name: [] for name in state.players}
            for at, line in state.lines_of.get(place, []):
                columns[line.player].append(Difference(line.points, at, _source(state, entry, line)))
                totals[line.player] += line.points
            hands.append(
                RapHand(
                    number + 1,
                    state.dealer_of(number),
                    state.entry_id(place),
                    result_words(state, place, entry),
                    tuple(count_of(entry["hands"][name]) for name in state.players),
                    tuple(tuple(sorted(columns[name], key=lambda got: got.points)) for name in state.players),
                    tuple(totals.values()),
                    entry.get("rapper") or "",
                    place == state.last_place,
                    place in newest,
                )
            )
        return hands[::-1]

    def printed_sheet(self, state: PadState) -> list[RapHand]:
        return self.sheet(state)[::-1]

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        counts = ", ".join(f"{name} {count_of(hand)}" for name, hand in entry["hands"].items())
        rapped = f"{entry['rapper']} rapped" if entry.get("rapper") else "no rap"
        return rapped, counts

    def questions(self, state: PadState) -> list[Question]:
        """The rapper and everyone's hand; how a tie is broken only when the engine says there is one."""
        asked = [question for question in super().questions(state) if question.path[0] in ("rapper", "hands")]
        if questions.first_open(asked) is None and tie(state) is not None:
            field = next(field for field in state.entry_types["hand"].fields if field.key == "tiebreak")
            answer = state.partial.get("tiebreak") or (
                "cannot be broken" if state.partial.get("unbroken") else None
            )
            asked.append(Question(("tiebreak",), field, answer=answer, answered=answer is not None))
        return asked

    def is_complete(self, state: PadState) -> bool:
        return bool(state.partial) and questions.first_open(self.questions(state)) is None

    def without_stale(self, state: PadState, answered: str) -> dict[str, Any]:
        """A tie is broken in one way; and where there is none, or among others, its answer goes."""
        partial = dict(state.partial)
        if answered in TIE_ANSWERS:
            partial.pop(next(key for key in TIE_ANSWERS if key != answered), None)
        hands = partial.get("hands") or {}
        if len(hands) < len(state.players) or not all(hands.values()):
            return partial
        if tie(state) is None:
            return {key: value for key, value in partial.items() if key not in TIE_ANSWERS}
        if partial.get("tiebreak") not in tied_players(state):
            partial.pop("tiebreak", None)
        return partial

    def signs_of_game(self, state: PadState) -> list[Sign]:
        rapped, down = cite("rap", "turn-down")
        return [
            Sign("stamped", "who ended the hand", "RAPPED", cite=rapped),
            Sign("word", "a set or sequence, which is not counted", "turned down", cite=down),
            *super().signs_of_game(state),
        ]

    def highest(self, state: PadState) -> tuple[int, ...]:
        return highest_outside_melds(len(state.players))

    def reason(self, state: PadState, cards: str) -> str:
        return f"Three of a number are turned down, so the highest cards left to count are {cards}:"

    def hand_panel(self, state: PadState, question: Question) -> Panel:
        if question.path == ("tiebreak",):
            return tie_panel(state, question)
        return keys.who_panel(state, question, "Who rapped?", "Nobody: the pack ran out")

    def cards_panel(self, state: PadState, question: Question) -> Panel:
        most = dealt(len(state.players))
        words = _turned_down(question.answer or [])
        # Before the discard a hand has a card more than was dealt.
        asked = bounded(question, most, most + 1)
        given = len(question.answer or [])
        hint = f"The drawn card too, if it is not discarded yet: {most + 1} places"
        if given == most:
            hint = f"{most} cards. Tap “That is all”, or the card drawn and not yet discarded"
        return pack_panel(state, asked, f"{question.seat}’s {most} cards", hint, words)


def count_of(hand: Mapping[str, Any]) -> int:
    if "count" in hand:
        return int(hand["count"])
    try:
        return melds.count(hand["cards"])
    except Refused:  # a card twice; the engine will say so where it is entered
        return 0


def _source(state: PadState, entry: Mapping[str, Any], line: Line) -> str:
    """From whom a difference came: the opponent who counts so much more."""
    if line.symbol == "failed-rap":
        return str(entry["rapper"])
    for name in state.players:
        if name != line.player and f" from {name}, who counts" in line.why:
            return name
    return ""


def result_words(state: PadState, place: int, entry: Mapping[str, Any]) -> tuple[str, str]:
    """The result as one says it: what happened, and who takes what."""
    lines = [line for _, line in state.lines_of.get(place, [])]
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
    takes = [_takes(state, entry, winner, gains) for winner in winners]
    return _opening(rapper, counts, winners[0] if len(winners) == 1 else None), " ".join(takes)


def _opening(rapper: Any, counts: Mapping[str, int], winner: str | None) -> str:
    if rapper is None:
        start = "The pack ran out."
    elif winner == rapper:
        return f"{rapper} rapped with {counts[rapper]}, and {counts[rapper]} is the lowest."
    else:
        start = f"{rapper} rapped with {counts[rapper]}."
    return start if winner is None else f"{start} {winner} is lowest with {counts[winner]}."


def _takes(state: PadState, entry: Mapping[str, Any], winner: str, gains: list[Line]) -> str:
    own = sorted((line.points, _source(state, entry, line)) for line in gains if line.player == winner)
    total = sum(points for points, _ in own)
    takes = f"{winner} takes {listed([f'{points} from {source}' for points, source in own])}"
    return f"{takes}, {total} in all." if len(own) > 1 else f"{takes}."


def tie(state: PadState) -> Refused | None:
    """The engine's question who has won a tie, whatever the table has answered to it."""
    asked = {key: value for key, value in state.partial.items() if key not in TIE_ANSWERS}
    refused = state.refusal(questions.complete_entry({**asked, "type": "hand"}))
    return refused if refused and refused.code == "tie" else None


def tied_players(state: PadState) -> list[str]:
    counts = {name: count_of(hand) for name, hand in state.partial["hands"].items()}
    return [name for name in state.players if counts[name] == min(counts.values())]


def tie_panel(state: PadState, question: Question) -> Panel:
    refused = tie(state)
    chosen = state.partial.get("tiebreak")
    names = [
        keys.part(
            question.path,
            "put",
            name,
            name,
            f"{name} has the lowest set or sequence",
            is_chosen=name == chosen,
        )
        for name in tied_players(state)
    ]
    unbroken = bool(state.partial.get("unbroken"))
    names.append(keys.part(("unbroken",), "put", True, "It cannot be broken", is_chosen=unbroken))
    heading = "Who has the lowest set or sequence?"
    return Panel("players", heading, refused.message if refused else "", tuple(names), question.place)


def _turned_down(cards: list[str]) -> tuple[str, ...]:
    """The sets and sequences of the best arrangement, and what is left to count."""
    if len(cards) < 3:
        return ()
    try:
        best = melds.best(cards)
    except Refused:
        return ()
    down = [f"{' '.join(map(keys.card_words, meld))} turned down" for meld in best.melds]
    rest = f"{' + '.join(map(keys.card_words, best.rest))} left: {best.count}"
    if not best.rest:
        rest = "Nothing left: 0"
    return (*down, rest)
