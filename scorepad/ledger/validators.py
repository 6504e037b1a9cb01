"""Checks that JSON sent by a phone or a program can be stored by every database."""

import math
from typing import Any

import engine
from scorepad.limits import limit

MAX_DEPTH = 12


def check_storable(value: Any, code: str = "bad-entry", what: str = "This entry", depth: int = 0) -> None:
    """Refuse what no database can store: infinite numbers, broken text, a key named twice, deep nesting."""
    if depth > MAX_DEPTH:
        raise engine.Refused(code, f"{what} is nested too deeply.")
    if isinstance(value, dict):
        for key, part in value.items():
            check_storable(key, code, what, depth + 1)
            check_storable(part, code, what, depth + 1)
    elif isinstance(value, list):
        for part in value:
            check_storable(part, code, what, depth + 1)
    elif isinstance(value, str):
        if not is_storable_text(value):
            raise engine.Refused(code, f"{what} holds broken text. Write it again.")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise engine.Refused(code, f"{what} holds something that is not a number we can write.")
    elif not (value is None or isinstance(value, bool | int)):
        raise engine.Refused(code, f"{what} names the same key twice in one object.")


def is_storable_text(words: str) -> bool:
    """False for a NUL byte or half a surrogate pair: JSON can spell them, no database stores them."""
    return not any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in words)


def entry_id(name: Any) -> str:
    """The name, if an entry may have it as its id; else nothing."""
    fits = isinstance(name, str) and len(name) <= limit("ENTRY_ID_LENGTH_MOST") and is_storable_text(name)
    return name if fits else ""
