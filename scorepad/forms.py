"""Numbers as people and forms send them: a few plain digits, or no number at all."""

from typing import Any

import engine

DIGITS_MOST = 9


def whole(typed: str) -> int | None:
    """The whole number typed here; None for anything else, however much it looks like one."""
    typed = typed.strip()
    digits = typed.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > DIGITS_MOST:
        return None
    return int(typed)


def place_in(typed: str, length: int) -> int | None:
    """The place typed here, if a row of this length has it."""
    place = whole(typed)
    return place if place is not None and 0 <= place < length else None


def with_tens(sent: dict[str, Any], tens: str) -> dict[str, Any]:
    """A count tapped in two steps, as one answer."""
    many, units = whole(tens), sent.get("units")
    if many is None or not 0 <= many < 10_000 or type(units) is not int:
        raise engine.Refused("bad-draft", "Choose the tens first, then the units.")
    return {**{key: value for key, value in sent.items() if key != "units"}, "put": many + units}
