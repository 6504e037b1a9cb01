"""Page images by their identifier. Every tile asks for one, so the answer is cached for a few seconds."""

from __future__ import annotations

from dataclasses import dataclass

from archive.cache import BoundedCache
from archive.models import PageImage

CACHE_SECONDS = 5.0
MAX_IMAGES = 2_000


@dataclass(frozen=True)
class ImageFacts:
    """The part of a PageImage that an image request needs."""

    identifier: str
    width: int
    height: int
    checksum: str
    book: str
    rights: str


# None as a value: an identifier that does not exist costs one query as well.
_images: BoundedCache[str, ImageFacts | None] = BoundedCache(MAX_IMAGES, CACHE_SECONDS)


def find_image(identifier: str) -> ImageFacts | None:
    return _images.get_or_make(identifier, lambda: _query(identifier))


def forget_images() -> None:
    """Empty the cache after an image was recorded, or between tests."""
    _images.clear()


def _query(identifier: str) -> ImageFacts | None:
    row = (
        PageImage.objects.filter(identifier=identifier)
        .values_list(
            "identifier", "width", "height", "checksum", "leaf__book__slug", "leaf__book__rights_address"
        )
        .first()
    )
    return ImageFacts(*row) if row else None
