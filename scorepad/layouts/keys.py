"""Keys and panels: what a finger can press, what pressing it sends, and why it cannot be pressed now."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.pack import CARDS, DRAGON, SUIT_NAMES
from scorepad.layouts.questions import Question, complete_entry
from scorepad.pad_state import PadState

MAX_GRID = 41
"""Counts up to here are one tap; above, tens and units are."""


@dataclass(frozen=True)
class Key:
    """`name` is the form field that pressing sends (enter, part, begin), `value` what it sends as JSON."""

    name: str
    value: str
    words: str
    spoken: str
    sign: str = ""
    refusal: str = ""
    is_chosen: bool = False
    left: int | None = None

    @property
    def collects(self) -> bool:
        """True for a key that puts one more piece to the others, or takes one away: quick taps count."""
        return self.name == "part" and not {"add", "drop"}.isdisjoint(json.loads(self.value))


@dataclass(frozen=True)
class PieceKey:
    """A key drawn as a coloured piece of the game: a block with its symbol, a letter, or a card."""

    key: Key
    color: str
    letter: str
    symbol: str = ""


@dataclass(frozen=True)
class Group:
    """Keys below some words of their own; `turns` lead to a question instead: its place, and its answer."""

    words: str
    keys: tuple[Key, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Panel:
    """One question with its keys. `kind` names the fragment that draws it.

    `pieces` and `specials` are the same keys as coloured pieces and as the others beside them, `picked` those
    in `chosen` as pieces, `by_seat` the same keys under each name, `groups` keys for several questions.
    `legend` explains what is drawn on them.
    """

    kind: str
    question: str
    hint: str = ""
    keys: tuple[Key, ...] = ()
    place: str = ""
    seat: str = ""
    ways: tuple[tuple[str, str], ...] = ()
    more: tuple[int, ...] = ()
    more_most: int = 0
    chosen: tuple[Key, ...] = ()
    done: Key | None = None
    back: Key | None = None
    words: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    pieces: tuple[PieceKey, ...] = ()
    picked: tuple[PieceKey, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    specials: tuple[Key, ...] = ()
    by_seat: tuple[tuple[str, tuple[Key, ...]], ...] = ()
    groups: tuple[Group, ...] = ()

    @property
    def fragment(self) -> str:
        return f"scorepad/panels/_{self.kind}.html"

    @property
    def identity(self) -> str:
        """A name that changes when other keys come up under the finger. Where pieces are collected, each
        player has a panel of his own; counts are tapped one after the other on the same keys, and figures on
        those of one keypad."""
        if self.kind == "keypad":
            return self.kind
        is_collected = any(key.collects for key in self.keys[:1])
        return f"{self.kind}/{self.place if is_collected else self.place.split('/')[0]}"

    @property
    def about(self) -> str:
        """The part of the entry this panel asks for: a player's hand, or the field itself."""
        steps = self.place.split("/")
        return "/".join(steps[:2]) if self.seat else steps[0]

    @property
    def path_json(self) -> str:
        return json.dumps(self.place.split("/"))

    @property
    def units(self) -> range:
        return range(10)


def enter(
    entry: Mapping[str, Any], words: str, spoken: str, sign: str = "", state: PadState | None = None
) -> Key:
    """A key that makes a whole entry. Given the state, the engine is asked now if it would stand."""
    refused = state.refusal(entry) if state else None
    is_chosen = state is not None and bool(state.amending) and dict(entry) == complete_entry(state.partial)
    return Key("enter", json.dumps(entry), words, spoken, sign, refused.message if refused else "", is_chosen)


def part(path: Sequence[str], what: str, value: Any, words: str, spoken: str = "", **more: Any) -> Key:
    sent = {"at": list(path), what: value}
    return Key("part", json.dumps(sent), words, spoken or words, **more)


def take_back(path: Sequence[str], place: int, piece: Any, words: str, spoken: str) -> Key:
    """A key that takes one piece out of a list, named by its place and by itself."""
    sent = {"at": list(path), "drop": place, "piece": piece}
    return Key("part", json.dumps(sent), words, spoken)


def who_panel(state: PadState, question: Question, heading: str, nobody: str = "", hint: str = "") -> Panel:
    keys = [
        part(question.path, "put", name, name, is_chosen=question.answered and question.answer == name)
        for name in state.players
    ]
    if question.field.nullable:
        keys.append(
            part(
                question.path,
                "put",
                None,
                nobody or "Nobody",
                is_chosen=question.answered and question.answer is None,
            )
        )
    return Panel("players", heading, hint, tuple(keys), question.place)


def keypad_panel(question: Question, heading: str) -> Panel:
    """A keypad for a number of any size, which may be added up from several: 3+6+2."""
    field = question.field
    step = f", by {field.step}" if field.step != 1 else ""
    most = f" to {field.most}" if field.most is not None else " or more"
    hint = f"{field.least or 0}{most}{step}. Add up as you go: 30+15.".replace("-", "−")
    none = (_none(question),) if field.nullable else ()
    return Panel("keypad", heading, hint, none, question.place, question.seat or "", ways_of(question))


def _none(question: Question) -> Key:
    """The key that leaves out what need not be given."""
    return part(question.path, "put", None, "None", is_chosen=question.answered and question.answer is None)


