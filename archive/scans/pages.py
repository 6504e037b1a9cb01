"""The pages of a book that came as scans: their order, their leaves, one picture as two pages and back."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from archive.images.storage import originals
from archive.models import Leaf
from archive.models.scans import Original, Placing, Scan
from archive.publication.errors import EditError
from archive.scans.geometry import Steps, folded, record_of
from archive.scans.holding import Changed, check_leaf, hold
from archive.scans.proposing import propose
from archive.scans.uploads import copy_of

APART = "This picture is two pages already. Look at them, and choose the steps once more."
ONE = "This picture is one page already. Look at it, and choose the steps once more."


@transaction.atomic
def save_on(scan: Scan, steps: Steps, leaf: Leaf | None) -> None:
    """Keep these steps, and on which leaf the page belongs."""
    save(scan, steps)
    check_leaf(leaf)
    scan.leaf = leaf
    scan.save(update_fields=["leaf"])


@transaction.atomic
def save(scan: Scan, steps: Steps) -> None:
    """Keep these steps. Halves of one picture share how it is turned and where it is folded."""
    hold(scan)
    before = scan.way
    if before.part != steps.part:
        raise Changed(ONE if before.part == Scan.WHOLE else APART)
    if (before.left, before.right) == (steps.left, steps.right):
        # Whoever types another fold, without a script that moves the edge, means the edge too.
        steps = folded(replace(steps, split=before.split), steps.split)
    scan.steps = record_of(steps)
    scan.save(update_fields=["steps"])
    other = other_half(scan)
    if other is not None:
        way = folded(replace(other.way, turns=steps.turns), steps.split)
        Scan.objects.filter(pk=other.pk).update(steps=record_of(way))


def other_half(scan: Scan) -> Scan | None:
    if scan.part == Scan.WHOLE:
        return None
    return (
        Scan.objects.of_book(scan.book)
        .filter(original=scan.original, frame=scan.frame)
        .exclude(pk=scan.pk)
        .first()
    )


def divide(scan: Scan, steps: Steps) -> Scan:
    """Two pages from one picture, at this fold. The left one stays in its place, the right one follows it."""
    copy = copy_of(scan)
    left, right = (propose(copy, steps.turns, part, steps.split) for part in (Scan.LEFT, Scan.RIGHT))
    with transaction.atomic():
        hold(scan)
        if scan.part != Scan.WHOLE:
            raise Changed(APART)
        rows = list(Scan.objects.of_book(scan.book))
        scan.part, scan.steps = Scan.LEFT, record_of(replace(left, tone=steps.tone))
        scan.save(update_fields=["part", "steps"])
        other = Scan(book=scan.book, original=scan.original, frame=scan.frame, part=Scan.RIGHT, order=0)
        other.steps = record_of(replace(right, tone=steps.tone))
        other.save()
        at = next(place for place, row in enumerate(rows) if row.pk == scan.pk)
        _number([*rows[: at + 1], other, *rows[at + 1 :]])
    return other


def unite(scan: Scan) -> None:
    """One page again. The other half goes, unless it was put up: then it must be cited from somewhere."""
    whole = propose(copy_of(scan), scan.way.turns)
    with transaction.atomic():
        hold(scan)
        if scan.part == Scan.WHOLE:
            raise Changed(ONE)
        other = other_half(scan)
        if other is not None and other.image_id is not None:
            raise EditError("The other half has been published, so the two stay apart.")
        rows = [row for row in Scan.objects.of_book(scan.book) if other is None or row.pk != other.pk]
        if other is not None:
            other.delete()
        scan.part, scan.steps = Scan.WHOLE, record_of(replace(whole, tone=scan.way.tone))
        scan.save(update_fields=["part", "steps"])
        _number(rows)


def move(scan: Scan, place: int) -> None:
    """To this place among the scans of its book, counted from 1; the others make room."""
    with transaction.atomic():
        hold(scan)
        rows = _others(scan)
        at = min(max(place, 1), len(rows) + 1) - 1
        _number([*rows[:at], scan, *rows[at:]])


def remove(scan: Scan) -> None:
    """Take away what was sent by mistake. What was published stays: somebody may have cited it."""
    with transaction.atomic():
        hold(scan)
        if scan.image_id is not None or Placing.objects.filter(original=scan.original.digest).exists():
            raise EditError("This picture has been published. Take it down instead; its address stays.")
        rows = _others(scan)
        original = scan.original
        scan.delete()
        _number(rows)
        last = not original.scans.exists()
        if last:
            Original.objects.filter(pk=original.pk).delete()
    if last:
        for name in original.file_names:
            originals().delete(name)


def _others(scan: Scan) -> list[Scan]:
    return list(Scan.objects.of_book(scan.book).exclude(pk=scan.pk))


def _number(rows: list[Scan]) -> None:
    for order, row in enumerate(rows, 1):
        if row.order != order:
            Scan.objects.filter(pk=row.pk).update(order=order)
            row.order = order


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
