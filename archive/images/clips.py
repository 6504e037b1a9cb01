"""Parts of a page image, shown beside words: a passage, a note's rectangle, a line that changed."""

from __future__ import annotations

from archive.images.middleware import ASKED
from archive.images.pictures import Picture
from archive.models import PageImage
from archive.reader.regions import Box

WIDTHS = (360, 540, 720, 960, 1280)


def clip_picture(image: PageImage, box: Box, alt: str) -> Picture:
    """This part of the page in widths to choose from; never larger than it is."""
    # An image server is not asked for more pixels than there are.
    widths = [width for width in WIDTHS if width < box.w] or [box.w]
    folder = f"{ASKED}{image.identifier}/{box.xywh}"
    middle = next((width for width in widths if width >= 720), widths[-1])
    return Picture(
        src=f"{folder}/{middle},/0/default.jpg",
        srcset=", ".join(f"{folder}/{width},/0/default.jpg {width}w" for width in widths),
        width=box.w,
        height=box.h,
        alt=alt,
    )
