"""Credits of a scan: who made the image, who holds the copy, when it was made, and under which rights."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from django.db import transaction
from django.utils import timezone

from archive.models.books import PageImage
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.rights_statements import IMAGE_RIGHTS
from archive.text_input import clean_line

FIELDS = ("credit", "holder", "captured", "rights")
ORIGIN = ("source", "canvas")
"""Where an image was brought over from: no form changes it."""
MAX_CREDIT = 200
DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def credits_from(form: Mapping[str, str]) -> dict[str, str]:
    """The credits that a form gives; EditError at the field of one that cannot be."""
    told = {name: clean_line(str(form.get(f"credits-{name}", ""))) for name in FIELDS}
    for name, words in told.items():
        if len(words) > MAX_CREDIT:
            raise EditError(f"This is too long: at most {MAX_CREDIT} letters.", field=name)
    if told["captured"] and not _is_day(told["captured"]):
        raise EditError("Write a day, a month or a year: 2026-05-01, 2026-05 or 2026.", field="captured")
    if told["rights"] and told["rights"] not in IMAGE_RIGHTS:
        raise EditError("Choose one of the statements.", field="rights")
    return {name: words for name, words in told.items() if words}


def _is_day(written: str) -> bool:
    parts = DAY.fullmatch(written)
    if parts is None:
        return False
    year, month, day = (int(part) if part else 1 for part in parts.groups())
    try:
        return date(year, month, day) <= timezone.localdate()
    except ValueError:
        return False


@transaction.atomic
def save_credits(scan: Scan, told: dict[str, str], for_all: bool = False) -> None:
    """Keep what is said of a scan, with its image too; or of all scans of its book."""
    chosen = Scan.objects.filter(book=scan.book) if for_all else Scan.objects.filter(pk=scan.pk)
    for one in chosen:
        one.credits = _with_origin(told, one.credits)
        one.save(update_fields=["credits"])
    scan.credits = _with_origin(told, scan.credits)
    # One by one: a page that was remembered with its image is made anew when the image was saved.
    for image in PageImage.objects.filter(scans__in=chosen).defer("words").distinct():
        now = _with_origin(told, image.credits)
        if image.credits != now:
            image.credits = now
            image.save(update_fields=["credits", "made"])


def _with_origin(told: dict[str, str], before: Mapping[str, str]) -> dict[str, str]:
    return told | {name: before[name] for name in ORIGIN if name in before}
