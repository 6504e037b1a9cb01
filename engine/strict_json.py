"""Strict JSON: refuses repeated keys, endless numbers and deep nesting, which other readers forgive."""

from __future__ import annotations

import json
from typing import Any

from engine.rules import Refused

MAX_BYTES = 16 * 1024 * 1024
MAX_DIGITS = 18


class Repeated:
    """Stands where an object named one of its keys twice, so that it is refused where it stands."""

    def __repr__(self) -> str:
        return "an object with a repeated key"


def read(text: bytes) -> Any:
    """Return what this JSON text says, or refuse it as no tally sheet at all."""
    if len(text) > MAX_BYTES:
        raise Refused(
            "bad-sheet", f"This file is larger than {MAX_BYTES // 1024**2} MB. A tally sheet is a small one."
        )
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_object, parse_int=_number)
    except UnicodeDecodeError:
        raise Refused(
            "bad-sheet", "This file is not text in UTF-8. Save the sheet as UTF-8 and try again."
        ) from None
    except RecursionError:
        raise Refused("bad-sheet", "This file is nested too deeply to be a tally sheet.") from None
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        what = fault.msg.removesuffix(" at")
        raise Refused("bad-sheet", f"This is not JSON: {what} at {where}.") from None


def _object(pairs: list[tuple[str, Any]]) -> Any:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else Repeated()


def _number(digits: str) -> int | float:
    # No number in a sheet is this long; Python would take minutes over a million digits.
    return int(digits) if len(digits) <= MAX_DIGITS else float("inf")


def is_surrogate(sign: str) -> bool:
    """True for half a character: JSON can spell it, and no text can hold it."""
    return "\ud800" <= sign <= "\udfff"


def is_control(sign: str) -> bool:
    return sign < " " or "\x7f" <= sign <= "\x9f" or is_surrogate(sign)
