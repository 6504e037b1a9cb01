"""The style of each book: the shape of its page and its inks. Any other book has the plain style.

Shapes and colours are ours, in the spirit of the time; the sources say nothing about them, and pages that
have a colour or a frame say so. Paper is white: no age is invented.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Ink = Literal["ink", "accent", "soft", "rule"]
Colour = tuple[int, int, int]

HEIGHT = 2400


@dataclass(frozen=True)
class BookStyle:
    """The width of a page, the colours of its inks, its margin and type size, in pixels."""

    width: int
    ink: Colour = (42, 34, 26)
    accent: Colour = (42, 34, 26)
    soft: Colour = (112, 98, 78)
    rule: Colour = (168, 148, 106)
    margin: int = 150
    body_size: int = 56

    def colour(self, ink: Ink) -> Colour:
        colours: dict[Ink, Colour] = {
            "ink": self.ink,
            "accent": self.accent,
            "soft": self.soft,
            "rule": self.rule,
        }
        return colours[ink]


PLAIN_STYLE = BookStyle(width=1560)

BOOK_STYLES: dict[str, BookStyle] = {
    "rummy-1916": BookStyle(width=1480, body_size=60),
    "rap-rummy-1926": BookStyle(width=1600, accent=(31, 61, 43), body_size=54),
    "thumbs-up-1941": BookStyle(width=1680, accent=(150, 36, 29), body_size=56),
    "victory-rummy-1942": BookStyle(width=1540, accent=(28, 50, 96), body_size=58),
}


def style_of_book(slug: str) -> BookStyle:
    return BOOK_STYLES.get(slug, PLAIN_STYLE)
