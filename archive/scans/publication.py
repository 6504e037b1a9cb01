"""Publishes a scan on its leaf, and withdraws it. A published image keeps its address for ever."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from PIL import Image

from archive.images.derivatives import cut
from archive.images.page_image_cache import forget_images
from archive.images.storage import checksum_of, pages, record_image, store_file
from archive.images.tiles import folder_of
from archive.models import Leaf, PageImage
from archive.models.scans import Placing, Scan
from archive.publication.errors import EditError, check_reason
from archive.scans import sandbox
from archive.scans.carried_places import carried_regions, carried_words
from archive.scans.errors import ScanChangedError
from archive.scans.originals import open_original
from archive.scans.pages import check_leaf, lock_scan
from archive.scans.text_check import check_text
from archive.scans.uploads import MACHINE
from people.models import Person


def publish(scan: Scan, person: Person | None, reason: str, unfit: bool = False) -> PageImage:
    """Cut the page from its original, at its full size, and show it on its leaf. Cutting takes a few seconds
    and happens before anything is written; ScanError if the original cannot be read any more, OtherTextError
    if the text of the leaf hardly fits the page and is not said to be `unfit`."""
    if scan.leaf is None:
        raise EditError("Choose the page this scan belongs to.", field="leaf")
    check_reason(reason)
    with open_original(scan.original) as file:
        page = sandbox.cut_page(file, scan.chosen_steps, scan.frame)
    scan.regions = carried_regions(scan, page.size)
    if not unfit:
        check_text(scan, scan.leaf, page)
    return publish_page(scan, scan.leaf, page, person, reason)


def publish_page(scan: Scan, leaf: Leaf, page: Image.Image, person: Person | None, reason: str) -> PageImage:
    """Show this page, cut from the scan as it stands. If the scan or its leaf is not what it was by then, it
    is not put up."""
    steps, place = scan.steps, scan.leaf_id
    checksum = checksum_of(f"{page.mode} {page.size}\n".encode() + page.tobytes())
    identifier = f"{scan.book.slug}-{leaf.number}-s{checksum[:8]}"
    for name, content in cut(page):
        store_file(pages(), f"{folder_of(identifier, checksum)}/{name}", content)
    with transaction.atomic():
        lock_scan(scan)
        check_leaf(leaf)
        if scan.steps != steps or scan.leaf_id != place:
            raise ScanChangedError(
                "This scan was changed while its page was cut. Look at it, and publish again."
            )
        before = PageImage.objects.filter(identifier=identifier).first()
        carried = carried_words(scan, leaf, page.size) if before is None or scan.image != before else []
        words = carried or (before.words if before else [])
        same = scan.image is not None and scan.image.leaf_id == leaf.pk
        away = [word for word in scan.missing if word.get("away")] if same else []
        regions = carried_regions(scan, page.size)
        image = record_image(leaf, PageImage.SCAN, identifier, page.size, checksum, words)
        # A leaf shows one scan. The others stay where they are cited, and can be put up again.
        others = PageImage.objects.filter(leaf=leaf, kind=PageImage.SCAN).exclude(pk=image.pk)
        others.update(withdrawn=True)
        image.withdrawn, image.credits = False, scan.credits
        image.save()
        if scan.image is not None and scan.image.pk != image.pk:
            PageImage.objects.filter(pk=scan.image.pk).update(withdrawn=True)
        # All are looked for on the new page; what a person placed stays where it was carried.
        sought = Scan.AFRESH if carried else ""
        Scan.objects.filter(pk=scan.pk).update(image=image, sought=sought, missing=away, regions=regions)
        _log(scan, leaf, image, Placing.UP, person, reason, steps)
    forget_images()
    scan.refresh_from_db()
    return image


def withdraw(scan: Scan, person: Person, reason: str) -> None:
    """Take it down: the facsimile shows again. Its own address still answers."""
    check_reason(reason)
    with transaction.atomic():
        lock_scan(scan)
        image = PageImage.objects.select_related("leaf").filter(scans=scan, withdrawn=False).first()
        if image is None:
            raise EditError("This scan is not shown, so it cannot be taken down.")
        image.withdrawn = True
        image.save()
        # It goes down as it was put up, whatever has been chosen for the next time.
        up = Placing.objects.filter(book=scan.book, identifier=image.identifier, act=Placing.UP).first()
        _log(scan, image.leaf, image, Placing.DOWN, person, reason, up.steps if up else scan.steps)
    forget_images()
    scan.refresh_from_db()


def _log(
    scan: Scan,
    leaf: Leaf,
    image: PageImage,
    act: str,
    person: Person | None,
    reason: str,
    steps: dict[str, Any],
) -> None:
    Placing.objects.create(
        book=scan.book,
        leaf=leaf.number,
        act=act,
        identifier=image.identifier,
        checksum=image.checksum,
        original=scan.original.digest,
        steps=steps,
        author=person,
        signed=person.name if person else MACHINE,
        reason=reason,
    )
