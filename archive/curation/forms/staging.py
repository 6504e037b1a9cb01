"""The page a note's rectangle is drawn on: which leaf, which image, and the rectangle as it is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archive.curation.forms.note import SIDES, NoteError, fields_of_region, region_from
from archive.edition.region import read_region
from archive.images.pictures import Picture, alt_text, picture_of
from archive.models import Leaf
from archive.reader.note_regions import image_name, region_box, region_on


@dataclass(frozen=True)
class Stage:
    """`name` is the image's, as regions write it, `drawn` that of the image the numbers belong to. Lost is a
    rectangle of another image that nothing tells the place of on this one."""

    number: int = 0
    picture: Picture | None = None
    name: str = ""
    drawn: str = ""
    is_drawn: bool = False
    lost: bool = False


def stage(
    leaves: Sequence[Leaf], fields: Mapping[str, str], near: Sequence[int]
) -> tuple[Stage, dict[str, str]]:
    """The page to show, and the fields with the rectangle as it stands there. `near` are the leaves of the
    note's passage: without a choice, its page is the first of them."""
    fields = dict(fields)
    if "shown" in fields and fields.get("leaf", "") != fields["shown"]:
        # Another leaf was chosen: the numbers belong to the one that was shown before.
        fields |= dict.fromkeys((*SIDES, "drawn"), "")
    chosen = fields.get("leaf") if "leaf" in fields else next(map(str, near), "")
    leaf = next((leaf for leaf in leaves if str(leaf.number) == chosen), None)
    if leaf is None:
        return Stage(), fields
    image = leaf.image
    if image is None:
        return Stage(leaf.number, drawn=fields.get("drawn", "")), fields
    picture = picture_of(image, alt_text(leaf, image, leaf.book.short_title))
    here = Stage(leaf.number, picture, image_name(image), image_name(image))
    try:
        region = read_region(region_from(fields))
    except NoteError:
        region = None
    if region is None:
        return here, fields
    box = region_box(region, leaf)
    if box is None:
        return Stage(leaf.number, picture, here.name, region.drawn_on, lost=True), fields
    if region.drawn_on != here.name:
        fields |= fields_of_region(region_on(box, leaf.number, image))
    return Stage(leaf.number, picture, here.name, here.name, is_drawn=True), fields
