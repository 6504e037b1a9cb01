"""Keys: what a finger can press, what pressing it sends, and why it cannot be pressed now."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorepad.layouts import questions
from scorepad.layouts.questions import Ask
from scorepad.pad_state import PadState

GRID_MOST = 41
"""Counts up to here are one tap; above, tens and units are."""


@dataclass(frozen=True)
class Key:
    """`does` is the name of what pressing sends (enter, part), `value` the thing itself as JSON."""

    does: str
    value: str
    words: str
    spoken: str
    sign: str = ""
    refusal: str = ""
    is_chosen: bool = False
    left: int | None = None


@dataclass(frozen=True)
class Panel:
    """One question with its keys. `look` names the fragment that draws it."""

    look: str
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
    slots: tuple[int, ...] = field(default=())


def enter(
    entry: Mapping[str, Any], words: str, spoken: str, sign: str = "", moment: PadState | None = None
) -> Key:
    """A key that makes a whole entry. Given the moment, the engine is asked now whether it would stand."""
    refused = moment.refusal(entry) if moment else None
    is_chosen = (
        moment is not None and bool(moment.amending) and dict(entry) == questions.entry_of(moment.made)
    )
    return Key("enter", json.dumps(entry), words, spoken, sign, refused.message if refused else "", is_chosen)


def part(ask_path: Sequence[str], what: str, value: Any, words: str, spoken: str = "", **more: Any) -> Key:
    sent = {"at": list(ask_path), what: value}
    return Key("part", json.dumps(sent), words, spoken or words, **more)


def who_panel(moment: PadState, ask: Ask, question: str, nobody: str = "", hint: str = "") -> Panel:
    keys = [
        part(ask.path, "put", name, name, is_chosen=ask.answered and ask.answer == name)
        for name in moment.players
    ]
    if ask.field.nullable:
        keys.append(
            part(ask.path, "put", None, nobody or "Nobody", is_chosen=ask.answered and ask.answer is None)
        )
    return Panel("who", question, hint, tuple(keys), ask.place)


def number_panel(ask: Ask, question: str, hint: str = "") -> Panel:
    """One key per number where they are few; a grid and `more` where they are many."""
    least, most, step = ask.field.least or 0, ask.field.most, ask.field.step
    shown_most = GRID_MOST if most is None else most
    numbers = range(least, shown_most + 1, step)
    if len(numbers) > GRID_MOST + 1:
        numbers = range(least, GRID_MOST + 1, step)
    last = numbers[-1]
    whose = f"{ask.seat}: " if ask.seat else ""
    keys = tuple(
        part(ask.path, "put", number, str(number), f"{whose}{number}", is_chosen=ask.answer == number)
        for number in numbers
    )
    more: tuple[int, ...] = ()
    if step == 1 and (most is None or most > last):
        more = tuple(range(last // 10 * 10, min(most or 99, 99) + 1, 10))
    return Panel(
        "numbers",
        question,
        hint,
        keys,
        ask.place,
        ask.seat or "",
        ways_of(ask),
        more,
        more_most=most or 9999,
    )


def choice_panel(ask: Ask, question: str, hint: str = "") -> Panel:
    keys = tuple(
        part(ask.path, "put", value, spoken(value), is_chosen=ask.answer == value)
        for value in ask.field.values
    )
    return Panel("choices", question, hint, keys, ask.place, ask.seat or "", ways_of(ask))


def flag_panel(ask: Ask, question: str) -> Panel:
    keys = (part(ask.path, "put", True, "Yes"), part(ask.path, "put", False, "No"))
    return Panel("choices", question, "", keys, ask.place, ask.seat or "")


def pieces_panel(
    ask: Ask,
    question: str,
    hint: str = "",
    look: str = "pieces",
    left: Mapping[Any, int] | None = None,
    least: int | None = None,
    columns: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
) -> Panel:
    """A picker. `left` says how many of each piece remain; at none its key says so and does nothing."""
    chosen = list(ask.answer or [])
    single = ask.field.kind == "piece"
    what = "put" if single else "add"
    full = ask.field.most is not None and len(chosen) >= ask.field.most
    keys = []
    for piece in ask.field.values:
        remaining = None if left is None else left.get(piece, 0)
        refusal = ""
        if remaining is not None and remaining <= 0:
            refusal = "None left in the pack"
        elif full and not single:
            refusal = f"There are {ask.field.most} already"
        keys.append(part(ask.path, what, piece, spoken(piece), aloud(piece), refusal=refusal, left=remaining))
    least = ask.field.least or 1 if least is None else least
    done = None
    if not single and ask.field.most != ask.field.least and len(chosen) >= least:
        done = part(ask.path, "done", True, "That is all", f"{ask.seat or ''} that is all".strip())
    picked = (
        ()
        if single
        else tuple(
            part(ask.path, "drop", place, spoken(piece), f"{aloud(piece)}, take back")
            for place, piece in enumerate(chosen)
        )
    )
    empty = max((ask.field.most or least) - len(picked), 0) if not single else 0
    return Panel(
        look,
        question,
        hint,
        tuple(keys),
        ask.place,
        ask.seat or "",
        ways_of(ask),
        chosen=picked,
        done=done,
        words=words,
        columns=columns,
        slots=tuple(range(empty)),
    )


def ways_of(ask: Ask) -> tuple[tuple[str, str], ...]:
    return tuple((field.key, WAYS.get(field.key, field.question)) for field in ask.ways)


WAYS = {"count": "As a count", "cards": "By cards", "blocks": "By blocks", "points": "Just the amount"}


def spoken(value: str | int) -> str:
    return str(value).replace("-", " ")


SUITS = {"B": "bamboos", "D": "dots", "C": "characters", "F": "flowers"}


def aloud(piece: str | int) -> str:
    """A piece as a screen reader should say it: a card by its suit and number."""
    words = str(piece)
    if words[:1] in SUITS and words[1:].isdigit():
        return f"{SUITS[words[0]]} {'dragon' if words[1:] == '11' else words[1:]}"
    return spoken(piece)


def used(hands: Iterable[Iterable[Any]]) -> Counter[Any]:
    return Counter(piece for hand in hands for piece in hand)


def panel_for(moment: PadState, ask: Ask) -> Panel:
    """The plain keys for any question, drawn from the field alone."""
    question = f"{ask.seat}: {ask.field.question}" if ask.seat else ask.field.question
    kind = ask.field.kind
    if kind == "player":
        return who_panel(moment, ask, question)
    if kind == "number":
        return number_panel(ask, question)
    if kind == "choice":
        return choice_panel(ask, question)
    if kind == "flag":
        return flag_panel(ask, question)
    if kind == "record":
        none = part(ask.path, "put", None, "Nothing")
        return Panel("choices", question, "", (none,), ask.place)
    return pieces_panel(ask, question)
