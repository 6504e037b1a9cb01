"""Photographs that come with messages: opened in the sandbox of the scans, kept as a copy of bare pixels."""

from __future__ import annotations

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from archive.images.derivatives import jpeg
from archive.messages.limits import EVERYONE, limit, photographs_by_all, photographs_from_address
from archive.models import MessagePhotograph
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.form_pictures import picture_of
from ratelimit import limiter

QUALITY = 80
SIDE = 1_400
"""The longer side of the copy that is kept."""


def copy_of(file: UploadedFile[bytes], address: str) -> bytes:
    """A small JPEG of what was sent. Raises EditError at the field, or RateLimitError."""
    if not settings.READERS_PHOTOGRAPHS:
        raise EditError("This site takes no photographs. Describe what is on it.", field="photograph")
    if MessagePhotograph.objects.count() >= limit("MESSAGE_PHOTOGRAPHS_KEPT_MOST"):
        raise EditError("There is no room for more photographs. Describe what is on it.", field="photograph")
    with picture_of(file, "photograph") as content:
        limiter.take([(photographs_from_address(), address), (photographs_by_all(), EVERYONE)])
        examined = sandbox.examine(content)
    examined.copy.thumbnail((SIDE, SIDE))
    return jpeg(examined.copy, QUALITY)
