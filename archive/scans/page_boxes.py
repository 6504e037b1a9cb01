"""Boxes measured on the picture as it came, moved to the page that was cut from it: turned, straightened,
split and cropped like the page. No pixels here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from archive.scans.geometry import Steps, affine, page_size

SAME_SHAPE = 0.015
"""Two shapes are the same if their ratios of width and height differ by at most this share."""
SAME_PLACE = 2.0
"""Pixels by which a box may move for two ways of reading a file to be the same."""


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True)
class CutPage:
    """A page of `size`, cut by `steps` from a picture so wide and so high."""

    width: float
    height: float
    steps: Steps
    size: tuple[int, int]

    def box_of(self, box: Box) -> Box | None:
        """The box on the page; None if its middle was cut away."""
        a, b, c, d, e, f = affine(self.width, self.height, self.steps, self.size)
        x, y, det = box.x + box.w / 2 - c, box.y + box.h / 2 - f, a * e - b * d
        u, v = (e * x - b * y) / det, (a * y - d * x) / det
        if not (0 <= u < self.size[0] and 0 <= v < self.size[1]):
            return None
        w, h = self._straight(box)
        left, top = max(u - w / 2, 0.0), max(v - h / 2, 0.0)
        right, bottom = min(u + w / 2, self.size[0]), min(v + h / 2, self.size[1])
        return Box(left, top, right - left, bottom - top)

    def _straight(self, box: Box) -> tuple[float, float]:
        """Width and height on the page. A box around a slanted word is larger than the word: what the slant
        has added goes when the page is straightened."""
        w, h = (box.h, box.w) if self.steps.turns % 2 else (box.w, box.h)
        angle = math.radians(abs(self.steps.angle))
        sine, cosine = math.sin(angle), math.cos(angle)
        wide, high = w * cosine - h * sine, h * cosine - w * sine
        if wide > 0 and high > 0:
            w, h = wide / math.cos(2 * angle), high / math.cos(2 * angle)
        whole = page_size(self.width, self.height, self.steps)
        return w * self.size[0] / whole[0], h * self.size[1] / whole[1]


def moved_box(old: CutPage, new: CutPage, box: Box) -> Box | None:
    """A box on one page, on another page that was cut from the same picture; None if its middle was cut away.
    Its middle stays where it was on the picture. It stays as large: how the ink in it slants is not known."""
    a, b, c, d, e, f = affine(old.width, old.height, old.steps, old.size)
    u, v = box.x + box.w / 2, box.y + box.h / 2
    x, y, old_dot = a * u + b * v + c, d * u + e * v + f, math.sqrt(abs(a * e - b * d))
    a, b, c, d, e, f = affine(new.width, new.height, new.steps, new.size)
    det = a * e - b * d
    u, v = (e * (x - c) - b * (y - f)) / det, (a * (y - f) - d * (x - c)) / det
    if not (0 <= u < new.size[0] and 0 <= v < new.size[1]):
        return None
    larger = old_dot / math.sqrt(abs(det))
    w, h = (box.h, box.w) if (new.steps.turns - old.steps.turns) % 2 else (box.w, box.h)
    w, h = w * larger, h * larger
    left, top = max(u - w / 2, 0.0), max(v - h / 2, 0.0)
    return Box(left, top, min(u + w / 2, new.size[0]) - left, min(v + h / 2, new.size[1]) - top)


def describes_picture(page: CutPage, width: float, height: float) -> bool | None:
    """True if a file about a page so wide and so high, in whatever unit, was made from the picture as it
    came; False if from the page as it was cut; None if that cannot be told."""
    whole, cut = (page.width, page.height), page.size
    if _is_whole(page):
        return False
    exact = [abs(width - w) <= 1 and abs(height - h) <= 1 for w, h in (whole, cut)]
    if exact[0] != exact[1]:
        return exact[0]
    fits = [abs(width / height / (w / h) - 1) <= SAME_SHAPE if height > 0 else False for w, h in (whole, cut)]
    return None if fits[0] == fits[1] else fits[0]


def _is_whole(page: CutPage) -> bool:
    """True if nothing was turned or cut away, so that picture and page are one."""
    steps = page.steps
    moved = page_size(page.width, page.height, steps)
    near = abs(moved[0] - page.width) <= SAME_PLACE and abs(moved[1] - page.height) <= SAME_PLACE
    return steps.turns == 0 and steps.angle == 0 and near
