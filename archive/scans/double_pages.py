"""Double pages: one picture split into two pages at its fold, and joined again."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.scans.detection import propose_steps
from archive.scans.errors import ScanChangedError
from archive.scans.geometry import Steps, record_of
from archive.scans.originals import copy_of
from archive.scans.pages import ALREADY_JOINED, ALREADY_SPLIT, lock_scan, number_scans, other_half


def split(scan: Scan, steps: Steps) -> Scan:
    """Two pages from one picture, at this fold. The left one stays in its place, the right one follows it."""
    copy = copy_of(scan)
    left, right = (propose_steps(copy, steps.turns, part, steps.split) for part in (Scan.LEFT, Scan.RIGHT))
    with transaction.atomic():
        lock_scan(scan)
        if scan.part != Scan.WHOLE:
            raise ScanChangedError(ALREADY_SPLIT)
        rows = list(Scan.objects.of_book(scan.book))
        scan.part, scan.steps = Scan.LEFT, record_of(replace(left.steps, tone=steps.tone))
        scan.doubt = left.doubt
        scan.save(update_fields=["part", "steps", "doubt"])
        other = Scan(book=scan.book, original=scan.original, frame=scan.frame, part=Scan.RIGHT, order=0)
        other.name, other.signed, other.sent = scan.name, scan.signed, scan.sent
        other.steps, other.doubt = record_of(replace(right.steps, tone=steps.tone)), right.doubt
        other.save()
        at = next(place for place, row in enumerate(rows) if row.pk == scan.pk)
        number_scans([*rows[: at + 1], other, *rows[at + 1 :]])
    return other


def join(scan: Scan) -> None:
    """One page again. The other half goes, unless it was put up: then it must be cited from somewhere."""
    whole = propose_steps(copy_of(scan), scan.chosen_steps.turns)
    with transaction.atomic():
        lock_scan(scan)
        if scan.part == Scan.WHOLE:
            raise ScanChangedError(ALREADY_JOINED)
        other = other_half(scan)
        if other is not None and other.image_id is not None:
            raise EditError("The other half has been published, so the two stay apart.")
        rows = [row for row in Scan.objects.of_book(scan.book) if other is None or row.pk != other.pk]
        if other is not None:
            other.delete()
        scan.part, scan.steps = Scan.WHOLE, record_of(replace(whole.steps, tone=scan.chosen_steps.tone))
        scan.doubt = whole.doubt
        scan.save(update_fields=["part", "steps", "doubt"])
        number_scans(rows)