def number_panel(question: Question, heading: str, hint: str = "") -> Panel:
    """One key per number where they are few; a grid and `more` where they are many."""
    least, most, step = question.field.least or 0, question.field.most, question.field.step
    shown_most = MAX_GRID if most is None else most
    numbers = range(least, shown_most + 1, step)
    if len(numbers) > MAX_GRID + 1:
        numbers = range(least, MAX_GRID + 1, step)
    last = numbers[-1]
    whose = f"{question.seat}: " if question.seat else ""
    keys = tuple(
        part(
            question.path,
            "put",
            number,
            spoken(number),
            f"{whose}{number}",
            is_chosen=question.answer == number,
        )
        for number in numbers
    )
    if question.field.nullable:
        keys = (*keys, _none(question))
    more: tuple[int, ...] = ()
    if step == 1 and (most is None or most > last):
        more = tuple(range(last // 10 * 10, min(most or 99, 99) + 1, 10))
    return Panel(
        "numbers",
        heading,
        hint,
        keys,
        question.place,
        question.seat or "",
        ways_of(question),
        more,
        more_most=most or 9999,
    )


def choice_panel(question: Question, heading: str, hint: str = "") -> Panel:
    keys = tuple(
        part(question.path, "put", value, spoken(value), is_chosen=question.answer == value)
        for value in question.field.values
    )
    if question.field.nullable:
        keys = (*keys, _none(question))
    return Panel("choices", heading, hint, keys, question.place, question.seat or "", ways_of(question))


def flag_panel(question: Question, heading: str) -> Panel:
    keys = tuple(
        part(question.path, "put", value, words, is_chosen=question.answered and question.answer is value)
        for value, words in ((True, "Yes"), (False, "No"))
    )
    return Panel("choices", heading, "", keys, question.place, question.seat or "")


def pieces_panel(
    question: Question,
    heading: str,
    hint: str = "",
    kind: str = "picker",
    left: Mapping[Any, int] | None = None,
    least: int | None = None,
    columns: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
) -> Panel:
    """A picker. `left` says how many of each piece remain; at none its key says so and does nothing."""
    chosen = list(question.answer or [])
    single = question.field.kind == "piece"
    what = "put" if single else "add"
    full = question.field.most is not None and len(chosen) >= question.field.most
    keys = []
    for piece in question.field.values:
        remaining = None if left is None else left.get(piece, 0)
        refusal = ""
        if remaining is not None and remaining <= 0:
            refusal = "None left in the pack"
        elif full and not single:
            refusal = f"There are {question.field.most} already"
        keys.append(
            part(question.path, what, piece, spoken(piece), aloud(piece), refusal=refusal, left=remaining)
        )
    if least is None:
        least = 1 if question.field.least is None else question.field.least
    done = None
    if not single and question.field.most != question.field.least and len(chosen) >= least:
        says = "That is all" if chosen else "Nothing"
        done = part(question.path, "done", True, says, f"{question.seat or ''} {says.lower()}".strip())
    picked = (
        ()
        if single
        else tuple(
            take_back(question.path, place, piece, spoken(piece), f"{aloud(piece)}, take back")
            for place, piece in enumerate(chosen)
        )
    )
    empty = max((question.field.most or least) - len(picked), 0) if not single else 0
    return Panel(
        kind,
        heading,
        hint,
        tuple(keys),
        question.place,
        question.seat or "",
        ways_of(question),
        chosen=picked,
        done=done,
        words=words,
        columns=columns,
        slots=tuple(range(empty)),
    )


def ways_of(question: Question) -> tuple[tuple[str, str], ...]:
    return tuple((field.key, WAYS.get(field.key, field.question)) for field in question.ways)


WAYS = {"count": "As a count", "cards": "By cards", "blocks": "By blocks", "points": "Just the amount"}


def label(field: str) -> str:
    """The name of a field beside its answer."""
    return field.replace("_", " ").capitalize()


def spoken(value: str | int) -> str:
    """A value in words: a hyphen joins them, and before a number it is a minus."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("-", "−" if isinstance(value, int) else " ")


def aloud(piece: str | int) -> str:
    """A piece as a screen reader should say it: a card by its suit and number."""
    if piece in CARDS:
        suit, number = SUIT_NAMES[str(piece)[0]].lower(), str(piece)[1:]
        return f"{suit} {number if int(number) < DRAGON else 'dragon'}"
    return spoken(piece)


def card_words(card: str | int) -> str:
    """A card in a line of text: B3, B Dragon; a card that is only a number stays one."""
    words = str(card)
    return f"{words[0]} Dragon" if card in CARDS and int(words[1:]) == DRAGON else words


def used(hands: Iterable[Iterable[Any]]) -> Counter[Any]:
    return Counter(piece for hand in hands for piece in hand)


def panel_for(state: PadState, question: Question) -> Panel:
    """The plain keys for any question, drawn from its field alone."""
    heading = f"{question.seat}: {question.field.question}" if question.seat else question.field.question
    kind = question.field.kind
    if kind == "player":
        return who_panel(state, question, heading)
    if kind == "number":
        return number_panel(question, heading)
    if kind == "choice":
        return choice_panel(question, heading)
    if kind == "flag":
        return flag_panel(question, heading)
    if kind == "record":
        none = part(question.path, "put", None, "Nothing")
        return Panel("choices", heading, "", (none,), question.place)
    return pieces_panel(question, heading)
