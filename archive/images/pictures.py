"""What a template needs to show a page image: addresses, dimensions, and words for those who listen."""

from __future__ import annotations

from dataclasses import dataclass

from archive.images.middleware import ASKED, KEPT
from archive.images.sizes import folder_of, size_name, sizes_of
from archive.models import Leaf, PageImage

MIDDLE = 640


@dataclass(frozen=True)
class Picture:
    """The attributes of an <img>. It knows its width and height, so nothing shifts while it loads."""

    src: str
    srcset: str
    width: int
    height: int
    alt: str


def picture_of(image: PageImage, alt: str) -> Picture:
    folder = KEPT + folder_of(image.identifier, image.checksum)
    sizes = sizes_of(image.width, image.height)
    middle = max((size.width for size in sizes if size.width <= MIDDLE), default=image.width)
    return Picture(
        src=f"{folder}/{size_name(middle)}",
        srcset=", ".join(f"{folder}/{size_name(size.width)} {size.width}w" for size in sizes),
        width=image.width,
        height=image.height,
        alt=alt,
    )


def page_image(leaf: Leaf, book_title: str) -> Picture | None:
    """The best image of a leaf, ready to show; None while there is none."""
    image = leaf.image
    return picture_of(image, words_for(leaf, image, book_title)) if image else None


def words_for(leaf: Leaf, image: PageImage, book_title: str) -> str:
    kind = "typeset facsimile" if image.is_facsimile else "scan"
    return f"Leaf {leaf.number} of {book_title}, “{leaf.title}”: {kind}. Its text stands beside it."


def clip_address(image: PageImage, xywh: str, width: int, height: int) -> str:
    """A part of the page, given as x,y,w,h, in at most this size."""
    return f"{ASKED}{image.identifier}/{xywh}/!{width},{height}/0/default.jpg"
