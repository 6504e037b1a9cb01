"""Regions of notes: where a note's rectangle stands on the image that its leaf shows now.

It was drawn on one image. When another image replaces that one, the words under the rectangle are known on
both, and carry it along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from archive.edition.region import PageRegion, read_region
from archive.images.boxes import Box, Word, bounding_box, word_box
from archive.images.clips import clip_picture
from archive.images.pictures import Picture
from archive.models import Leaf, Note, PageImage


@dataclass(frozen=True)
class NoteRegion:
    """A note's rectangle, to be drawn over the page."""

    slug: str
    label: str
    path: str


def image_name(image: PageImage) -> str:
    """The name of the image a region was drawn on; a leaf has one facsimile, which needs no name."""
    return "" if image.is_facsimile else image.identifier.rpartition("-")[2]


def box_on(region: PageRegion, image: PageImage) -> Box:
    x, y = region.left * image.width / 100, region.top * image.height / 100
    w, h = region.width * image.width / 100, region.height * image.height / 100
    return Box(round(x), round(y), max(1, round(w)), max(1, round(h)))


def region_on(box: Box, leaf: int, image: PageImage) -> PageRegion:
    """A box of this image in per cent of it: the inverse of box_on."""
    four = (box.x / image.width, box.y / image.height, box.w / image.width, box.h / image.height)
    left, top, width, height = (round(part * 100, 2) for part in four)
    return PageRegion(leaf, left, top, min(width, 100 - left), min(height, 100 - top), image_name(image))


def region_box(region: PageRegion, leaf: Leaf) -> Box | None:
    """Its box on the image that is shown; None if that cannot be told."""
    shown = leaf.image
    drawn = next((image for image in leaf.images.all() if image_name(image) == region.drawn_on), None)
    if shown is None or drawn is None:
        return None
    box = box_on(region, drawn)
    if drawn.pk == shown.pk:
        return box
    found = carry_box(box, drawn.words, shown.words)
    return found.within(shown.width, shown.height) if found else None


def carry_box(box: Box, words: Iterable[Word], other_words: Iterable[Word]) -> Box | None:
    """A box of one image on another image of the same page, by the words that are known on both.

    The words under it take it along, with as much room around them as it had. Where no word is under it, a
    picture perhaps, the page as a whole does. None if the images have no two words in common.
    """
    others = {_key(word): word_box(word) for word in other_words}
    pairs = [(word_box(word), others[_key(word)]) for word in words if _key(word) in others]
    under = [(old, new) for old, new in pairs if _middle_is_in(old, box)]
    if under:
        return _with_room(box, under)
    if len(pairs) < 2:
        return None
    before, after = bounding_box(old for old, _ in pairs), bounding_box(new for _, new in pairs)
    across, down = after.w / before.w, after.h / before.h
    return Box(
        round(after.x + (box.x - before.x) * across),
        round(after.y + (box.y - before.y) * down),
        max(1, round(box.w * across)),
        max(1, round(box.h * down)),
    )


def _with_room(box: Box, under: Sequence[tuple[Box, Box]]) -> Box:
    """The words where they now are. The room is measured by the height of the letters: lines may end
    elsewhere on the other image."""
    before, after = bounding_box(old for old, _ in under), bounding_box(new for _, new in under)
    scale = sum(new.h for _, new in under) / max(1, sum(old.h for old, _ in under))
    left, top = (before.x - box.x) * scale, (before.y - box.y) * scale
    right = (box.x + box.w - before.x - before.w) * scale
    foot = (box.y + box.h - before.y - before.h) * scale
    x, y = round(after.x - left), round(after.y - top)
    w, h = round(after.x + after.w + right) - x, round(after.y + after.h + foot) - y
    return Box(x, y, max(1, w), max(1, h))


def _key(word: Word) -> tuple[int, int]:
    return word["line"], word["offset"]


def _middle_is_in(word: Box, box: Box) -> bool:
    x, y = word.x + word.w / 2, word.y + word.h / 2
    return box.x <= x <= box.x + box.w and box.y <= y <= box.y + box.h


def note_regions(notes: Iterable[Note], leaf: Leaf) -> tuple[NoteRegion, ...]:
    """The rectangles on one leaf, in the order of the notes."""
    found = [(note, box) for note in notes if (box := _on_leaf(note, leaf))]
    return tuple(NoteRegion(note.slug, f"Note {note.number}: {note.title}", box.path) for note, box in found)


def _on_leaf(note: Note, leaf: Leaf) -> Box | None:
    region = read_region(note.region)
    return region_box(region, leaf) if region and region.leaf == leaf.number else None


def note_clip(note: Note, leaves: Iterable[Leaf]) -> Picture | None:
    """The picture of a note's rectangle, with a little of the page around it."""
    for leaf in leaves if note.region else ():
        box, image = _on_leaf(note, leaf), leaf.image
        if box and image:
            part = box.padded(image.width // 50, image.width, image.height)
            return clip_picture(image, part, f"The place on page {leaf.number} that the note is about")
    return None
