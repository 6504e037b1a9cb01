"""Victory Rummy, 1942: VICTORIES in three colours, the CAPTURE of AXIS cards, and the GRAND VICTORY."""

from __future__ import annotations

from collections.abc import Callable
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
    after,
    leaders,
    passages,
)

cite = passages("victory-rummy-1942")

COLORS = ("red", "white", "blue")
LETTERS = {"red": "R", "white": "W", "blue": "B"}
ORDER = "RWB"
CAPTURE = "C"
AXIS_CARDS = 9
CARDS_OF_A_COLOR = 18
CARDS_DEALT = 10
CARDS_OF_A_SET = 5

WHY_VICTORY = {color: f"A VICTORY in {color}" for color in COLORS}
WHY_GRAND_VICTORY = "A GRAND VICTORY: red, white and blue are all won"

CITE_VICTORY = cite("score-victory", "credit-victory")
CITE_GRAND_VICTORY = cite("score-grand-victory", "list-grand-victory", "tally")
CITE_BONUS = cite("score-bonus", "list-bonus")
CITE_CAPTURE = cite("score-capture", "credit-capture")
CITE_AXIS = cite("score-axis", "axis-on-going-out")

OPTIONS = (
    Option(
        "target",
        "How many points win the game?",
        500,
        "text",
        cite("win-500", "five-hundred"),
        least=10,
        most=10000,
    ),
    Option(
        "bonus_order",
        "When are a red, a white and a blue VICTORY in consecutive order, and earn the bonus of 50?",
        "first-of-each",
        "reading",
        cite("score-bonus", "list-bonus", "same-color-again"),
        {
            "first-of-each": "The first red came before the first white, and that before the first blue.",
            "last-three": "The last three VICTORIES were red, white and blue, in that order.",
            "in-order": "A red, at some time after it a white, and the blue completes the GRAND VICTORY.",
            "exact": "Red, white, blue, and no other VICTORY before or between; a CAPTURE does not matter.",
            "unbroken": "Red, white, blue, and nothing else before or between, not even a CAPTURE.",
        },
    ),
    Option(
        "grand_victory_clears",
        "After a GRAND VICTORY, who begins again with no colours?",
        "everyone",
        "text",
        cite("begin-again"),
        {
            "everyone": "All players begin again, as the sentence says.",
            "scorer": "Only the player who scored it; the others keep their colours.",
        },
    ),
    Option(
        "finish",
        "When is the game won?",
        "at-once",
        "reading",
        cite("win-500", "enter-score"),
        {
            "at-once": "The moment a player's score reaches the target; that player alone wins.",
            "end-of-deal": "The deal is played out first; then the highest total wins.",
        },
    ),
)

WHO = Field("player", "player", "Who?")
ENTRIES = (
    EntryType("victory", "A VICTORY", (WHO, Field("color", "choice", "In which colour?", values=COLORS))),
    EntryType("capture", "A CAPTURE of five AXIS cards", (WHO,)),
    EntryType(
        "axis",
        "Out: the AXIS cards in the other hands",
        (WHO, Field("cards", "number", "How many AXIS cards do the others hold?", least=0)),
    ),
)


class State(NamedTuple):
    """The deal on the table, and each player's VICTORIES and CAPTURES since colours were last cleared."""

    deal: int
    dealer: int
    waiting: int | None
    laid_by: tuple[int, ...]
    laid_signs: str
    runs: tuple[str, ...]
    tallies: tuple[tuple[int, tuple[int, ...]], ...]


def start(table: Table) -> State:
    return State(1, table.dealer, None, (), "", ("",) * len(table.players), ())


def turn(now: Now, entry: Entry) -> None:
    """Once a player is out, his AXIS count is the only thing that may be entered."""
    state, players = now.state, now.table.players
    if now.kind == "axis":
        if state.waiting is None or players[state.waiting] != entry["player"]:
            says = f"{entry['player']} is not out: that takes two VICTORIES or CAPTURES in one deal."
            raise Refused("not-out", says, cites=cite("score-axis", "until-out", "ten-or-five"))
    elif state.waiting is not None:
        says = f"{players[state.waiting]} is out. First count the AXIS cards in the other hands, 0 if none."
        raise Refused("axis-first", says, cites=cite("score-axis", "until-out"))


def play(now: Now, entry: Entry) -> Happened:
    seat = now.table.players.index(entry["player"])
    if now.kind == "victory":
        return _victory(now, seat, entry["color"])
    if now.kind == "capture":
        return _capture(now, seat)
    return _axis(now, seat, entry["cards"])


def _victory(now: Now, seat: int, color: str) -> Happened:
    state, letter = now.state, LETTERS[color]
    if (state.laid_signs.count(letter) + 1) * CARDS_OF_A_SET > CARDS_OF_A_COLOR:
        says = f"There are {CARDS_OF_A_COLOR} {color} cards: no fourth {color} VICTORY is possible in a deal."
        raise Refused("impossible", says, cites=cite("pack", "a-victory"))
    awards: tuple[Award, ...] = (Award(seat, 10, letter, CITE_VICTORY, WHY_VICTORY[color]),)
    run = state.runs[seat] + letter
    if not _completes(run):
        return _laid_down(now, seat, letter, awards, _changed(state.runs, seat, run), state.tallies)
    awards += (Award(seat, 25, "G", CITE_GRAND_VICTORY, WHY_GRAND_VICTORY),)
    reading = now.table.options["bonus_order"]
    if IN_ORDER[reading](run):
        awards += (Award(seat, 50, "RWB", CITE_BONUS, WHY_IN_ORDER[reading]),)
    tallies = (*state.tallies, (now.place, after(now.totals, awards)))
    return _laid_down(now, seat, letter, awards, _cleared(now.table, state.runs, seat), tallies)


