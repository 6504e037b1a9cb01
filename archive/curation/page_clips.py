"""Page clips of a diff: for every place where a text changed, its lines cut from the page image.

Images follow the text as it is published now. A line of an older state is found in it by comparing the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from archive.curation.book_files import TEXT
from archive.curation.diff import DiffLine, FileDifference
from archive.edition.marks import BLOCK
from archive.images.boxes import Box, bounding_box
from archive.images.clips import clip_picture
from archive.images.pictures import Picture
from archive.models import Book, Leaf, PageImage

LineOnLeaf = tuple[int, int]
MIN_MARGIN = 24
"""A clip has at least so much of the page above and below its lines, in thousandths of the page."""


def with_clips(
    book: Book, found: Sequence[FileDifference], new: Mapping[str, str], current: str
) -> list[FileDifference]:
    """The differences, those of the text with the lines of the page beside them; `new` is the later of the
    two states, `current` the text that is published now."""
    if not any(difference.name == TEXT for difference in found):
        return list(found)
    images = {leaf.number: leaf.image for leaf in Leaf.objects.filter(book=book).with_images()}
    now = _lines_now(new.get(TEXT, ""), current)
    lines = dict(lines_of(current))
    return [
        replace(one, clips=tuple(_clip(_lines_of_hunk(hunk, now, lines), images) for hunk in one.hunks))
        if one.name == TEXT
        else one
        for one in found
    ]


def lines_of(text: str) -> Iterator[tuple[int, LineOnLeaf]]:
    """Each line of text.txt, counted from 1, with its leaf and its number on it."""
    leaf = number = 0
    for at, line in enumerate(text.split("\n"), 1):
        head = BLOCK.match(line)
        if head:
            leaf, number = int(head[1] or 0), 0
        elif line:
            number += 1
            yield at, (leaf, number)


def _lines_now(old: str, current: str) -> dict[int, int]:
    """For lines of a text, the lines that stand in their place now."""
    a, b = old.split("\n"), current.split("\n")
    places: dict[int, int] = {}
    for _, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        places |= {a1 + i + 1: b1 + i + 1 for i in range(min(a2 - a1, b2 - b1))}
    return places


def _lines_of_hunk(
    hunk: Iterable[DiffLine], now: Mapping[int, int], lines: Mapping[int, LineOnLeaf]
) -> list[LineOnLeaf]:
    """The lines that came; where lines only went, those that stood around them."""
    rows = list(hunk)
    came = [row for row in rows if row.kind == "in"]
    numbers = [now.get(row.new or 0, 0) for row in came or rows]
    return [lines[number] for number in numbers if number in lines]


def _clip(places: Sequence[LineOnLeaf], images: Mapping[int, PageImage | None]) -> Picture | None:
    if not places:
        return None
    leaf = places[0][0]
    image = images.get(leaf)
    wanted = {number for on, number in places if on == leaf}
    words = [word for word in image.words if word["line"] in wanted] if image else []
    if image is None or not words:
        return None
    box = bounding_box(Box(word["x"], word["y"], word["w"], word["h"]) for word in words)
    rim = max(1, image.height * MIN_MARGIN // 1000)
    # The whole width of the column: a line is read with its neighbours.
    column = bounding_box(Box(word["x"], word["y"], word["w"], word["h"]) for word in image.words)
    part = Box(column.x, box.y, column.w, box.h).padded(rim, image.width, image.height)
    return clip_picture(image, part, f"The place on page {leaf}, as its image shows it now")
