"""Pages of a PDF as pictures. Only the worker of the sandbox may call this.

A page is drawn, and no more: scripts, forms, annotations and attachments are not looked at, and PDFium is
built without a machine for scripts.
"""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, BinaryIO

from archive.scans.errors import ScanError
from archive.scans.formats import PDF
from archive.scans.formats.checks import FileLimits, check_size

if TYPE_CHECKING:
    from PIL import Image

POINTS_AN_INCH = 72
DOTS_AN_INCH, MAX_DOTS_AN_INCH = 300, 600
"""A page is drawn with 300 dots an inch, or with as many as the pictures on it have, up to 600."""
MAX_PICTURES = 50
MAX_DEPTH = 3
"""So many pictures of a page are asked for their size, so deep within its forms."""


def draw_page(
    file: BinaryIO, number: int, limits: FileLimits, side_max: int
) -> tuple[Image.Image, str, int, int, int]:
    """A page, no side longer than `side_max` (0: in full); then its kind, full width and height, and the
    number of pages."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(file)
    except pdfium.PdfiumError as fault:
        raise ScanError("locked" if "password" in str(fault).lower() else "unreadable") from None
    count = len(document)
    if count > limits.frames:
        raise ScanError("frames")
    if not 0 <= number < count:
        raise ScanError("unreadable")
    page = document[number]
    points = page.get_size()
    if not all(math.isfinite(side) and side > 0 for side in points):
        raise ScanError("damaged")
    scale = _full_scale(page, points, limits)
    # Cut to whole dots: a side must not be longer than it may be by the last part of one.
    width, height = (max(int(side * scale), 1) for side in points)
    check_size(width, height, limits)
    if side_max:
        scale = min(scale, side_max / max(points))
    # Lines are as wide as a dot is: what is drawn small is drawn anew, and not made smaller.
    drawn = page.render(
        scale=scale * (1 - 1e-6), may_draw_forms=False, draw_annots=False, rev_byteorder=True
    ).to_pil()
    image = drawn.convert("RGB")
    if side_max:
        image.thumbnail((side_max, side_max))
    return image, PDF, width, height, count


def _full_scale(page: Any, points: tuple[float, float], limits: FileLimits) -> float:
    """Dots for each point of the page in full size, within the limits of a picture."""
    dots = max([DOTS_AN_INCH, *_dots_of_pictures(page)])
    scale = min(dots, MAX_DOTS_AN_INCH) / POINTS_AN_INCH
    by_side = limits.side / max(points)
    by_pixels = math.sqrt(limits.pixels / (points[0] * points[1]))
    return min(scale, by_side, by_pixels)


def _dots_of_pictures(page: Any) -> list[float]:
    """How many dots an inch the pictures on a page have: a scan is often nothing but one picture."""
    import pypdfium2.raw as raw

    found: list[float] = []
    for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=MAX_DEPTH):
        if len(found) == MAX_PICTURES:
            break
        left, bottom, right, top = picture.get_bounds()
        width, height = ctypes.c_uint(), ctypes.c_uint()
        if raw.FPDFImageObj_GetImagePixelSize(picture, width, height) and right > left and top > bottom:
            found.append(min(width.value / (right - left), height.value / (top - bottom)) * POINTS_AN_INCH)
    return [dots for dots in found if math.isfinite(dots)]
