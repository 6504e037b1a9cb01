"""A rectangle on the page, as notes.toml writes it: `4/pct:10,32.5,80,6` is leaf 4, then left, top, width and
height in per cent of the facsimile; `4/pct:10,32.5,80,6@s1f09ab3c` was drawn on that scan."""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = r"(\d{1,3}(?:\.\d{1,3})?)"
REGION = re.compile(rf"([1-9]\d{{0,3}})/pct:{NUMBER},{NUMBER},{NUMBER},{NUMBER}(?:@(s[0-9a-f]{{8}}))?")
ALMOST = 0.001
"""Thirds of a page do not add up to all of it."""


@dataclass(frozen=True)
class PageRegion:
    """In per cent of the image it was drawn on: the facsimile, or the scan of this name."""

    leaf: int
    left: float
    top: float
    width: float
    height: float
    drawn_on: str = ""

    @property
    def is_on_the_page(self) -> bool:
        return (
            self.width > 0
            and self.height > 0
            and self.left + self.width <= 100 + ALMOST
            and self.top + self.height <= 100 + ALMOST
        )

    def __str__(self) -> str:
        four = ",".join(f"{number:g}" for number in (self.left, self.top, self.width, self.height))
        return f"{self.leaf}/pct:{four}{'@' if self.drawn_on else ''}{self.drawn_on}"


def read_region(text: str) -> PageRegion | None:
    """The rectangle that is written so; None if none is."""
    found = REGION.fullmatch(text)
    if found is None:
        return None
    left, top, width, height = (float(number) for number in found.groups()[1:5])
    region = PageRegion(int(found[1]), left, top, width, height, found[6] or "")
    return region if region.is_on_the_page else None
