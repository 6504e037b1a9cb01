"""Victor or Victim?: everyone's letters by colour, how near each is to either word, turn and direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import Line
from engine.games.victor_or_victim import COLORS, LETTERS, LETTERS_AT_THE_START
from engine.rules import listed
from scorepad.layouts import generic, keys
from scorepad.layouts import questions as asking
from scorepad.layouts.keys import Key, Panel
from scorepad.layouts.questions import Ask
from scorepad.pad_state import PadState

LOOK = "victor-or-victim"
WORDS = ("VICTOR", "VICTIM")
SPECIAL_WORDS = {
    "acquisition": "Acquisition",
    "pass-two": "Pass two",
    "change-direction": "Change direction",
    "lose-a-turn": "Lose a turn",
}


@dataclass(frozen=True)
class Slot:
    letter: str
    is_held: bool


@dataclass(frozen=True)
class Word:
    """A word in one colour, with the letters that are there, and how many are missing."""

    word: str
    slots: tuple[Slot, ...]
    missing: int
    spoken: str


@dataclass(frozen=True)
class Color:
    color: str
    letters: tuple[str, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Seat:
    name: str
    colors: tuple[Color, ...]
    note: str
    place: str
    nearest: str
    is_now: bool
    is_out: bool
    has_won: bool


@dataclass(frozen=True)
class Row:
    words: str
    entry_id: str
    lines: tuple[tuple[int, str, str], ...]
    is_last: bool


def status(moment: PadState) -> str:
    state = moment.result.state
    if moment.finished:
        return generic.ended_words(moment)
    way = "to the left" if state["direction"] == "left" else "to the right"
    if state["turn"] is None:
        return "The first three letters of each"
    return f"{state['turn']}’s turn. Play goes {way}"


def seats(moment: PadState) -> list[Seat]:
    state, now = moment.result.state, current(moment)
    return [
        Seat(
            name,
            tuple(_color(color, _letters(moment, name)) for color in COLORS),
            _note(moment, name),
            f"cards/{name}",
            nearest(_letters(moment, name)),
            is_now=name == (now.seat if now and now.seat else state["turn"]),
            is_out=name in state["out"],
            has_won=name in moment.result.winners,
        )
        for name in moment.players
    ]


def _letters(moment: PadState, name: str) -> list[str]:
    """The letters before a player: those of the log, or those being set up just now."""
    setting_up = (moment.made.get("cards") or {}).get(name, [])
    return list(moment.result.state["cards"][name]) or list(setting_up)


def _note(moment: PadState, name: str) -> str:
    state = moment.result.state
    if name in moment.result.winners:
        return "VICTOR"
    if name in state["out"]:
        return "OUT"
    return "turn" if state["turn"] == name else ""


def _color(color: str, cards: list[str]) -> Color:
    held = Counter(card.split()[1] for card in cards if card.startswith(f"{color} "))
    letters = tuple(letter for letter in "VICTORM" for _ in range(held[letter]))
    return Color(color, letters, tuple(_word(word, held, color) for word in WORDS))


def _word(word: str, held: Counter[str], color: str) -> Word:
    left, slots = Counter(held), []
    for letter in word:
        slots.append(Slot(letter, left[letter] > 0))
        left[letter] -= 1
    missing = (Counter(word) - held).total()
    return Word(word, tuple(slots), missing, f"{word} in {color}: {missing} missing")


def nearest(cards: list[str]) -> str:
    """How near this player is to winning or losing, in a few words."""
    near = []
    for word in WORDS:
        missing = min(_color(color, cards).words[WORDS.index(word)].missing for color in COLORS)
        near.append(f"{word} −{missing}")
    return ", ".join(near)


def sheet(moment: PadState) -> list[Row]:
    last = max(moment.standing, default=-1)
    rows = []
    for place, entry in moment.standing.items():
        who, what = said(moment, entry)
        lines = tuple((number, line.player, line.symbol) for number, line in moment.lines_of.get(place, []))
        entry_id = str(moment.position.entries[place].get("id", ""))
        rows.append(Row(f"{who} {what}", entry_id, lines, place == last))
    return rows[::-1]


def kind(moment: PadState) -> str:
    return "setup" if not any(entry["type"] == "setup" for entry in moment.standing.values()) else "turn"


def begin(moment: PadState) -> dict[str, Any]:
    """A turn belongs to whoever's turn it is; nobody need tap that."""
    if kind(moment) == "setup":
        return {"type": "setup"}
    return {"type": "turn", "player": moment.result.state["turn"]}


def made(moment: PadState) -> dict[str, Any]:
    start = begin(moment)
    return {**moment.made, **start} if moment.made.get("type", start["type"]) == start["type"] else start


