"""Places carried from a published page to another cut of the same picture: turned, straightened and cropped
like it, so that each stays on its ink. No pixels here."""

from __future__ import annotations

from typing import Any

from archive.images.boxes import word_box
from archive.models import Leaf, PageImage
from archive.models.scans import Placing, Scan
from archive.scans.geometry import steps_from
from archive.scans.originals import copy_of
from archive.scans.page_boxes import Box, CutPage, moved_box

Word = dict[str, Any]
Size = tuple[int, int]


def published_cut(scan: Scan, image: PageImage) -> CutPage:
    """The page as it was published: the steps of the scan may have been changed since."""
    up = Placing.objects.filter(book=scan.book, identifier=image.identifier, act=Placing.UP).first()
    steps = steps_from(up.steps) if up else scan.chosen_steps
    return CutPage(*_picture_size(scan), steps, (image.width, image.height))


def _picture_size(scan: Scan) -> Size:
    # Later pages of a file may have another size than the first, which is the one that is recorded.
    return copy_of(scan).size if scan.frame else (scan.original.width, scan.original.height)


def carried_words(scan: Scan, leaf: Leaf, size: Size) -> list[Word]:
    """The words of the page that is shown, as they stand on a page of this size that the present steps cut.
    Those that were cut away are left out."""
    image = scan.image
    if image is None or image.leaf_id != leaf.pk or not image.words:
        return []
    old, new = published_cut(scan, image), _present_cut(scan, size)
    found = []
    for word in image.words:
        at = word_box(word)
        box = moved_box(old, new, Box(at.x, at.y, at.w, at.h))
        if box is not None:
            x, y = round(box.x), round(box.y)
            wide, high = round(box.x + box.w) - x, round(box.y + box.h) - y
            found.append({**word, "x": x, "y": y, "w": max(1, wide), "h": max(1, high)})
    return found


def carried_regions(scan: Scan, size: Size) -> list[list[float]]:
    """The regions that a person drew on the page that is shown, in per cent of a page that the present steps
    cut."""
    image = scan.image
    if image is None or not scan.regions:
        return [list(region) for region in scan.regions]
    old, new = published_cut(scan, image), _present_cut(scan, size)
    found = []
    for left, top, width, height in scan.regions:
        wide, high = image.width / 100, image.height / 100
        box = moved_box(old, new, Box(left * wide, top * high, width * wide, height * high))
        if box is not None:
            across, down = 100 / size[0], 100 / size[1]
            found.append([box.x * across, box.y * down, box.w * across, box.h * down])
    return found


def _present_cut(scan: Scan, size: Size) -> CutPage:
    return CutPage(*_picture_size(scan), scan.chosen_steps, size)
