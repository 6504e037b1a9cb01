"""Victor or Victim?, modern: letters are drawn and passed until one colour spells a word."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

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
    passages,
)

cite = passages("victor-or-victim")

COLORS = ("red", "blue", "yellow")
LETTERS = tuple(f"{color} {letter}" for color in COLORS for letter in "VICTORM")
SPECIALS = ("acquisition", "pass-two", "change-direction", "lose-a-turn")
LETTERS_OF_A_COLOR = 22
LETTERS_AT_THE_START = 3
VICTOR = Counter("VICTOR")
VICTIM = Counter("VICTIM")

OPTIONS = (
    Option(
        "both_words",
        "What if one card completes VICTOR and VICTIM at once?",
        "victor",
        "editor",
        cite("both-words", "victor-wins", "victim-out"),
        {
            "victor": "VICTOR counts, and the game is won.",
            "victim": "VICTIM counts, and the player is out.",
        },
    ),
)

LETTER = Field("card", "piece", "Which letter?", values=LETTERS, code="bad-card")
ENTRIES = (
    EntryType(
        "setup",
        "Everyone's first three letters",
        (
            Field(
                "cards",
                "each",
                "Which three letters has each?",
                values=LETTERS,
                least=LETTERS_AT_THE_START,
                most=LETTERS_AT_THE_START,
                code="bad-card",
            ),
        ),
    ),
    EntryType(
        "turn",
        "A turn",
        (
            Field("player", "player", "Whose turn?"),
            Field("draw", "piece", "Which card was drawn?", values=(*LETTERS, *SPECIALS), code="bad-card"),
            Field(
                "pass",
                "pieces",
                "Which card goes to the next player?",
                required=False,
                nullable=True,
                values=LETTERS,
                code="bad-card",
            ),
            Field(
                "take",
                "record",
                "Which card is taken, and from whom?",
                required=False,
                nullable=True,
                shapes=((Field("from", "player", "From whom?"), LETTER),),
            ),
        ),
    ),
)


class State(NamedTuple):
    """Everyone's letters, who is out, whose turn it is and which way play goes (1 left, -1 right)."""

    hands: tuple[tuple[str, ...], ...] | None
    out: frozenset[int]
    turn: int
    direction: int


def start(table: Table) -> State:
    return State(None, frozenset(), table.dealer, 1)


def turn(now: Now, entry: Entry) -> None:
    state, players = now.state, now.table.players
    if now.kind == "setup":
        if state.hands is not None:
            raise Refused("bad-entry", "The first letters are entered already.", cites=cite("setup"))
        return
    if state.hands is None:
        raise Refused(
            "bad-entry", "First enter the three letters each player starts with.", cites=cite("setup")
        )
    seat = players.index(entry["player"])
    if seat in state.out:
        raise Refused("eliminated", f"{entry['player']} is out of the game.", cites=cite("victim-out"))
    if seat != state.turn:
        says = f"It is {players[state.turn]}'s turn, not {entry['player']}'s."
        raise Refused("not-your-turn", says, cites=cite("turn", "change-direction"))


def play(now: Now, entry: Entry) -> Happened:
    table, state = now.table, now.state
    if now.kind == "setup":
        hands = tuple(tuple(sorted(entry["cards"][name])) for name in table.players)
        return Happened(state._replace(hands=hands))
    draw, passed, taken = entry["draw"], entry.get("pass"), entry.get("take")
    if taken is not None and draw != "acquisition":
        raise Refused("bad-entry", f"{draw} does not ask for a card to be taken.", cites=cite("acquisition"))
    if passed is not None and draw in SPECIALS and draw != "pass-two":
        raise Refused(
            "bad-entry", f"{draw} does not ask for a card to be passed.", cites=cite("turn", "pass-two")
        )
    move = Move(table, state)
    if draw in LETTERS:
        move.draw(draw)
        number = 0 if move.is_over else 1
        move.give(passed, number)
    elif draw == "pass-two":
        move.give(passed, min(2, len(move.hands[move.seat])))
    elif draw == "acquisition" and taken is not None:
        move.take(taken)
    elif draw == "change-direction":
        move.direction = -move.direction
    return move.happened()