def questions(moment: PadState) -> list[Ask]:
    now = made(moment)
    asked = asking.asks(moment.entry_types[kind(moment)], moment.players, now, moment.by, moment.anew)
    if kind(moment) == "setup":
        return asked
    by_key = {ask.path[0]: ask for ask in asked}
    draw = now.get("draw")
    wanted = [by_key["draw"]]
    if draw == "acquisition":
        wanted += [ask for ask in asked if ask.path[0] == "take"]
    elif draw == "pass-two" or (draw in LETTERS and _asks_a_pass(moment, now)):
        wanted.append(_pass_ask(by_key["pass"], 2 if draw == "pass-two" else 1, hand(moment, now)))
    return wanted


def _pass_ask(ask: Ask, number: int, cards: list[str]) -> Ask:
    number = min(number, len(cards))
    field = ask.field._replace(least=number, most=number, nullable=False)
    given = ask.answer or []
    return Ask(ask.path, field, ask.seat, ask.ways, given, len(given) >= number)


def _asks_a_pass(moment: PadState, now: Mapping[str, Any]) -> bool:
    """A drawn letter that ends the turn asks for no pass; the engine knows."""
    bare = {"type": "turn", "player": now["player"], "draw": now["draw"]}
    return moment.refusal(bare) is not None


def hand(moment: PadState, now: Mapping[str, Any]) -> list[str]:
    """The cards a player can pass from: those before him, and the one just drawn."""
    cards = list(moment.result.state["cards"].get(now.get("player"), []))
    return sorted([*cards, now["draw"]]) if now.get("draw") in LETTERS else cards


def current(moment: PadState) -> Ask | None:
    return generic.turned_to(moment, questions)


def panel(moment: PadState) -> Panel | None:
    ask = current(moment)
    if ask is None:
        return None
    now = made(moment)
    if ask.path[0] == "cards":
        given = len(ask.answer or [])
        hint = f"{given} of {LETTERS_AT_THE_START}"
        return keys.pieces_panel(ask, f"{ask.seat}’s first three letters", hint, "letters", columns=COLORS)
    if ask.path == ("draw",):
        return keys.pieces_panel(
            ask, f"{now['player']} draws", "Letters, or a special card", "letters", columns=COLORS
        )
    if ask.path == ("pass",):
        return _pass_panel(moment, ask, now)
    return _take_panel(moment, now)


def _pass_panel(moment: PadState, ask: Ask, now: Mapping[str, Any]) -> Panel:
    own = Counter(hand(moment, now)) - Counter(ask.answer or [])
    left = [card for card in LETTERS if own[card]]
    number = ask.field.most or 0
    which = "one card" if number == 1 else f"{number} cards"
    given = tuple(
        keys.part(ask.path, "drop", place, piece, f"{piece}, take back")
        for place, piece in enumerate(ask.answer or [])
    )
    passing = tuple(keys.part(ask.path, "add", card, card, f"pass {card}", left=own[card]) for card in left)
    question = f"{now['player']} drew {_card(now['draw'])}. Which {which} to pass?"
    undraw = Key("part", '{"at": ["draw"], "clear": true}', "Not that card", "Another card was drawn")
    return Panel("held", question, "", passing, ask.place, chosen=given, back=undraw)


def _take_panel(moment: PadState, now: Mapping[str, Any]) -> Panel:
    """Acquisition: one tap takes a card from whoever has it."""
    state, taking = moment.result.state, []
    for name in moment.players:
        if name == now["player"] or name in state["out"]:
            continue
        for card, copies in sorted(Counter(state["cards"][name]).items()):
            taken = {"from": name, "card": card}
            taking.append(
                keys.part(("take",), "put", taken, card, f"take {card} from {name}", sign=name, left=copies)
            )
    nothing = keys.part(("take",), "put", None, "Take nothing")
    undraw = Key("part", '{"at": ["draw"], "clear": true}', "Not that card", "Another card was drawn")
    return Panel(
        "taken", f"{now['player']} may take one card", "", tuple(taking), "take", done=nothing, back=undraw
    )


def is_whole(moment: PadState) -> bool:
    return asking.first_open(questions(moment)) is None


def _card(card: str) -> str:
    return SPECIAL_WORDS.get(card, card)


def said(moment: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
    if entry["type"] == "setup":
        return "The start", f"{LETTERS_AT_THE_START} letters each"
    words = [f"drew {_card(entry['draw'])}"]
    if entry.get("pass"):
        words.append(f"passed {listed(list(entry['pass']))}")
    if entry.get("take"):
        words.append(f"took {entry['take']['card']} from {entry['take']['from']}")
    return entry["player"], ", ".join(words)


def when(moment: PadState, place: int) -> str:
    turns = [at for at, entry in moment.standing.items() if entry["type"] == "turn" and at <= place]
    return f"turn {len(turns)}"


def trail(moment: PadState, line: Line) -> list[tuple[str, str, str]]:
    return []
