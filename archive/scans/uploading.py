"""Files on their way in: streamed to disk piece by piece, and no further than the limit."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler

MARGIN = 1
"""One byte more than is allowed is kept, so that the file is seen to be too large."""


class ToDisk(TemporaryFileUploadHandler):
    """Keeps at most one byte more than a scan may have; the rest is read and dropped, so that the browser
    hears the sentence instead of a broken line."""

    kept = 0

    @property
    def room(self) -> int:
        return int(settings.SCAN_BYTES_MAX) + MARGIN

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.kept = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        piece = raw_data[: self.room - self.kept]
        self.kept += len(piece)
        if piece:
            self.file.write(piece)

    def file_complete(self, file_size: int) -> TemporaryUploadedFile:
        self.file.seek(0)
        self.file.size = self.kept
        return self.file


class Small(ToDisk):
    """For every other form, whoever sends it."""

    @property
    def room(self) -> int:
        return int(settings.FORM_FILE_BYTES_MAX) + MARGIN
