"""Rules for players' names: their length, what they may hold, and that no two are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.fields import quote
from engine.rules import Refused
from engine.strict_json import is_control

MAX_NAME_LENGTH = 40


def check_names(names: Sequence[Any]) -> None:
    """Refuse the first name that breaks a rule."""
    for name in names:
        _check_name(name)
    if len({name.casefold() for name in names}) < len(names):
        raise Refused("bad-players", "Two players have the same name. Give each a name of their own.")


def _check_name(name: Any) -> None:
    if type(name) is not str or not 1 <= len(name) <= MAX_NAME_LENGTH:
        raise Refused(
            "bad-players",
            f"A name has 1 to {MAX_NAME_LENGTH} characters; {quote(name)} is too short or too long.",
        )
    if name != name.strip():
        says = f"The name {quote(name)} begins or ends with white space. Remove it."
        raise Refused("bad-players", says)
    if any(is_control(sign) for sign in name):
        raise Refused("bad-players", f"The name {quote(name)} holds a control character. Take it out.")
