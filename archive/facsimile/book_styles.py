"""How each book is dressed: the shape of its page, its paper and inks. Any other book wears the plain dress.

Shapes and colours are ours, in the spirit of the time; the sources say nothing about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Ink = Literal["ink", "accent", "soft", "rule", "stamp"]
Colour = tuple[int, int, int]

HEIGHT = 2400


@dataclass(frozen=True)
class Dress:
    width: int
    paper: Colour = (243, 233, 210)
    ink: Colour = (42, 34, 26)
    accent: Colour = (42, 34, 26)
    soft: Colour = (112, 98, 78)
    rule: Colour = (168, 148, 106)
    stamp: Colour = (98, 78, 132)
    margin: int = 150
    body_size: int = 56

    def colour(self, ink: Ink) -> Colour:
        colours: dict[Ink, Colour] = {
            "ink": self.ink,
            "accent": self.accent,
            "soft": self.soft,
            "rule": self.rule,
            "stamp": self.stamp,
        }
        return colours[ink]


PLAIN = Dress(width=1560)

DRESSES: dict[str, Dress] = {
    "rummy-1916": Dress(width=1480, paper=(240, 229, 203), body_size=60),
    "rap-rummy-1926": Dress(width=1600, paper=(236, 235, 216), accent=(31, 61, 43), body_size=54),
    "thumbs-up-1941": Dress(width=1680, paper=(243, 233, 212), accent=(150, 36, 29), body_size=56),
    "victory-rummy-1942": Dress(width=1540, paper=(244, 234, 213), accent=(28, 50, 96), body_size=58),
}


def dress_of(slug: str) -> Dress:
    return DRESSES.get(slug, PLAIN)
