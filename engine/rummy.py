"""Rummy with points against: the player who goes out writes nothing, the others what they are left with.

The booklets of 1916 and 1926 tell the same game in other words, so their files say only what differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.pack import dealt
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


class Deals(NamedTuple):
    """A game in which every player deals equally often: hands played so far."""

    played: int

    def dealer(self, table: Table, finished: bool) -> int:
        return (table.dealer + self.played - finished) % len(table.players)

    def show(self, table: Table, finished: bool) -> dict[str, Any]:
        return {"hand": self.played + (not finished), "dealer": table.players[self.dealer(table, finished)]}

    def are_over(self, table: Table) -> bool:
        rounds: int = table.options["rounds"]
        return self.played == rounds * len(table.players)


def rounds_option(cites: Cites, authority: str) -> Option:
    return Option("rounds", "How many deals for each player?", 1, authority, cites, least=1, most=100)


def hand_entry(cards: Field) -> EntryType:
    left = Field("hands", "each", "What are the others left with?", but="winner", shapes=((COUNT,), (cards,)))
    return EntryType("hand", "A hand is over", (Field("winner", "player", "Who ran out of cards?"), left))


COUNT = Field("count", "number", "The total of the unplayed cards", least=1, most=999)


def points_against(
    key: str,
    title: str,
    book: str,
    cards: Field,
    total: Callable[[list[Any]], int],
    check_pack: Callable[[list[list[Any]]], None],
) -> Game:
    cite = passages(book)

    def play(now: Now, entry: Entry) -> Happened:
        table, players, hands = now.table, now.table.players, entry["hands"]
        shown = [hand["cards"] for hand in hands.values() if "cards" in hand]
        most = dealt(len(players))
        for hand in shown:
            if len(hand) > most:
                says = f"{len(hand)} cards are left in one hand, and only {most} were dealt to each."
                raise Refused("impossible", says, cites=cite("deal"))
        check_pack(shown)
        awards = []
        for seat, name in enumerate(players):
            if name in hands:
                hand = hands[name]
                points = total(hand["cards"]) if "cards" in hand else hand["count"]
                why = f"{name} is left with {_spoken(hand)}"
                awards.append(Award(seat, points, "against", cite("points-against"), why))
        state = Deals(now.state.played + 1)
        ended = _fewest(table, after(now.totals, awards)) if state.are_over(table) else None
        return Happened(state, tuple(awards), ended)

    def _spoken(hand: dict[str, Any]) -> str:
        if "count" in hand:
            return f"{hand['count']} in unplayed cards"
        return f"{listed([str(card) for card in hand['cards']])}: {total(hand['cards'])}"

    def _fewest(table: Table, totals: tuple[int, ...]) -> Ended:
        winners = leaders(totals, min)
        why = f"Each player has dealt, and {table.have(winners)} the fewest points."
        return Ended(winners, why, cite("fewest-wins", "one-deal-each"))

    return Game(
        key=key,
        title=title,
        book=book,
        seats=(2, 6),
        options=(rounds_option(cite("one-deal-each"), "text"),),
        entries=(hand_entry(cards),),
        start=lambda table: Deals(0),
        play=play,
        show=lambda table, state, finished: state.show(table, finished),
        lowest_wins=True,
    )
