"""Photographs that come with messages: opened in the sandbox of the scans, kept as a copy of bare pixels."""

from __future__ import annotations

from typing import BinaryIO, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from archive.images.derivatives import jpeg
from archive.messages.limits import EVERYONE, limit, photographs_by_all, photographs_from_address
from archive.models import MessagePhotograph
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.errors import ScanError
from archive.scans.formats import DOCUMENTS, HEAD_BYTES, kind_of
from ratelimit import limiter

QUALITY = 80
OTHER_KIND = "This file is not a JPEG, PNG or WebP picture. Save it as one of these."
SIDE = 1_400
"""The longer side of the copy that is kept."""


def copy_of(file: UploadedFile[bytes], address: str) -> bytes:
    """A small JPEG of what was sent. Raises EditError at the field, or RateLimitError."""
    if not settings.READERS_PHOTOGRAPHS:
        raise EditError("This site takes no photographs. Describe what is on it.", field="photograph")
    if (file.size or 0) > settings.FORM_FILE_BYTES_MAX:
        most = settings.FORM_FILE_BYTES_MAX // (1024 * 1024)
        raise EditError(f"This file is too large: at most {most} MB.", field="photograph")
    if MessagePhotograph.objects.count() >= limit("MESSAGE_PHOTOGRAPHS_KEPT_MOST"):
        raise EditError("There is no room for more photographs. Describe what is on it.", field="photograph")
    try:
        # Documents are for curators: they cost more to open, and nothing here needs their pages.
        if kind_of(file.read(HEAD_BYTES)) in DOCUMENTS:
            raise ScanError("kind")
        limiter.take([(photographs_from_address(), address), (photographs_by_all(), EVERYONE)])
        examined = sandbox.examine(cast(BinaryIO, file.file))
    except ScanError as refused:
        words = OTHER_KIND if refused.reason == "kind" else sandbox.sentence_for(refused.reason)
        raise EditError(words, field="photograph") from None
    examined.copy.thumbnail((SIDE, SIDE))
    return jpeg(examined.copy, QUALITY)
