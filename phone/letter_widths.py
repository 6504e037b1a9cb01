"""Typefaces on a phone: the widths of their letters, as the site measured them; the browser has the fonts."""

from phone.given_content import CONTENT

UNKNOWN_WIDTH = 600
"""Of a letter that our fonts lack and the phone's own may have, in thousandths of its size."""


def can_write(face: str, text: str) -> bool:
    return True


def width(face: str, size: int, text: str) -> float:
    known: dict[str, int] = CONTENT["typefaces"][face]["widths"]
    return sum(known.get(letter, UNKNOWN_WIDTH) for letter in text) * size / 1000
