"""Form for the rectangle of a note: four numbers, and the page image that it is drawn on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archive.curation.errors import NoteError
from archive.edition.region import PageRegion, read_region
from archive.images.pictures import Picture, alt_text, picture_of
from archive.models import Leaf
from archive.reader.note_regions import image_name, region_box, region_on
from archive.text_input import clean_line

SIDES = ("left", "top", "width", "height")
"""A rectangle on the page by numbers, in per cent; `leaf` and `drawn` say on what."""


def fields_of_region(region: PageRegion | None) -> dict[str, str]:
    if region is None:
        return {}
    sides = {side: f"{getattr(region, side):g}" for side in SIDES}
    return sides | {"leaf": str(region.leaf), "drawn": region.drawn_on}


def region_from(fields: Mapping[str, str]) -> str:
    """The rectangle of the four numbers, as it is written; "" if there is none."""
    sides = [clean_line(fields.get(side, "")).replace(",", ".") for side in SIDES]
    if not any(sides):
        return ""
    named = f"@{fields['drawn']}" if fields.get("drawn") else ""
    region = read_region(f"{clean_line(fields.get('leaf', ''))}/pct:{','.join(sides)}{named}")
    if region is None:
        raise NoteError(
            "The rectangle needs a page and four numbers in per cent of the page: left, top, width and "
            "height, none beyond the page’s edge. Or empty all four."
        )
    return str(region)


@dataclass(frozen=True)
class RegionPage:
    """The page that a note's rectangle is drawn on. `name` is the image's, as regions write it, `drawn` that
    of the image the numbers belong to. Lost is a rectangle of another image without a known place here."""

    number: int = 0
    picture: Picture | None = None
    name: str = ""
    drawn: str = ""
    is_drawn: bool = False
    lost: bool = False


def region_page(
    leaves: Sequence[Leaf], fields: Mapping[str, str], near: Sequence[int]
) -> tuple[RegionPage, dict[str, str]]:
    """The page to show, and the fields with the rectangle as it stands there. `near` are the leaves of the
    note's passage: without a choice, its page is the first of them."""
    fields = dict(fields)
    if "shown" in fields and fields.get("leaf", "") != fields["shown"]:
        # Another leaf was chosen: the numbers belong to the one that was shown before.
        fields |= dict.fromkeys((*SIDES, "drawn"), "")
    chosen = fields.get("leaf") if "leaf" in fields else next(map(str, near), "")
    leaf = next((leaf for leaf in leaves if str(leaf.number) == chosen), None)
    if leaf is None:
        return RegionPage(), fields
    image = leaf.image
    if image is None:
        return RegionPage(leaf.number, drawn=fields.get("drawn", "")), fields
    picture = picture_of(image, alt_text(leaf, image, leaf.book.short_title))
    here = RegionPage(leaf.number, picture, image_name(image), image_name(image))
    try:
        region = read_region(region_from(fields))
    except NoteError:
        region = None
    if region is None:
        return here, fields
    box = region_box(region, leaf)
    if box is None:
        return RegionPage(leaf.number, picture, here.name, region.drawn_on, lost=True), fields
    if region.drawn_on != here.name:
        fields |= fields_of_region(region_on(box, leaf.number, image))
    return RegionPage(leaf.number, picture, here.name, here.name, is_drawn=True), fields
