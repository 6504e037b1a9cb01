"""Page images for templates: addresses in several widths, dimensions, alternative text."""

from __future__ import annotations

from dataclasses import dataclass

from archive.images.middleware import FILES_PATH, IMAGE_API_PATH
from archive.images.tiles import TILE_SIZE, folder_of, size_name, sizes_of
from archive.models import Leaf, PageImage

DEFAULT_WIDTH = 640


@dataclass(frozen=True)
class Picture:
    """The attributes of an <img>. Width and height are given, so nothing shifts while it loads."""

    src: str
    srcset: str
    width: int
    height: int
    alt: str
    typeset: bool = False
    """Cut from a page that we typeset, which must be said beside it."""
    service: str = ""
    """The address of its image, from which tiles are had."""
    tile: int = TILE_SIZE


def picture_of(image: PageImage, alt: str) -> Picture:
    folder = FILES_PATH + folder_of(image.identifier, image.checksum)
    sizes = sizes_of(image.width, image.height)
    default = max((size.width for size in sizes if size.width <= DEFAULT_WIDTH), default=image.width)
    return Picture(
        src=f"{folder}/{size_name(default)}",
        srcset=", ".join(f"{folder}/{size_name(size.width)} {size.width}w" for size in sizes),
        width=image.width,
        height=image.height,
        alt=alt,
        service=f"{IMAGE_API_PATH}{image.identifier}",
    )


def page_image(leaf: Leaf, book_title: str) -> Picture | None:
    """The best image of a leaf, ready for a template; None while there is none."""
    image = leaf.image
    return picture_of(image, alt_text(leaf, image, book_title)) if image else None


def alt_text(leaf: Leaf, image: PageImage, book_title: str) -> str:
    """The alternative text of a page image."""
    kind = "typeset page, not a scan" if image.is_facsimile else "scan"
    return f"Page {leaf.number} of {book_title}, “{leaf.title}”: {kind}. Its text is beside it."
