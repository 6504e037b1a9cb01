"""Styles of lines: the kinds of line that text.txt may have, and how each is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Style:
    """The setting of a kind of line. `flow` lines have unknown line ends, and the typesetter wraps them."""

    name: str
    align: Literal["left", "centre", "justify", "right"]
    size: Literal["huge", "large", "normal", "small"]
    flow: bool
    furniture: bool
    meaning: str


STYLES: Mapping[str, Style] = {
    style.name: style
    for style in (
        Style("body", "justify", "normal", True, False, "a paragraph of running text"),
        Style("title", "centre", "huge", False, False, "a line of the title"),
        Style("display", "centre", "large", False, False, "a large line of a cover or title page"),
        Style("centre", "centre", "normal", False, False, "a centred line of ordinary size"),
        Style("heading", "centre", "normal", False, False, "the heading of a section"),
        Style("lead", "centre", "normal", False, False, "a heading that runs on into the sentence below it"),
        Style("item", "left", "normal", True, False, "an item of a list; its sign is not part of the text"),
        Style("numbered", "left", "normal", True, False, "an item whose printed number is part of the text"),
        Style("indented", "left", "normal", False, False, "a line set in from the margin"),
        Style("imprint", "centre", "small", False, False, "a small line: copyright, maker, place"),
        Style("rowhead", "centre", "small", False, False, "the head row of a table"),
        Style("row", "left", "normal", False, False, "a row of a table"),
        Style("tally", "left", "normal", False, False, "a row of totals, ruled off from the rows above"),
        Style("ornament", "centre", "large", False, False, "an ornament made of characters"),
        Style("picture", "centre", "normal", False, False, "a picture that was printed here"),
        Style("running-head", "centre", "small", False, True, "the running head of a page"),
        Style("rule", "centre", "small", False, True, "a printed rule, without text"),
        Style("stamp", "left", "small", False, True, "a stamp put on the copy by an owner"),
        Style("slip", "left", "small", False, True, "a slip laid on the copy, not part of the print"),
        Style("described", "left", "normal", True, True, "our description of what is not transcribed"),
    )
}
