"""Pictures that come with a form: one page, not too large, opened in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.errors import ScanError
from archive.scans.formats import DOCUMENTS, HEAD_BYTES, kind_of

OTHER_KIND = "This file is not a JPEG, PNG or WebP picture. Save it as one of these."


@contextmanager
def picture_of(file: UploadedFile[bytes], field: str) -> Iterator[BinaryIO]:
    """The content of a picture. If it is too large or a document, or is refused in here, the EditError names
    the field."""
    if (file.size or 0) > settings.FORM_FILE_BYTES_MAX:
        most = settings.FORM_FILE_BYTES_MAX // (1024 * 1024)
        raise EditError(f"This file is too large: at most {most} MB.", field=field)
    try:
        # Documents are for curators: they cost more to open, and a page is one picture.
        if kind_of(file.read(HEAD_BYTES)) in DOCUMENTS:
            raise ScanError("kind")
        yield cast(BinaryIO, file.file)
    except ScanError as refused:
        words = OTHER_KIND if refused.reason == "kind" else sandbox.sentence_for(refused.reason)
        raise EditError(words, field=field) from None
