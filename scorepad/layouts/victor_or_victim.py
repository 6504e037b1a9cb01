"""Layout of Victor or Victim?: everyone's letters by colour, how near each is to either word, whose turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.games.victor_or_victim import COLORS, LETTERS, LETTERS_AT_THE_START, cite
from engine.rules import listed
from scorepad.layouts import keys, questions
from scorepad.layouts.base import Layout
from scorepad.layouts.keys import Key, Panel, PieceKey
from scorepad.layouts.legend import Sign
from scorepad.layouts.questions import Question
from scorepad.pad_state import PadState

WORDS = ("VICTOR", "VICTIM")
SPECIAL_WORDS = {
    "acquisition": "Acquisition",
    "pass-two": "Pass two",
    "change-direction": "Change direction",
    "lose-a-turn": "Lose a turn",
}
UNDRAW = Key("part", '{"at": ["draw"], "clear": true}', "Not that card", "Another card was drawn")


@dataclass(frozen=True)
class WordSlot:
    letter: str
    is_held: bool


@dataclass(frozen=True)
class NearWord:
    """A word in one colour, with the letters that are there, and how many are missing."""

    word: str
    slots: tuple[WordSlot, ...]
    missing: int
    spoken: str


@dataclass(frozen=True)
class ColorLetters:
    color: str
    letters: tuple[str, ...]
    words: tuple[NearWord, ...]


@dataclass(frozen=True)
class LetterSeat:
    name: str
    colors: tuple[ColorLetters, ...]
    note: str
    place: str
    nearest: str
    is_now: bool
    is_out: bool
    has_won: bool


@dataclass(frozen=True)
class TurnRow:
    words: str
    entry_id: str
    lines: tuple[tuple[int, str, str], ...]
    is_new: bool


class VictorOrVictim(Layout):
    name = "victor-or-victim"
    first_word = "Plays first"
    has_dealer = False
    hints = (
        "Tap three letters for each player.",
        "After that, tap each card that is drawn.",
        "A wrong tap? Undo takes it back.",
    )
    notable_symbols = {"VICTIM": "victims"}

    def signs_of_game(self, state: PadState) -> list[Sign]:
        letters, wins, out = cite("letters", "victor-wins", "victim-out")
        colors = [Sign("letter", f"letters in {color}", color[0].upper(), color, letters) for color in COLORS]
        return [
            *colors,
            Sign("word", "letters still missing for VICTOR, in the nearest colour", "VICTOR −2", cite=wins),
            Sign("word", "letters still missing for VICTIM", "VICTIM −3", cite=out),
            Sign("stamped", "has VICTIM, and is out of the game", "OUT", cite=out),
        ]

    def status(self, state: PadState) -> str:
        now = state.result.state
        if state.finished:
            return self.ended_words(state)
        if now["turn"] is None:
            return "The first three letters of each"
        return f"Play goes {now['direction']}. {now['turn']}’s turn"

    def seats(self, state: PadState) -> list[LetterSeat]:
        now, question = state.result.state, self.current(state)
        return [
            LetterSeat(
                name,
                tuple(_color(color, _letters(state, name)) for color in COLORS),
                _note(state, name),
                f"cards/{name}",
                nearest(_letters(state, name)),
                is_now=name == (question.seat if question and question.seat else now["turn"]),
                is_out=name in now["out"],
                has_won=name in state.result.winners,
            )
            for name in state.players
        ]

    def standing_words(self, state: PadState, name: str) -> str:
        note = _note(state, name)
        return note if note in ("VICTOR", "OUT") else nearest(_letters(state, name))

    def sheet(self, state: PadState) -> list[TurnRow]:
        rows, newest = [], state.newest_among(state.standing)
        for place, entry in state.standing.items():
            who, what = self.describe(state, entry)
            lines = tuple(
                (number, line.player, line.symbol) for number, line in state.lines_of.get(place, [])
            )
            rows.append(TurnRow(f"{who} {what}", state.entry_id(place), lines, place in newest))
        return rows[::-1]

    def describe(self, state: PadState, entry: Mapping[str, Any]) -> tuple[str, str]:
        if entry["type"] == "setup":
            return "The start", f"{LETTERS_AT_THE_START} letters each"
        words = [f"drew {_card(entry['draw'])}"]
        if entry.get("pass"):
            words.append(f"passed {listed(list(entry['pass']))}")
        if entry.get("take"):
            words.append(f"took {entry['take']['card']} from {entry['take']['from']}")
        return entry["player"], ", ".join(words)

    def round_name(self, state: PadState, place: int) -> str:
        turns = sum(entry["type"] == "turn" for entry in state.played_before(place))
        own = state.standing.get(place)
        return f"turn {turns + (own is not None and own['type'] == 'turn')}"

    def entry_type(self, state: PadState) -> str:
        has_setup = any(entry["type"] == "setup" for entry in state.standing.values())
        return "turn" if has_setup else "setup"

    def partial_entry(self, state: PadState) -> dict[str, Any]:
        """A turn belongs to the player whose turn it is: that need not be tapped."""
        kind = self.entry_type(state)
        start = {"type": kind} if kind == "setup" else {"type": kind, "player": state.result.state["turn"]}
        return {**state.partial, **start} if state.partial.get("type", kind) == kind else start

    def questions(self, state: PadState) -> list[Question]:
        now = self.partial_entry(state)
        asked = questions.list_questions(
            state.entry_types[self.entry_type(state)], state.players, now, state.by, state.anew
        )
        if now["type"] == "setup":
            return asked
        by_key = {question.path[0]: question for question in asked}
        draw = now.get("draw")
        wanted = [by_key["draw"]]
        if draw == "acquisition":
            wanted += [question for question in asked if question.path[0] == "take"]
        elif draw == "pass-two" or (draw in LETTERS and _asks_a_pass(state, now)):
            wanted.append(
                _pass_question(by_key["pass"], 2 if draw == "pass-two" else 1, cards_to_pass(state, now))
            )
        return wanted

    def panel(self, state: PadState) -> Panel | None:
        question = self.current(state)
        if question is None:
            return None
        now = self.partial_entry(state)
        if question.path[0] == "cards":
            given = len(question.answer or [])
            hint = f"{given} of {LETTERS_AT_THE_START}"
            return _letters_panel(question, f"{question.seat}’s first three letters", hint)
        if question.path == ("draw",):
            return _letters_panel(question, f"{now['player']} draws", "Letters, or a special card")
        if question.path == ("pass",):
            return _pass_panel(state, question, now)
        return _take_panel(state, now)


def _letters(state: PadState, name: str) -> list[str]:
    """The letters before a player: those of the log, or those being set up just now."""
    setting_up = (state.partial.get("cards") or {}).get(name, [])
    return list(state.result.state["cards"][name]) or list(setting_up)


def _note(state: PadState, name: str) -> str:
    if name in state.result.winners:
        return "VICTOR"
    if name in state.result.state["out"]:
        return "OUT"
    return "turn" if state.result.state["turn"] == name else ""


def _color(color: str, cards: list[str]) -> ColorLetters:
    held = Counter(card.split()[1] for card in cards if card.startswith(f"{color} "))
    letters = tuple(letter for letter in "VICTORM" for _ in range(held[letter]))
    return ColorLetters(color, letters, tuple(_word(word, held, color) for word in WORDS))


def _word(word: str, held: Counter[str], color: str) -> NearWord:
    left, slots = Counter(held), []
    for letter in word:
        slots.append(WordSlot(letter, left[letter] > 0))
        left[letter] -= 1
    missing = (Counter(word) - held).total()
    return NearWord(word, tuple(slots), missing, f"{word} in {color}: {missing} missing")


def nearest(cards: list[str]) -> str:
    """The distance of this player from winning or losing, in a few words."""
    near = []
    for word in WORDS:
        missing = min(_color(color, cards).words[WORDS.index(word)].missing for color in COLORS)
        near.append(f"{word} −{missing}")
    return ", ".join(near)


def _pass_question(question: Question, number: int, cards: list[str]) -> Question:
    number = min(number, len(cards))
    field = question.field._replace(least=number, most=number, nullable=False)
    given = question.answer or []
    return replace(question, field=field, answer=given, answered=len(given) >= number)


def _asks_a_pass(state: PadState, now: Mapping[str, Any]) -> bool:
    """A drawn letter that ends the turn asks for no pass; the engine knows."""
    bare = {"type": "turn", "player": now["player"], "draw": now["draw"]}
    return state.refusal(bare) is not None


def cards_to_pass(state: PadState, now: Mapping[str, Any]) -> list[str]:
    """The cards a player can pass from: those before him, and the one just drawn."""
    cards = list(state.result.state["cards"].get(now.get("player"), []))
    return sorted([*cards, now["draw"]]) if now.get("draw") in LETTERS else cards


def _letters_panel(question: Question, heading: str, hint: str) -> Panel:
    return _as_letters(keys.pieces_panel(question, heading, hint, "letters", columns=COLORS))


def _pass_panel(state: PadState, question: Question, now: Mapping[str, Any]) -> Panel:
    own = Counter(cards_to_pass(state, now)) - Counter(question.answer or [])
    left = [card for card in LETTERS if own[card]]
    number = question.field.most or 0
    which = "one card" if number == 1 else f"{number} cards"
    given = tuple(
        keys.take_back(question.path, place, piece, piece, f"{piece}, take back")
        for place, piece in enumerate(question.answer or [])
    )
    passing = tuple(
        keys.part(question.path, "add", card, card, f"pass {card}", left=own[card]) for card in left
    )
    heading = f"{now['player']} drew {_card(now['draw'])}. Which {which} to pass?"
    return _as_letters(Panel("card_to_pass", heading, "", passing, question.place, chosen=given, back=UNDRAW))


def _take_panel(state: PadState, now: Mapping[str, Any]) -> Panel:
    """Acquisition: one tap takes a card from the player who has it."""
    held, out, taking = state.result.state["cards"], state.result.state["out"], []
    for name in state.players:
        if name == now["player"] or name in out:
            continue
        for card, copies in sorted(Counter(held[name]).items()):
            taken = {"from": name, "card": card}
            taking.append(
                keys.part(("take",), "put", taken, card, f"take {card} from {name}", sign=name, left=copies)
            )
    nothing = keys.part(("take",), "put", None, "Take nothing")
    heading = f"{now['player']} may take one card"
    return _as_letters(Panel("acquisition", heading, "", tuple(taking), "take", done=nothing, back=UNDRAW))


def _as_letters(panel: Panel) -> Panel:
    """The panel with its letters drawn in their colours, and the special cards after them."""
    letters = [key for key in panel.keys if _is_letter(key)]
    if len(letters) == len(LETTERS):
        # Each colour's VICTOR in one row of six, then the three Ms together.
        letters.sort(key=lambda key: key.words[-1] == "M")
    return replace(
        panel,
        pieces=tuple(PieceKey(key, *key.words.split()) for key in letters),
        specials=tuple(key for key in panel.keys if not _is_letter(key)),
    )


def _is_letter(key: Key) -> bool:
    words = key.words.split()
    return len(words) == 2 and len(words[1]) == 1


def _card(card: str) -> str:
    return SPECIAL_WORDS.get(card, card)