def _capture(now: Now, seat: int) -> Happened:
    state = now.state
    if CAPTURE in state.laid_signs:
        says = f"A CAPTURE takes five of the {AXIS_CARDS} AXIS cards: no second one is possible in a deal."
        raise Refused("impossible", says, cites=cite("pack", "a-capture"))
    runs = _changed(state.runs, seat, state.runs[seat] + CAPTURE)
    awards = (Award(seat, 50, CAPTURE, CITE_CAPTURE, "A CAPTURE of five AXIS cards"),)
    return _laid_down(now, seat, CAPTURE, awards, runs, state.tallies)


def _laid_down(
    now: Now, seat: int, sign: str, awards: tuple[Award, ...], runs: tuple[str, ...], tallies: tuple[Any, ...]
) -> Happened:
    """Five cards are on the table: a second set in the deal means the player is out, if the game goes on."""
    deal, dealer, _, laid_by, laid_signs, _, _ = now.state
    ended = _won_at_once(now.table, seat, after(now.totals, awards)[seat])
    waiting = seat if seat in laid_by and not ended else None
    state = State(deal, dealer, waiting, (*laid_by, seat), laid_signs + sign, runs, tallies)
    return Happened(state, awards, ended)


def _axis(now: Now, seat: int, cards: int) -> Happened:
    state, table = now.state, now.table
    most = AXIS_CARDS - CARDS_OF_A_SET * (CAPTURE in state.laid_signs)
    if cards > most:
        says = f"Only {most} AXIS cards can be in the other hands in this deal, not {cards}."
        raise Refused("impossible", says, cites=cite("pack", "a-capture"))
    others = len(table.players) - 1
    held = CARDS_DEALT * others - CARDS_OF_A_SET * (len(state.laid_by) - state.laid_by.count(seat))
    if cards > held:
        says = f"The other players hold only {held} cards between them, so {cards} cannot be AXIS cards."
        raise Refused("impossible", says, cites=cite("ten-or-five", "deal-ten"))
    awards: tuple[Award, ...] = ()
    if cards:
        counted = "1 AXIS card" if cards == 1 else f"{cards} AXIS cards"
        why = f"Out with {counted} left in the other hands, 10 each"
        awards = (Award(seat, 10 * cards, "A", CITE_AXIS, why),)
    totals = after(now.totals, awards)
    ended = _won_at_once(table, seat, totals[seat]) or _won_with_the_deal(table, totals)
    if ended:
        return Happened(state._replace(waiting=None), awards, ended)
    dealer = table.left_of(state.dealer)
    return Happened(State(state.deal + 1, dealer, None, (), "", state.runs, state.tallies), awards)


def _won_at_once(table: Table, seat: int, total: int) -> Ended | None:
    target = table.options["target"]
    if table.options["finish"] != "at-once" or total < target:
        return None
    return Ended((seat,), f"{table.players[seat]} is the first to score {target}.", cite("win-500"))


def _won_with_the_deal(table: Table, totals: tuple[int, ...]) -> Ended | None:
    if table.options["finish"] != "end-of-deal" or max(totals) < table.options["target"]:
        return None
    winners = leaders(totals)
    why = f"The deal is over, and {table.have(winners)} the highest total, {max(totals)}."
    return Ended(winners, why, cite("win-500"))


def _completes(run: str) -> bool:
    return "R" in run and "W" in run and "B" in run


def _cleared(table: Table, runs: tuple[str, ...], seat: int) -> tuple[str, ...]:
    if table.options["grand_victory_clears"] == "everyone":
        return ("",) * len(runs)
    return _changed(runs, seat, "")


def _changed(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _victories(run: str) -> str:
    return run.replace(CAPTURE, "")


# Each reading of "consecutive order", asked of a run whose last VICTORY has just completed the three colours.
IN_ORDER: dict[str, Callable[[str], bool]] = {
    "first-of-each": lambda run: run.index("R") < run.index("W") < run.index("B"),
    "last-three": lambda run: _victories(run).endswith(ORDER),
    "in-order": lambda run: run.endswith("B") and "W" in run[run.index("R") :],
    "exact": lambda run: _victories(run) == ORDER,
    "unbroken": lambda run: run == ORDER,
}
WHY_IN_ORDER = {
    "first-of-each": "The bonus for consecutive order: first red before first white before first blue",
    "last-three": "The bonus for consecutive order: the last three VICTORIES were red, white and blue",
    "in-order": "The bonus for consecutive order: a red, later a white, and blue to complete",
    "exact": "The bonus for consecutive order: exactly red, white and blue",
    "unbroken": "The bonus for consecutive order: red, white and blue, and nothing between",
}


def show(table: Table, state: State, finished: bool) -> dict[str, Any]:
    players = table.players
    return {
        "deal": state.deal,
        "dealer": players[state.dealer],
        "waiting": None if state.waiting is None else players[state.waiting],
        "colors": {
            name: [color for color in COLORS if LETTERS[color] in run]
            for name, run in zip(players, state.runs, strict=True)
        },
        "tallies": [
            {"entry": index, "totals": dict(zip(players, totals, strict=True))}
            for index, totals in state.tallies
        ],
    }


GAME = Game(
    key="victory-rummy",
    title="Victory Rummy",
    book="victory-rummy-1942",
    seats=(2, 4),
    options=OPTIONS,
    entries=ENTRIES,
    start=start,
    turn=turn,
    play=play,
    show=show,
)