class Move:
    """One turn being played: cards go from hand to hand, and each receiver is checked at once."""

    def __init__(self, table: Table, state: State) -> None:
        self.table = table
        self.seat = state.turn
        self.hands = [list(hand) for hand in state.hands or ()]
        self.out = set(state.out)
        self.direction = state.direction
        self.awards: list[Award] = []
        self.ended: Ended | None = None

    @property
    def is_over(self) -> bool:
        """True if this turn ends here: the game is won, or the player is out of it."""
        return self.ended is not None or self.seat in self.out

    def draw(self, card: str) -> None:
        color = card.split()[0]
        on_table = sum(held.startswith(f"{color} ") for hand in self.hands for held in hand)
        if on_table >= LETTERS_OF_A_COLOR:
            says = f"All {LETTERS_OF_A_COLOR} {color} letters are on the table, so {card} cannot be drawn."
            raise Refused("impossible", says, cites=cite("letters"))
        self._receive(self.seat, [card])

    def give(self, cards: list[str] | None, number: int) -> None:
        given = cards or []
        if len(given) != number or (cards is not None and number == 0 and self.is_over):
            says = (
                f"{number} of {self.table.players[self.seat]}'s cards must be passed here, not {len(given)}."
            )
            raise Refused("bad-entry", says, cites=cite("turn", "pass-two"))
        if given:
            self._remove(self.seat, given)
            self._receive(self._next(), given)

    def take(self, taken: Entry) -> None:
        other, card = self.table.players.index(taken["from"]), taken["card"]
        if other == self.seat or other in self.out:
            raise Refused(
                "bad-entry",
                "A card is taken from another player who is still in play.",
                cites=cite("acquisition"),
            )
        self._remove(other, [card])
        self._receive(self.seat, [card])

    def happened(self) -> Happened:
        turn = self.seat if self.ended else self._next()
        hands = tuple(tuple(sorted(hand)) for hand in self.hands)
        return Happened(
            State(hands, frozenset(self.out), turn, self.direction), tuple(self.awards), self.ended
        )

    def _next(self) -> int:
        seats = len(self.table.players)
        seat = (self.seat + self.direction) % seats
        while seat in self.out:
            seat = (seat + self.direction) % seats
        return seat

    def _remove(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            if card not in self.hands[seat]:
                says = f"{self.table.players[seat]} has no {card} on the table."
                raise Refused("not-on-table", says, cites=cite("turn"))
            self.hands[seat].remove(card)

    def _receive(self, seat: int, cards: list[str]) -> None:
        """Lay cards before a player and check at once for a whole word."""
        self.hands[seat] += cards
        name = self.table.players[seat]
        victor, victim = (_spelled(self.hands[seat], word) for word in (VICTOR, VICTIM))
        if victor and victim:
            victor, victim = (
                (victor, None) if self.table.options["both_words"] == "victor" else (None, victim)
            )
        if victor:
            why = f"{name} has spelled VICTOR in {victor} and wins."
            self.awards.append(Award(seat, 0, "VICTOR", cite("victor-wins"), why))
            self.ended = Ended((seat,), why, cite("victor-wins"))
        elif victim:
            self._put_out(seat, f"{name} has spelled VICTIM in {victim} and is out.")

    def _put_out(self, seat: int, why: str) -> None:
        self.hands[seat] = []
        self.out.add(seat)
        left = [other for other in range(len(self.table.players)) if other not in self.out]
        anchors = ["victim-out"]
        if len(left) == 1:
            anchors.append("last-standing")
            last = f"{self.table.players[left[0]]} is the last one in play and wins."
            self.ended = Ended((left[0],), last, cite("last-standing", "victim-out"))
        self.awards.append(Award(seat, 0, "VICTIM", cite(*anchors), why))


def _spelled(hand: list[str], word: Counter[str]) -> str | None:
    """The colour in which this hand spells the word, if there is one."""
    for color in COLORS:
        if all(hand.count(f"{color} {letter}") >= number for letter, number in word.items()):
            return color
    return None


def show(table: Table, state: State, finished: bool) -> dict[str, Any]:
    players, hands = table.players, state.hands or ((),) * len(table.players)
    return {
        "turn": None if finished or state.hands is None else players[state.turn],
        "direction": "left" if state.direction == 1 else "right",
        "cards": {name: list(hand) for name, hand in zip(players, hands, strict=True)},
        "out": [players[seat] for seat in sorted(state.out)],
    }


GAME = Game(
    key="victor-or-victim",
    title="Victor or Victim?",
    book="victor-or-victim",
    seats=(3, 6),
    options=OPTIONS,
    entries=ENTRIES,
    start=start,
    turn=turn,
    play=play,
    show=show,
)
