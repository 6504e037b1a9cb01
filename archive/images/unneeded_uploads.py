"""Deletes uploads that neither a scan nor a proposal needs any more: the row first, then the files."""

from __future__ import annotations

from django.db import transaction

from archive.images.storage import originals
from archive.models.scans import Original


def delete_unneeded(pk: int) -> None:
    """Delete this upload unless something needs it."""
    with transaction.atomic():
        original = Original.objects.select_for_update().filter(pk=pk).first()
        if original is None or original.is_needed:
            return
        original.delete()
    for name in original.file_names:
        originals().delete(name)
