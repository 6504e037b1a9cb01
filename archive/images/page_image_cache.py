"""Page images by their identifier. Every tile asks for one, so the answer is cached for a few seconds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from archive.cache import BoundedCache
from archive.models import Book, PageImage

NO_SUCH_IMAGE = "There is no image of this name. The manifest of a rulebook names its images."
CACHE_SECONDS = 5.0
MAX_IMAGES = 2_000
IDENTIFIER = re.compile(r"(.+)-\d+-(?:f|s[0-9a-f]{8})")
"""How images are named: after their book, their leaf and what they are."""


@dataclass(frozen=True)
class ImageFacts:
    """The part of a PageImage that an image request needs."""

    identifier: str
    width: int
    height: int
    checksum: str
    book: str
    rights: str
    state: str = Book.PUBLIC
    """The state of its book: who may see it."""


# None as a value: an identifier that does not exist costs one query as well.
_images: BoundedCache[str, ImageFacts | None] = BoundedCache(MAX_IMAGES, CACHE_SECONDS)


_states: BoundedCache[str, str] = BoundedCache(MAX_IMAGES, CACHE_SECONDS)


def find_image(identifier: str) -> ImageFacts | None:
    return _images.get_or_make(identifier, lambda: _query(identifier))


def state_of(identifier: str) -> str:
    """The state of the book of an image, also of one that has no row any more while its files are there."""
    found = find_image(identifier)
    if found is not None:
        return found.state
    name = IDENTIFIER.fullmatch(identifier)
    return _states.get_or_make(name[1], lambda: _state_of_book(name[1])) if name else Book.PUBLIC


def _state_of_book(slug: str) -> str:
    return Book.objects.filter(slug=slug).values_list("state", flat=True).first() or Book.PUBLIC


def forget_images() -> None:
    """Empty the cache after an image or the state of a book was recorded, or between tests."""
    _images.clear()
    _states.clear()


def _query(identifier: str) -> ImageFacts | None:
    row = (
        PageImage.objects.filter(identifier=identifier)
        .values_list(
            "identifier",
            "width",
            "height",
            "checksum",
            "leaf__book__slug",
            "leaf__book__rights_address",
            "leaf__book__state",
        )
        .first()
    )
    return ImageFacts(*row) if row else None
