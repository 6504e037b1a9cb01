"""Clips: crops of a page image that show a passage, the region of a note, or a changed line."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

from PIL import Image

from archive.images.assembly import assemble
from archive.images.boxes import Box, bounding_box, word_box
from archive.images.cards import open_derivative
from archive.images.iiif_request import parse_request
from archive.images.middleware import IMAGE_API_PATH
from archive.images.pictures import Picture
from archive.models import Leaf, PageImage, Passage

WIDTHS = (360, 540, 720, 960, 1280)
WIDTH_IN_PAGE, QUALITY_IN_PAGE = 540, 30


def passage_clip(image: PageImage, anchor: str) -> Box | None:
    """The part of the page that shows a passage, with a little of the page around it; None if it has no word
    there."""
    boxes = [word_box(word) for word in image.words if word["passage"] == anchor]
    if not boxes:
        return None
    return bounding_box(boxes).padded(max(24, image.width // 40), image.width, image.height)


def clips_of_passage(passage: Passage, leaves: Iterable[Leaf]) -> list[tuple[Leaf, PageImage, Box]]:
    """Its places on those of these leaves whose image shows it."""
    images = [(leaf, leaf.image) for leaf in leaves]
    return [
        (leaf, image, box) for leaf, image in images if image and (box := passage_clip(image, passage.anchor))
    ]


def clip_alt(leaf: Leaf) -> str:
    return f"Its place on page {leaf.number}"


def clip_picture(image: PageImage, box: Box, alt: str) -> Picture:
    """This part of the page in widths to choose from; never larger than it is."""
    # An image server is not asked for more pixels than there are.
    widths = [width for width in WIDTHS if width < box.w] or [box.w]
    folder = f"{IMAGE_API_PATH}{image.identifier}/{box.xywh}"
    middle = next((width for width in widths if width >= 720), widths[-1])
    return Picture(
        src=f"{folder}/{middle},/0/default.jpg",
        srcset=", ".join(f"{folder}/{width},/0/default.jpg {width}w" for width in widths),
        width=box.w,
        height=box.h,
        alt=alt,
        typeset=image.is_facsimile,
    )


def clip_in_page(image: PageImage, box: Box, alt: str) -> Picture:
    """This part of the page, small, with its pixels in the address itself. Raises ImageRequestError, or
    FileNotFoundError where the files of the page are missing."""
    size = f"{min(box.w, WIDTH_IN_PAGE)},"
    asked = parse_request(image.width, image.height, box.xywh, size, "0", "default", "png")
    content = assemble(image.width, image.height, asked, lambda name: open_derivative(image, name))
    packed = io.BytesIO()
    with Image.open(io.BytesIO(content)) as part:
        part.save(packed, "WEBP", quality=QUALITY_IN_PAGE)
    pixels = base64.b64encode(packed.getvalue()).decode()
    return Picture(f"data:image/webp;base64,{pixels}", "", box.w, box.h, alt, typeset=image.is_facsimile)


def clip_address(image: PageImage, xywh: str, width: int, height: int) -> str:
    """The address of a part of the page, given as x,y,w,h, in at most this size."""
    return f"{IMAGE_API_PATH}{image.identifier}/{xywh}/!{width},{height}/0/default.jpg"
