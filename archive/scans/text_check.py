"""Check that a page is its text, before it is shown: the words of the leaf are looked for on it."""

from __future__ import annotations

import logging

from PIL import Image

from archive.images.word_places import known_words
from archive.models import Leaf
from archive.models.scans import Scan
from archive.ocr.tesseract import language_for
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.errors import SandboxError, SandboxStoppedError

log = logging.getLogger(__name__)

FEWEST = 12
"""So few words say nothing about a page."""


class OtherTextError(EditError):
    """The words of the leaf are hardly on the page; nothing was changed."""

    def __init__(self, leaf: Leaf) -> None:
        super().__init__(
            f"The text of page {leaf.number} hardly fits this picture. It may be another page, or another "
            "edition. Nothing was changed: choose the right page, or publish it all the same."
        )


def check_text(scan: Scan, leaf: Leaf, page: Image.Image) -> None:
    """Raise OtherTextError if the text of the leaf is hardly what is printed on this page. A page that cannot
    be searched in time is not doubted."""
    known = known_words(leaf)
    if known is None or len(known) < FEWEST:
        return
    language = language_for(scan.book.language, scan.reading, scan.book.reading)
    try:
        found = sandbox.align(page, known, language, region_edges(scan, *page.size))
    except (SandboxError, SandboxStoppedError) as fault:
        log.warning("Whether %s is its text was not found out: %s.", scan, fault)
        return
    if not found["fits"]:
        raise OtherTextError(leaf)


def region_edges(scan: Scan, width: int, height: int) -> list[list[float]]:
    """The regions that a curator drew: left, top, right and lower edge of each, in pixels of the page."""
    return [
        [x / 100 * width, y / 100 * height, (x + w) / 100 * width, (y + h) / 100 * height]
        for x, y, w, h in scan.regions
    ]
