"""Form for the box of a word: a word of a scan that was not found gets its place by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import transaction

from archive.images.boxes import Box
from archive.models import PageImage
from archive.models.scans import Scan
from archive.ocr.box_tracking import likely_box
from archive.publication.errors import EditError

ROWS_AROUND = 3
WIDTH_IN_HEIGHTS = 20
MIN_SIDE = 2
SIDES = ("left", "top", "width", "height")
Word = dict[str, Any]


class PercentField(forms.FloatField):
    """A number from 0 to 100, also with a comma."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=100)

    def clean(self, value: Any) -> Any:
        return super().clean(str(value or "").replace(",", "."))


class WordBoxForm(forms.Form):
    """A rectangle on a strip of the page, in per cent of the strip."""

    left = PercentField()
    top = PercentField()
    width = PercentField()
    height = PercentField()

    def numbers(self) -> tuple[float, float, float, float]:
        """The four numbers, or EditError."""
        if not self.is_valid():
            raise EditError("Each of the four numbers is between 0 and 100.")
        given = self.cleaned_data
        return given["left"], given["top"], given["width"], given["height"]


@dataclass(frozen=True)
class Band:
    """The strip of a page in which a word is looked for, in pixels, and where in it the word may stand."""

    box: Box
    likely: Box | None

    @property
    def numbers(self) -> dict[str, float]:
        """The likely place in per cent of the strip; empty where nothing is likely."""
        at, inside = self.likely, self.box
        if at is None:
            return {}
        return {
            "left": round((at.x - inside.x) / inside.w * 100, 1),
            "top": round((at.y - inside.y) / inside.h * 100, 1),
            "width": round(at.w / inside.w * 100, 1),
            "height": round(at.h / inside.h * 100, 1),
        }

    def box_of(self, left: float, top: float, width: float, height: float) -> Box:
        inside = self.box
        return Box(
            round(inside.x + left / 100 * inside.w),
            round(inside.y + top / 100 * inside.h),
            round(width / 100 * inside.w),
            round(height / 100 * inside.h),
        )


def missing_word(scan: Scan, line: int, offset: int) -> Word | None:
    return next((word for word in scan.missing if (word["line"], word["offset"]) == (line, offset)), None)


def band_of(image: PageImage, word: Word) -> Band:
    """A few rows around the likely place, as wide as a dozen words; without one, the whole page."""
    likely = likely_box(word, image.words)
    if likely is None:
        return Band(Box(0, 0, image.width, image.height), None)
    x, y, w, h = likely
    top = max(0, min(y, image.height - h) - ROWS_AROUND * h)
    foot = min(image.height, y + (ROWS_AROUND + 1) * h)
    x = max(0, min(x, image.width - MIN_SIDE))
    w = min(w, image.width - x)
    wide = min(image.width, max(WIDTH_IN_HEIGHTS * h, 3 * w))
    left = max(0, min(x + w // 2 - wide // 2, image.width - wide))
    return Band(Box(left, top, wide, max(MIN_SIDE, foot - top)), Box(x, y, w, h))


def place_word(scan: Scan, word: Word, box: Box) -> None:
    """Keep this place. It stays when the text around it is mended, and when words are looked for again."""
    if scan.image is None or box.w < MIN_SIDE or box.h < MIN_SIDE:
        raise EditError("Draw a rectangle around the word, or write its four numbers.")
    key = (word["line"], word["offset"])
    with transaction.atomic():
        image = PageImage.objects.select_for_update().get(pk=scan.image.pk)
        if box.x < 0 or box.y < 0 or box.x + box.w > image.width or box.y + box.h > image.height:
            raise EditError("The rectangle reaches over the edge of the page.")
        here = Scan.objects.select_for_update().get(pk=scan.pk)
        if missing_word(here, *key) is None:
            raise EditError("This word has been placed meanwhile.")
        row = _row(image, box)
        placed = {**word, "row": row, "x": box.x, "y": box.y, "w": box.w, "h": box.h, "hand": True}
        image.words = sorted([*image.words, placed], key=lambda one: (one["line"], one["offset"]))
        image.save(update_fields=["words", "made"])
        here.missing = [one for one in here.missing if (one["line"], one["offset"]) != key]
        here.save(update_fields=["missing"])


def _row(image: PageImage, box: Box) -> int:
    """The row of the words beside it; a row of its own where there are none."""
    middle = box.y + box.h / 2
    beside = [word for word in image.words if word["y"] < middle < word["y"] + word["h"]]
    if beside:
        nearest = min(beside, key=lambda word: abs(word["x"] - box.x))
        return int(nearest["row"])
    return max((int(word["row"]) for word in image.words), default=-1) + 1
