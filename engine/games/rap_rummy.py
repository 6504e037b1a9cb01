"""Rap Rummy, 1926: nothing is laid down before the rap; then the lowest count takes the differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import melds, pack
from engine.rules import (
    Award,
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
from engine.rummy import Deals, rounds_option

cite = passages("rap-rummy-1926")

OPTIONS = (
    rounds_option(cite("one-deal-each"), "editor"),
    Option(
        "settlement",
        "Do the losers lose points?",
        "credit",
        "sample",
        cite("difference", "score-sheet"),
        {
            "credit": "No: the winner's column grows, as on the score sheet in the rulebook.",
            "transfer": "Yes: what one player receives, the other gives.",
        },
    ),
    Option(
        "rap_fails_when",
        "A rap fails if an opponent is lower. Is one lower opponent enough, or must all be lower?",
        "any-lower",
        "reading",
        cite("failed-rap"),
        {
            "any-lower": "One is enough: a rap fails unless the rapper is lowest.",
            "all-lower": "All: a rap fails only if the rapper is highest.",
        },
    ),
    Option(
        "rapper_tie",
        "What if the rapper is level with the lowest opponent?",
        "tie-break",
        "reading",
        cite("failed-rap", "tie-break"),
        {
            "tie-break": "The tie is broken as between any two players.",
            "rapper-wins": "The rapper wins the hand.",
            "rapper-loses": "A level opponent counts as lower, so the rap may fail.",
        },
    ),
    Option(
        "failed_rap",
        "What are the opponents given when a rap fails?",
        "all-opponents",
        "reading",
        cite("failed-rap"),
        {
            "all-opponents": "Every opponent scores the rapper's count.",
            "nobody": "All counts become equal, so nobody scores.",
            "lowest-takes": "The lowest hand wins as usual and takes the differences from all.",
        },
    ),
    Option(
        "unbroken_tie",
        "What if the tie-break leaves a tie?",
        "joint",
        "editor",
        cite("tie-break"),
        {
            "joint": "Each of the tied players takes the differences.",
            "rapper": "The rapper wins if among them, otherwise each of them does.",
            "nobody": "Nobody scores.",
        },
    ),
)

COUNT = Field("count", "number", "The count of the cards left outside sets and sequences", least=0, most=99)
CARDS = Field("cards", "pieces", "Or the whole hand", values=pack.CARDS, code="bad-card")
ENTRIES = (
    EntryType(
        "hand",
        "A hand is shown",
        (
            Field(
                "rapper", "player", "Who rapped? Nobody, if the pack ran out.", required=False, nullable=True
            ),
            Field("hands", "each", "What does each player count?", shapes=((COUNT,), (CARDS,))),
            Field("tiebreak", "player", "Who has the lowest set or sequence?", required=False, nullable=True),
            Field("unbroken", "flag", "Can the tie not be broken?", required=False),
        ),
    ),
)


class Shown(NamedTuple):
    """One hand as it lies on the table: its count and, where its cards are known, how it is arranged."""

    points: int
    arrangement: melds.Arrangement | None


class Won(NamedTuple):
    """The winners of a hand, with the words and passages for how they came to it."""

    seats: tuple[int, ...]
    how: str
    anchors: tuple[str, ...] = ()


def play(now: Now, entry: Entry) -> Happened:
    table = now.table
    hands = _shown(table, entry["hands"])
    awards = _settle(table, hands, entry)
    state = Deals(now.state.played + 1)
    ended = _most_points(table, after(now.totals, awards)) if state.are_over(table) else None
    return Happened(state, tuple(awards), ended)


def _shown(table: Table, hands: Mapping[str, Any]) -> tuple[Shown, ...]:
    number = pack.dealt(len(table.players))
    given = [hands[name]["cards"] for name in table.players if "cards" in hands[name]]
    for hand in given:
        if len(hand) not in (number, number + 1):
            says = f"A hand is {number} cards, or {number + 1} before the discard; this one has {len(hand)}."
            raise Refused("bad-entry", says, cites=cite("rap-deal"))
    pack.check_each_once(given, cite("the-cards"))
    return tuple(_arranged(hands[name]) for name in table.players)


def _arranged(hand: Mapping[str, Any]) -> Shown:
    if "count" in hand:
        return Shown(hand["count"], None)
    arrangement = melds.best(hand["cards"])
    return Shown(arrangement.count, arrangement)


def _settle(table: Table, hands: tuple[Shown, ...], entry: Entry) -> list[Award]:
    rapper = table.players.index(entry["rapper"]) if entry.get("rapper") is not None else None
    named = table.players.index(entry["tiebreak"]) if entry.get("tiebreak") is not None else None
    unbroken = entry.get("unbroken", False)
    if named is not None and unbroken:
        raise Refused("bad-entry", 'Give "tiebreak" or "unbroken", not both.', cites=cite("tie-break"))
    failed = rapper is not None and _fails(table.options, hands, rapper)
    if failed and table.options["failed_rap"] != "lowest-takes":
        if named is not None or unbroken:
            raise Refused("no-tie", "The rap failed, so there is no tie to break.", cites=cite("failed-rap"))
        return _failed_awards(table, hands, rapper) if table.options["failed_rap"] == "all-opponents" else []
    won = _winners(table, hands, rapper, failed, named, unbroken)
    return _differences(table, hands, won, rapper, failed)


def _fails(options: Mapping[str, Any], hands: tuple[Shown, ...], rapper: int) -> bool:
    level_is_lower = options["rapper_tie"] == "rapper-loses"
    points = hands[rapper].points
    lower = [
        hand.points < points or (level_is_lower and hand.points == points)
        for seat, hand in enumerate(hands)
        if seat != rapper
    ]
    return any(lower) if options["rap_fails_when"] == "any-lower" else all(lower)


def _failed_awards(table: Table, hands: tuple[Shown, ...], rapper: int | None) -> list[Award]:
    assert rapper is not None
    points = hands[rapper].points
    why = (
        f"{table.players[rapper]} rapped with {points} and was not lowest: every opponent is given {points}."
    )
    awards = []
    for seat in range(len(hands)):
        if seat != rapper and points:
            awards += _paid(table, seat, rapper, points, "failed-rap", ("failed-rap",), why)
    return awards


def _paid(
    table: Table, seat: int, other: int, points: int, symbol: str, anchors: tuple[str, ...], why: str
) -> list[Award]:
    awards = [Award(seat, points, symbol, cite(*anchors), why)]
    if table.options["settlement"] == "transfer":
        awards.append(Award(other, -points, symbol, cite(*anchors), why))
    return awards


def _winners(
    table: Table,
    hands: tuple[Shown, ...],
    rapper: int | None,
    failed: bool,
    named: int | None,
    unbroken: bool,
) -> Won:
    able = [seat for seat in range(len(hands)) if not (failed and seat == rapper)]
    lowest = min(hands[seat].points for seat in able)
    tied = tuple(seat for seat in able if hands[seat].points == lowest)
    names = listed([table.players[seat] for seat in tied])
    if rapper in tied and table.options["rapper_tie"] == "rapper-wins" and len(tied) > 1:
        tied, names = (rapper,), f"{table.players[rapper]}, who rapped,"
    if len(tied) == 1:
        if named is not None or unbroken:
            raise Refused(
                "no-tie",
                f"There is no tie: {names} has the lowest count, {lowest}.",
                cites=cite("lowest-wins"),
            )
        return Won(tied, f"{names} is lowest with {lowest}")
    if named is not None:
        if named not in tied:
            says = f"{table.players[named]} is not in the tie; {names} are lowest with {lowest}."
            raise Refused("no-tie", says, cites=cite("tie-break"))
        return Won(
            (named,), f"{names} tie at {lowest}; the table gives it to {table.players[named]}", ("tie-break",)
        )
    if unbroken:
        return _unbroken(table, tied, rapper, lowest)
    if all(hand.points == lowest for hand in hands):
        return Won((), "All counts are equal")
    arranged = [(seat, hands[seat].arrangement) for seat in tied]
    keys = {seat: arrangement.key for seat, arrangement in arranged if arrangement is not None}
    if len(keys) < len(tied):
        ways = "Enter their cards, say who has the lowest set or sequence, or that the tie cannot be broken."
        says = f"{names} tie at {lowest}. {ways}"
        raise Refused("tie", says, cites=cite("tie-break"))
    best = min(keys.values())
    first = tuple(seat for seat in tied if keys[seat] == best)
    if len(first) > 1:
        return _unbroken(table, first, rapper, lowest)
    return Won(
        first,
        f"{names} tie at {lowest}; {table.players[first[0]]} has the lowest set or sequence",
        ("tie-break",),
    )


def _unbroken(table: Table, tied: tuple[int, ...], rapper: int | None, lowest: int) -> Won:
    reading = table.options["unbroken_tie"]
    names = listed([table.players[seat] for seat in tied])
    how = f"{names} tie at {lowest}, and the tie cannot be broken"
    if reading == "nobody":
        return Won((), how, ("tie-break",))
    if reading == "rapper" and rapper in tied:
        return Won((rapper,), f"{how}: {table.players[rapper]}, who rapped, wins", ("tie-break",))
    return Won(tied, how, ("tie-break",))


def _differences(
    table: Table, hands: tuple[Shown, ...], won: Won, rapper: int | None, failed: bool
) -> list[Award]:
    anchors = ("difference", "lowest-wins", *won.anchors)
    if rapper is None:
        anchors += ("no-rap",)
    if failed:
        anchors += ("failed-rap",)
    if any(hand.arrangement for hand in hands):
        anchors += ("count-the-rest",)
    awards = []
    for seat in won.seats:
        for other, hand in enumerate(hands):
            points = hand.points - hands[seat].points
            if points:
                why = f"{won.how}: {points} from {table.players[other]}, who counts {hand.points}."
                awards += _paid(table, seat, other, points, "difference", anchors, why)
    return awards


def _most_points(table: Table, totals: tuple[int, ...]) -> Ended:
    winners = leaders(totals)
    why = f"Each player has dealt, and {table.have(winners)} the most points."
    return Ended(winners, why, cite("most-points", "one-deal-each"))


GAME = Game(
    key="rap-rummy",
    title="Rap Rummy",
    book="rap-rummy-1926",
    seats=(2, 6),
    options=OPTIONS,
    entries=ENTRIES,
    start=lambda table: Deals(0),
    play=play,
    show=lambda table, state, finished: state.show(table, finished),
)
