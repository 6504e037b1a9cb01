"""The scans of a book: their steps, order and leaves, and the row lock under which they change."""

from __future__ import annotations

import re
from dataclasses import replace

from django.db import transaction

from archive.images.unneeded_uploads import delete_unneeded
from archive.models import Book, Leaf
from archive.models.scans import Placing, Scan
from archive.publication.errors import EditError
from archive.scans.errors import ScanChangedError, ScanRemovedError
from archive.scans.geometry import Steps, move_fold, record_of

ALREADY_SPLIT = "This picture is two pages already. Look at them, and choose the steps again."
ALREADY_JOINED = "This picture is one page already. Look at it, and choose the steps again."


@transaction.atomic
def save_with_leaf(scan: Scan, steps: Steps, leaf: Leaf | None) -> None:
    """Keep these steps, and on which leaf the page belongs."""
    save(scan, steps)
    check_leaf(leaf)
    scan.leaf = leaf
    scan.save(update_fields=["leaf"])


@transaction.atomic
def save(scan: Scan, steps: Steps, doubt: str = "") -> None:
    """Keep these steps. Halves of one picture share how it is turned and where it is folded. `doubt` says why
    no frame was proposed; a frame that was drawn leaves none."""
    lock_scan(scan)
    before = scan.chosen_steps
    if before.part != steps.part:
        raise ScanChangedError(ALREADY_JOINED if before.part == Scan.WHOLE else ALREADY_SPLIT)
    if (before.left, before.right) == (steps.left, steps.right):
        # A typed fold, without a script that moves the edge, means the edge too.
        steps = move_fold(replace(steps, split=before.split), steps.split)
    drawn = before.frame != steps.frame
    scan.steps, scan.doubt = record_of(steps), doubt or ("" if drawn else scan.doubt)
    scan.save(update_fields=["steps", "doubt"])
    other = other_half(scan)
    if other is not None:
        moved = move_fold(replace(other.chosen_steps, turns=steps.turns), steps.split)
        Scan.objects.filter(pk=other.pk).update(steps=record_of(moved))


def other_half(scan: Scan) -> Scan | None:
    if scan.part == Scan.WHOLE:
        return None
    return (
        Scan.objects.of_book(scan.book)
        .filter(original=scan.original, frame=scan.frame)
        .exclude(pk=scan.pk)
        .first()
    )


def move(scan: Scan, place: int) -> None:
    """To this place among the scans of its book, counted from 1; the others make room."""
    with transaction.atomic():
        lock_scan(scan)
        rows = _others(scan)
        at = min(max(place, 1), len(rows) + 1) - 1
        number_scans([*rows[:at], scan, *rows[at:]])


def remove(scan: Scan) -> None:
    """Remove a picture that was sent by mistake. A published one stays: it may have been cited."""
    with transaction.atomic():
        lock_scan(scan)
        if scan.image_id is not None or Placing.objects.filter(original=scan.original.digest).exists():
            raise EditError("This picture has been published. Take it down instead; its address stays.")
        rows = _others(scan)
        scan.delete()
        number_scans(rows)
    delete_unneeded(scan.original_id)


def sort_in(new: list[Scan]) -> None:
    """Put the pages of a file that has just come behind those whose names come before its own: files that
    are sent together arrive in any order. What has a leaf already, or stands before that, stays."""
    if not new:
        return
    others = [row for row in Scan.objects.of_book(new[0].book) if row.pk not in {scan.pk for scan in new}]
    at = len(others)
    while at and others[at - 1].leaf_id is None and _sort_key(others[at - 1]) > _sort_key(new[0]):
        at -= 1
    number_scans([*others[:at], *new, *others[at:]])


def _sort_key(scan: Scan) -> tuple[list[tuple[int, int, str]], int, int]:
    """Pages of one document stand in their order, whichever of them was unpacked first."""
    return name_order(scan.name), scan.original_id, scan.frame


def name_order(name: str) -> list[tuple[int, int, str]]:
    """Sorts names as people do: numbers by their value, however many digits they are written with."""
    parts = re.findall(r"\d{1,18}|\D+|\d+", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


def _others(scan: Scan) -> list[Scan]:
    return list(Scan.objects.of_book(scan.book).exclude(pk=scan.pk))


def number_scans(rows: list[Scan]) -> None:
    """Store this order of the scans of a book."""
    for order, row in enumerate(rows, 1):
        if row.order != order:
            Scan.objects.filter(pk=row.pk).update(order=order)
            row.order = order


def lock_scan(scan: Scan) -> None:
    """Row lock for a scan while it is being changed, until the end of the transaction; the lock is on its
    book. The scan is read again: of two curators who press a key in the same second, the second one is told
    what the first has done."""
    Book.objects.select_for_update().only("pk").get(pk=scan.book_id)
    try:
        scan.refresh_from_db()
    except Scan.DoesNotExist:
        raise ScanRemovedError from None


def check_leaf(leaf: Leaf | None) -> None:
    """Raise ScanChangedError if the leaf that was chosen is gone or has moved meanwhile."""
    if leaf is not None and not Leaf.objects.filter(pk=leaf.pk, number=leaf.number).exists():
        raise ScanChangedError(
            "The pages of this rulebook have been moved meanwhile. Choose the page once more."
        )


def likely_leaf(scan: Scan) -> Leaf | None:
    """The leaf a page may belong to: the next after that of the scan before it, or the first without one."""
    leaves = list(Leaf.objects.filter(book=scan.book).defer("lines").order_by("number"))
    placed = Scan.objects.filter(book=scan.book, leaf__isnull=False)
    before = placed.filter(order__lt=scan.order).order_by("-order").first()
    taken = set(placed.values_list("leaf_id", flat=True))
    if before is not None and before.leaf is not None:
        after = [leaf for leaf in leaves if leaf.number > before.leaf.number and leaf.pk not in taken]
        return after[0] if after else None
    return next((leaf for leaf in leaves if leaf.pk not in taken), None)
